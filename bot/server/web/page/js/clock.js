import { make } from "./element.js";

const TENTHS_BELOW_MS = 20_000;
const LOW_MS = 20_000;

/** `9:05`, `1:02:03`, and with tenths when little is left: `0:09.4`. */
export function clockText(ms) {
  const left = Math.max(0, ms);
  const tenths = Math.floor(left / 100);
  const seconds = Math.floor(tenths / 10);
  const two = (number) => String(number).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 60) return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
  const text = `${minutes}:${two(seconds % 60)}`;
  return left < TENTHS_BELOW_MS ? `${text}.${tenths % 10}` : text;
}

/** One player's clock, running down between the server's words. */
export class Clock {
  #leftMs = 0;
  #since = null; // performance.now() when it began to run, null while it stands
  #frame = 0;

  constructor() {
    this.element = make("div", { class: "clock", role: "timer" });
  }

  /** `atMs`: when, on performance.now()'s scale, `leftMs` was true. */
  set(leftMs, running, atMs) {
    this.#leftMs = leftMs;
    this.#since = running ? atMs : null;
    this.element.classList.toggle("running", running);
    cancelAnimationFrame(this.#frame);
    this.#draw();
  }

  stop() {
    cancelAnimationFrame(this.#frame);
  }

  #draw = () => {
    const now = this.#since === null ? this.#leftMs : this.#leftMs - (performance.now() - this.#since);
    const text = clockText(now);
    if (text !== this.element.textContent) this.element.textContent = text;
    this.element.classList.toggle("low", now < LOW_MS);
    if (this.#since !== null && now > 0) this.#frame = requestAnimationFrame(this.#draw);
  };
}
