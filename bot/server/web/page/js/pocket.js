import { make } from "./element.js";
import { picture } from "./men.js";

const ROLES = ["p", "n", "b", "r", "q"];

/** The men that a side has in hand, to be dropped on the board by click, drag or key. */
export class Pocket {
  constructor(place, { board, hand, pointer }) {
    this.place = place;
    this.board = board;
    this.hand = hand;
    this.pointer = pointer;
  }

  /** `counts` of men by role, null where the game has no pockets. */
  draw(counts, color) {
    this.place.hidden = counts === null;
    const own = color === this.board.own;
    this.place.replaceChildren(...(counts ? ROLES.map((role) => this.#man(role, color, counts[role] ?? 0, own)) : []));
  }

  #man(role, color, count, own) {
    const from = `@${role}`;
    const letter = color === "white" ? role.toUpperCase() : role;
    const attributes = {
      type: "button",
      class: count ? null : "none",
      "data-from": from,
      "aria-label": `${this.board.manName(letter)}: ${count}`,
      "aria-pressed": String(own && this.hand.picked === from),
      disabled: !own || !this.hand.canPick(from),
    };
    const image = make("img", { src: picture(letter), alt: "", draggable: "false" });
    const button = make("button", attributes, image, make("b", { text: count || "" }));
    button.addEventListener("pointerdown", (event) => this.pointer.press(event, from));
    button.addEventListener("click", (event) => {
      if (event.detail === 0) this.#useByKey(from);
    });
    return button;
  }

  #useByKey(from) {
    this.hand.use(from);
    this.board.moveCursor(this.board.cursor);
  }
}
