import en from "../lang/en.js";
import es from "../lang/es.js";

const CATALOGUES = { en, es };
const STORED = "centella.language";

/** The language of the page: chosen by the browser, changed by a switch, remembered. */
export class Language extends EventTarget {
  constructor(stored = localStorage.getItem(STORED), preferred = navigator.languages) {
    super();
    const wanted = [stored, ...preferred].map((tag) => String(tag).slice(0, 2));
    this.code = wanted.find((code) => code in CATALOGUES) ?? "en";
  }

  change(code) {
    this.code = code;
    localStorage.setItem(STORED, code);
    this.apply(document.documentElement);
    this.dispatchEvent(new Event("change"));
  }

  has(key) {
    return key in CATALOGUES[this.code];
  }

  /** The text of a key, its {words} filled in from `values`. */
  text(key, values = {}) {
    const text = CATALOGUES[this.code][key] ?? CATALOGUES.en[key] ?? key;
    if (typeof text !== "string") return text;
    return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
  }

  /** A game's name: ours where the catalogue has one, else the server's. */
  nameOf({ key, name }) {
    return this.has(`name.${key}`) ? this.text(`name.${key}`) : name;
  }

  /** Fill every element that names its text (data-text), label (data-label) or hint (data-hint). */
  apply(root) {
    document.documentElement.lang = this.code;
    for (const element of root.querySelectorAll("[data-text]")) element.textContent = this.text(element.dataset.text);
    for (const element of root.querySelectorAll("[data-hint]")) element.placeholder = this.text(element.dataset.hint);
    for (const element of root.querySelectorAll("[data-label]")) {
      element.setAttribute("aria-label", this.text(element.dataset.label));
      if (element.matches("button")) element.title = this.text(element.dataset.label);
    }
    for (const button of root.querySelectorAll("[data-language]")) {
      button.setAttribute("aria-pressed", String(button.dataset.language === this.code));
    }
  }
}
