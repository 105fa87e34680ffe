/** How a destination is marked: by the kind of the move that leads there. */
function sortOf(move) {
  if (move.kind === "shift" || move.kind === "swap") return move.kind;
  return move.capture ? "capture" : "move";
}

/** What the player holds: picks a man, shows where it may go, and drops it as one of the legal moves. */
export class Hand {
  #moves = new Map(); // from -> Map(to -> [moves])

  /** `onShow()` is called whenever what is held has changed. `choose(moves)` picks one of several moves between the same squares, or null; `play(move, {still})` sends it. */
  constructor(board, { choose, play, onShow }) {
    this.board = board;
    this.choose = choose;
    this.play = play;
    this.onShow = onShow;
    this.picked = null;
  }

  /** Offer these legal moves from now on; none when it is not the player's turn. */
  offer(legal) {
    this.#moves = new Map();
    for (const move of legal) {
      for (const to of [move.to, ...(move.also ?? [])]) {
        const targets = this.#moves.get(move.from) ?? new Map();
        targets.set(to, [...(targets.get(to) ?? []), move]);
        this.#moves.set(move.from, targets);
      }
    }
    if (!this.#moves.has(this.picked)) this.picked = null;
    this.#show();
  }

  canPick(square) {
    return this.#moves.has(square);
  }

  canDrop(square) {
    return this.#moves.get(this.picked)?.has(square) ?? false;
  }

  pick(square) {
    this.picked = this.canPick(square) ? square : null;
    this.#show();
  }

  clear() {
    this.pick(null);
  }

  /** Drop the picked man on a square it may go to; `still` when it already stands there, dragged. */
  async drop(square, { still = false } = {}) {
    const moves = this.#moves.get(this.picked).get(square);
    const from = this.picked;
    this.board.men.anticipate(from, square, still);
    const move = moves.length > 1 ? await this.choose(moves, square) : moves[0];
    this.clear();
    if (move) this.play(move);
    else this.board.men.settle(from);
  }

  /** What Enter or a click on a square means. */
  use(square) {
    if (this.canDrop(square)) return this.drop(square);
    return this.pick(square === this.picked ? null : square);
  }

  #show() {
    const targets = new Map();
    for (const [to, moves] of this.#moves.get(this.picked) ?? []) targets.set(to, sortOf(moves[0]));
    this.board.showHand(this.picked, new Set(this.#moves.keys()), targets);
    this.onShow();
  }
}
