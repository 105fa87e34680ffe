const DRAG_PX = 5;

/** Clicking and dragging, by mouse, pen or touch. */
export class Pointer {
  #press = null; // {id, square, x, y, target: it was a destination, again: it was picked already, dragging}

  constructor(board, hand) {
    this.board = board;
    this.hand = hand;
    const { root } = board;
    root.addEventListener("pointerdown", (event) => this.#down(event));
    root.addEventListener("pointermove", (event) => this.#move(event));
    root.addEventListener("pointerup", (event) => this.#up(event));
    root.addEventListener("pointercancel", () => this.#cancel());
    root.addEventListener("contextmenu", (event) => {
      if (this.#press) event.preventDefault(); // a long touch is a slow drag
    });
  }

  /** A man of the pocket is pressed: `from` is `@` and its letter. */
  press(event, from) {
    this.#down(event, from);
  }

  #down(event, square = this.board.squareAt(event.clientX, event.clientY)) {
    if (event.button !== 0 || !event.isPrimary || event.target.closest(".chooser") || !square) return;
    event.preventDefault();
    const target = this.hand.canDrop(square);
    const again = this.hand.picked === square;
    if (!target) this.hand.pick(square);
    this.#press = { id: event.pointerId, square, x: event.clientX, y: event.clientY, target, again, dragging: false };
    this.board.root.setPointerCapture(event.pointerId);
  }

  #move(event) {
    const press = this.#press;
    if (!press || press.id !== event.pointerId) return;
    if (!press.dragging && Math.hypot(event.clientX - press.x, event.clientY - press.y) > DRAG_PX) this.#startDrag();
    if (!this.#press?.dragging) return;
    this.board.men.hold(press.square, event.clientX, event.clientY);
    this.board.hover(this.board.squareAt(event.clientX, event.clientY));
  }

  /** A man that a swap could move away may also be dragged itself: then it is the one picked. */
  #startDrag() {
    const { square } = this.#press;
    if (!this.hand.canPick(square)) {
      this.#press = null;
      return;
    }
    this.hand.pick(square);
    this.#press.dragging = true;
    this.board.root.classList.add("dragging");
  }

  #up(event) {
    const press = this.#press;
    if (!press || press.id !== event.pointerId) return;
    this.#finish();
    const square = this.board.squareAt(event.clientX, event.clientY);
    if (press.dragging) this.#drop(press.square, square);
    else if (press.target) this.hand.drop(press.square);
    else if (press.again) this.hand.clear();
  }

  #drop(from, to) {
    if (to && this.hand.canDrop(to)) {
      this.hand.drop(to, { still: true });
      return;
    }
    this.board.men.settle(from);
    if (to !== from) this.hand.clear();
  }

  #cancel() {
    const press = this.#press;
    this.#finish();
    if (press?.dragging) this.board.men.settle(press.square);
  }

  #finish() {
    this.#press = null;
    this.board.root.classList.remove("dragging");
    this.board.hover(null);
  }
}
