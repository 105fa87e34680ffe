import { make } from "./element.js";
import { picture } from "./men.js";
import { cellOf } from "./squares.js";

/** Asks which piece a pawn becomes, over the square where it promotes. */
export class Chooser {
  constructor(board, language) {
    this.board = board;
    this.language = language;
  }

  /** One of `moves` (same squares, different promotions), or null when the player thinks better of it. */
  choose(moves, square, color) {
    return new Promise((resolve) => {
      const focused = document.activeElement;
      const close = (move) => {
        layer.remove();
        focused?.focus?.({ preventScroll: true });
        resolve(move);
      };
      const buttons = moves.map((move, index) => this.#button(move, index, square, color, close));
      const label = this.language.text("board.promote");
      const layer = make("div", { class: "chooser", role: "dialog", "aria-modal": "true", "aria-label": label }, ...buttons);
      layer.addEventListener("click", (event) => event.target === layer && close(null));
      layer.addEventListener("keydown", (event) => this.#key(event, buttons, close));
      this.board.root.append(layer);
      buttons[0].focus({ preventScroll: true });
    });
  }

  #button(move, index, square, color, close) {
    const letter = color === "white" ? move.promotion.toUpperCase() : move.promotion;
    const { column, row } = cellOf(square, this.board.orientation);
    const name = this.language.text(`role.${move.promotion}`);
    const image = make("img", { src: picture(letter), alt: "", draggable: "false" });
    const button = make("button", { type: "button", "aria-label": name, title: name }, image);
    button.dataset.promotion = move.promotion;
    button.style.left = `${column * 12.5}%`;
    button.style.top = `${(row < 4 ? index : 7 - index) * 12.5}%`;
    button.addEventListener("click", () => close(move));
    return button;
  }

  #key(event, buttons, close) {
    const index = buttons.indexOf(document.activeElement);
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, Tab: event.shiftKey ? -1 : 1 }[event.key];
    if (event.key === "Escape") close(null);
    else if (step) buttons.at((index + step) % buttons.length).focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
