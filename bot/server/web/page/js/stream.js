import { ApiError } from "./api.js";

const SILENCE_MS = 20_000; // the server sends a blank line every 7 s
const FIRST_DELAY_MS = 400;
const LONGEST_DELAY_MS = 15_000;
const STEADY_MS = 5_000; // a connection that lived so long starts the back-off anew

/** Yield the JSON objects of an answer of one object a line; aborts when it falls silent. */
async function* messages(response, controller) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const alarm = setTimeout(() => controller.abort(), SILENCE_MS);
    const { value, done } = await reader.read().finally(() => clearTimeout(alarm));
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) if (line.trim()) yield JSON.parse(line);
  }
}

/** A stream that is opened again, with growing pauses, until it is stopped or refused.
 *
 * Events: `open`, `message` (its object in `detail`), `lost`, and `refused` (an ApiError in `detail`), which is the last.
 */
export class Stream extends EventTarget {
  #stopped = false;
  #controller = null;
  #ended = false; // the server ended the last connection in good order
  #wake = () => {};

  constructor(api, path) {
    super();
    this.api = api;
    this.path = path;
  }

  start() {
    window.addEventListener("online", this.#retry);
    this.#run();
    return this;
  }

  stop() {
    this.#stopped = true;
    window.removeEventListener("online", this.#retry);
    this.#controller?.abort();
    this.#wake();
  }

  /** Give the present connection up and open a new one. */
  reopen() {
    this.#controller?.abort();
  }

  #retry = () => this.#wake();

  async #run() {
    for (let failures = 0; !this.#stopped; failures += 1) {
      const opened = performance.now();
      const refusal = await this.#follow();
      if (this.#stopped) return;
      if (refusal) return this.#tell("refused", refusal);
      if (performance.now() - opened > STEADY_MS) failures = 0;
      if (failures > 0) this.#tell("lost");
      await this.#pause(Math.min(FIRST_DELAY_MS * 2 ** failures, LONGEST_DELAY_MS));
      if (this.#ended && document.hidden) await this.#untilSeen();
    }
  }

  /** One connection, to its end; returns the error when trying again is useless. */
  async #follow() {
    this.#controller = new AbortController();
    this.#ended = false;
    try {
      const response = await this.api.open(this.path, { signal: this.#controller.signal });
      this.#tell("open");
      for await (const message of messages(response, this.#controller)) {
        if (this.#stopped) return null;
        this.#tell("message", message);
      }
      this.#ended = true;
    } catch (error) {
      if (error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429) return error;
    }
    return null;
  }

  #pause(delayMs) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, delayMs * (0.8 + 0.4 * Math.random()));
      this.#wake = () => { clearTimeout(timer); resolve(); };
    });
  }

  /** Another tab with the same game has taken the stream over: leave it there while nobody looks here. */
  #untilSeen() {
    return new Promise((resolve) => {
      document.addEventListener("visibilitychange", resolve, { once: true });
      this.#wake = resolve;
    });
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
