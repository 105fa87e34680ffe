import { make } from "./element.js";

/** The game's moves in numbered pairs; each is a button that shows the position after it. */
export class MoveList {
  constructor(root, notation, onStep) {
    this.root = root;
    this.notation = notation;
    this.onStep = onStep;
  }

  /** `moves` of {written}; `start` {turn, fullmove} of the first position; `ply` is the one shown. */
  draw(moves, start, ply) {
    const rows = [];
    const offset = start.turn === "black" ? 1 : 0;
    if (offset && moves.length) rows.push(this.#number(start.fullmove), make("span", { class: "gap", text: "…" }));
    moves.forEach((move, index) => {
      if ((index + offset) % 2 === 0) rows.push(this.#number(start.fullmove + (index + offset) / 2));
      rows.push(this.#button(move, index + 1, ply));
    });
    this.root.replaceChildren(...rows);
    this.#reveal();
  }

  #number(number) {
    return make("span", { class: "number", text: `${number}.` });
  }

  #button(move, ply, current) {
    const attributes = { type: "button", "data-ply": ply, "aria-label": this.notation.speak(move.written), tabindex: "-1" };
    if (ply === current) attributes["aria-current"] = "true";
    return make("button", { ...attributes, text: this.notation.show(move.written), on: { click: () => this.onStep(ply) } });
  }

  /** Scroll inside the list only: the page must not jump while the player looks at the board. */
  #reveal() {
    const current = this.root.querySelector("[aria-current]");
    if (!current) {
      this.root.scrollTop = 0;
      return;
    }
    const top = current.offsetTop - this.root.offsetTop;
    if (top < this.root.scrollTop) this.root.scrollTop = top;
    const bottom = top + current.offsetHeight;
    if (bottom > this.root.scrollTop + this.root.clientHeight) this.root.scrollTop = bottom - this.root.clientHeight;
  }
}
