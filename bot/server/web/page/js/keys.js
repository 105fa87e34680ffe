import { cellOf, squareIn } from "./squares.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Playing by keyboard: arrows move a cursor over the board, Enter picks and drops, Escape lets go. */
export class BoardKeys {
  constructor(board, hand) {
    this.board = board;
    this.hand = hand;
    board.root.addEventListener("keydown", (event) => this.#press(event));
  }

  #press(event) {
    const square = event.target.closest(".cell")?.dataset.square;
    if (!square || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in STEPS) this.#step(square, ...STEPS[event.key]);
    else if (event.key === "Enter" || event.key === " ") this.hand.use(square);
    else if (event.key === "Escape") this.hand.clear();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #step(square, columns, rows) {
    const { column, row } = cellOf(square, this.board.orientation);
    const next = squareIn(column + columns, row + rows, this.board.orientation);
    if (next) this.board.moveCursor(next);
  }
}

/** Keys that work anywhere but in a field or on the board: step through the game, flip. */
export function pageKeys(actions) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, select, textarea, dialog, .chooser")) return;
    const action = actions[event.key];
    if (!action || !action()) return;
    event.preventDefault();
  });
}
