import { make } from "./element.js";
import { cellOf, squareIn, squaresFor } from "./squares.js";
import { Men } from "./men.js";

const MARKS = ["last", "check", "picked", "movable", "target", "move", "capture", "shift", "swap", "blast", "over"];

/** The colour of a man by the case of its letter. */
export function colorOf(letter) {
  return letter === letter.toUpperCase() ? "white" : "black";
}

/** The 64 cells, their marks and their spoken labels. What may be moved is not known here. */
export class Board {
  #cells = new Map();
  #shown = { pieces: {}, lastMove: null, checks: [], blast: [] };
  #hand = { picked: null, movable: new Set(), targets: new Map() };

  constructor(root, language) {
    this.root = root;
    this.language = language;
    this.orientation = "white";
    this.own = "white"; // whose men the hand may hold
    root.setAttribute("role", "grid");
    this.men = new Men(this);
    this.effects = make("div", { class: "effects", "aria-hidden": "true" });
    this.#build();
  }

  turnTo(color) {
    this.orientation = color;
    this.#build();
  }

  /** Label the cells anew: the language has changed. */
  redraw() {
    this.#mark();
  }

  /** Show a position: `{pieces, lastMove, checks, blast}`. */
  show(position, { still = false } = {}) {
    this.#shown = position;
    this.men.show(position.pieces, position.lastMove, still);
    this.#mark();
  }

  /** Show what the hand holds: the picked square, the squares that may be picked, and target square -> sort of move. */
  showHand(picked, movable, targets) {
    this.#hand = { picked, movable, targets };
    this.#mark();
  }

  /** Flash an explosion: its centre and every square that it emptied. */
  explode(center, squares) {
    const put = (kind, square, offset) => {
      const { column, row } = cellOf(square, this.orientation);
      const effect = make("div", { class: kind });
      effect.style.left = `${(column - offset) * 12.5}%`;
      effect.style.top = `${(row - offset) * 12.5}%`;
      effect.addEventListener("animationend", () => effect.remove());
      this.effects.append(effect);
    };
    put("wave", center, 1);
    for (const square of squares) put("flash", square, 0);
  }

  hover(square) {
    for (const [name, cell] of this.#cells) cell.classList.toggle("over", name === square && this.#hand.targets.has(name));
  }

  squareAt(clientX, clientY) {
    const box = this.root.getBoundingClientRect();
    const column = Math.floor(((clientX - box.left) / box.width) * 8);
    const row = Math.floor(((clientY - box.top) / box.height) * 8);
    return squareIn(column, row, this.orientation);
  }

  cell(square) {
    return this.#cells.get(square);
  }

  /** The square that the keyboard is on; only its cell takes part in the tab order. */
  get cursor() {
    return [...this.#cells].find(([, cell]) => cell.tabIndex === 0)[0];
  }

  moveCursor(square) {
    this.cell(this.cursor).tabIndex = -1;
    this.cell(square).tabIndex = 0;
    this.cell(square).focus({ preventScroll: true });
  }

  #build() {
    const cursor = this.#cells.size ? this.cursor : "e2";
    const focused = this.root.contains(document.activeElement);
    this.#cells.clear();
    const names = squaresFor(this.orientation);
    const rows = [];
    for (let row = 0; row < 8; row += 1) {
      const cells = names.slice(row * 8, row * 8 + 8).map((name, column) => this.#cell(name, column, row));
      rows.push(make("div", { role: "row" }, ...cells));
    }
    this.root.replaceChildren(...rows, this.men.layer, this.effects);
    this.cell(cursor).tabIndex = 0;
    if (focused) this.moveCursor(cursor);
    this.men.place();
    this.#mark();
  }

  #cell(name, column, row) {
    const cell = make(
      "div",
      {
        class: (column + row) % 2 ? "cell dark" : "cell",
        role: "gridcell",
        tabindex: "-1",
        "data-square": name,
        "data-rank": column === 0 ? name[1] : null,
        "data-file": row === 7 ? name[0] : null,
      },
      make("i", { "data-file": row === 7 ? name[0] : null }),
      make("b"),
    );
    this.#cells.set(name, cell);
    return cell;
  }

  #mark() {
    this.root.setAttribute("aria-label", this.language.text("game.board"));
    const { lastMove, checks, blast } = this.#shown;
    const { picked, movable, targets } = this.#hand;
    for (const [name, cell] of this.#cells) {
      const marks = new Set();
      if (lastMove && (name === lastMove.from || name === lastMove.to)) marks.add("last");
      if (blast.includes(name)) marks.add("blast");
      if (checks.includes(name)) marks.add("check");
      if (name === picked) marks.add("picked");
      if (movable.has(name)) marks.add("movable");
      if (targets.has(name)) marks.add("target").add(targets.get(name));
      for (const mark of MARKS) cell.classList.toggle(mark, marks.has(mark));
      cell.setAttribute("aria-label", this.#label(name, marks));
      cell.setAttribute("aria-selected", String(name === picked));
    }
  }

  #label(name, marks) {
    const letter = this.#shown.pieces[name];
    const words = [name, letter ? this.manName(letter) : this.language.text("board.empty")];
    if (marks.has("check")) words.push(this.language.text("board.check"));
    if (marks.has("picked")) words.push(this.language.text("board.selected"));
    for (const sort of ["move", "capture", "shift", "swap"]) if (marks.has(sort)) words.push(this.language.text(`board.${sort}`));
    return words.join(", ");
  }

  manName(letter) {
    const role = this.language.text(`role.${letter.toLowerCase()}`);
    return this.language.text("man", { role, color: this.language.text(`side.${colorOf(letter)}`) });
  }
}
