import { make } from "./element.js";
import { cellOf } from "./squares.js";

/** The address of a man's picture, by its FEN letter. */
export function picture(letter) {
  const color = letter === letter.toUpperCase() ? "w" : "b";
  return `/web/pieces/${color}${letter.toUpperCase()}.svg`;
}

/** The pictures of the men, which glide from where they stood to where they stand. */
export class Men {
  #men = new Map(); // square -> {letter, image}
  ghost = null; // the picture of a man on its way from the pocket

  constructor(board) {
    this.board = board;
    this.layer = make("div", { class: "men", "aria-hidden": "true" });
  }

  show(pieces, lastMove, still) {
    this.#dropGhost();
    const kept = new Map();
    const left = new Map();
    for (const [square, man] of this.#men) (pieces[square] === man.letter ? kept : left).set(square, man);
    const missing = Object.keys(pieces).filter((square) => !kept.has(square));
    for (const square of missing) {
      const from = this.#source(square, pieces[square], left, lastMove);
      const man = from ? left.get(from) : { letter: "", image: this.#image() };
      if (from) left.delete(from);
      this.#dress(man, pieces[square]);
      kept.set(square, man);
      this.#put(man.image, square, still || !from);
    }
    for (const man of left.values()) this.#remove(man.image, still);
    this.#men = kept;
  }

  at(square) {
    return this.#men.get(square)?.image ?? null;
  }

  /** Put every man on its square, without gliding: the board was turned, or a held man let go. */
  place() {
    for (const [square, man] of this.#men) this.#put(man.image, square, true);
  }

  /** The picture of what is held: a man of the board, or one out of the pocket (`@n`), made for the purpose. */
  #held(from) {
    if (!from.startsWith("@")) return this.at(from);
    if (!this.ghost) {
      this.ghost = { letter: "", image: this.#image() };
      this.#dress(this.ghost, this.board.own === "white" ? from[1].toUpperCase() : from[1]);
    }
    return this.ghost.image;
  }

  /** Let a man glide (back) to a square. */
  settle(square, still = false) {
    this.#dropGhost();
    const image = this.at(square);
    if (image) this.#put(image, square, still);
  }

  /** Show a man of `from` on `to` until the server's position comes. */
  anticipate(from, to, still) {
    const image = this.#held(from);
    if (image) this.#put(image, to, still);
  }

  /** Hold a man under the pointer. */
  hold(square, clientX, clientY) {
    const image = this.#held(square);
    if (!image) return;
    const box = this.layer.getBoundingClientRect();
    const size = box.width / 8;
    image.classList.add("held");
    image.style.transform = `translate(${clientX - box.left - size / 2}px, ${clientY - box.top - size / 2}px) scale(1.12)`;
  }

  #dropGhost() {
    this.ghost?.image.remove();
    this.ghost = null;
  }

  /** Where the man now on `square` came from: the last move tells first, else the nearest man that looks the same. */
  #source(square, letter, left, lastMove) {
    if (lastMove?.to === square && left.has(lastMove.from)) return lastMove.from;
    const distance = (other) => {
      const here = cellOf(square, "white");
      const there = cellOf(other, "white");
      return Math.max(Math.abs(here.column - there.column), Math.abs(here.row - there.row));
    };
    const alike = [...left].filter(([, man]) => man.letter === letter).map(([other]) => other);
    return alike.sort((a, b) => distance(a) - distance(b))[0] ?? null;
  }

  #image() {
    const image = make("img", { class: "man", alt: "", draggable: "false" });
    this.layer.append(image);
    return image;
  }

  #dress(man, letter) {
    if (man.letter === letter) return;
    man.letter = letter;
    man.image.src = picture(letter);
  }

  #put(image, square, still) {
    const { column, row } = cellOf(square, this.board.orientation);
    image.classList.remove("held");
    image.classList.toggle("placed", still);
    image.style.transform = `translate(${column * 100}%, ${row * 100}%)`;
  }

  #remove(image, still) {
    if (still || matchMedia("(prefers-reduced-motion: reduce)").matches) return image.remove();
    image.classList.remove("placed");
    image.classList.add("leaving");
    image.addEventListener("transitionend", () => image.remove(), { once: true });
    return setTimeout(() => image.remove(), 400);
  }
}
