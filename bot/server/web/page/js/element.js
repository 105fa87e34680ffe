/** Make an element: `make("button", {type: "button", class: "primary", text: "Play", on: {click: play}}, child)`. */
export function make(tag, { text, on = {}, ...attributes } = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  for (const [type, listener] of Object.entries(on)) element.addEventListener(type, listener);
  if (text !== undefined) element.textContent = text;
  element.append(...children);
  return element;
}

/** The element with that id. */
export function find(id) {
  return document.getElementById(id);
}
