import { ApiError } from "./api.js";
import { Stream } from "./stream.js";

const PATIENCE_MS = 25_000; // the server lets a challenge lapse after 20 s, silently
const OPEN_PATIENCE_MS = 24 * 3_600_000; // an open one is there for a day

/** A challenge came to nothing; `kind` is `declined`, `noAnswer` or `cancelled`. */
export class ChallengeFailed extends Error {
  constructor(kind, reason = "") {
    super(reason || kind);
    this.kind = kind;
    this.reason = reason;
  }
}

/** One challenge, from sending it to the game's start. */
export class Challenge {
  #id = null;
  #settle = null;
  #outcomes = new Map(); // challenge id -> Error, or null for a started game: news may come before our id is known

  constructor(api) {
    this.api = api;
  }

  /** Challenge `opponent`, to a rematch if that can still be had; the started game's id. Raises: ApiError, ChallengeFailed. */
  send(opponent, fields, finished = null) {
    return this.#settled(PATIENCE_MS, () => this.#create(opponent, fields, finished));
  }

  /** Take up an open challenge as `color` (null for either); its id once another one has done so too. Raises: as `send`. */
  take(id, color) {
    const path = `/api/challenge/${id}/accept${color ? `?color=${color}` : ""}`;
    return this.#settled(OPEN_PATIENCE_MS, async () => (await this.api.post(path), { id }));
  }

  /** Wait for another player to take up the open challenge that this one has taken up. Raises: as `send`. */
  wait(id) {
    return this.#settled(OPEN_PATIENCE_MS, async () => ({ id }));
  }

  async #settled(patienceMs, create) {
    const events = new Stream(this.api, "/api/stream/event");
    const timer = setTimeout(() => this.#settle?.(new ChallengeFailed("noAnswer")), patienceMs);
    try {
      await new Promise((resolve, reject) => {
        events.addEventListener("open", resolve, { once: true });
        events.addEventListener("refused", ({ detail }) => reject(detail), { once: true });
        events.addEventListener("lost", () => reject(new ApiError(0, "")), { once: true });
        events.addEventListener("message", ({ detail }) => this.#hear(detail));
        events.start();
      });
      const answered = new Promise((resolve, reject) => {
        this.#settle = (error) => (error ? reject(error) : resolve());
      });
      const created = await create();
      this.#id = created.id ?? created.challenge?.id;
      if (this.#outcomes.has(this.#id)) this.#settle(this.#outcomes.get(this.#id));
      await answered;
      return this.#id;
    } finally {
      clearTimeout(timer);
      events.stop();
    }
  }

  /** A rematch can be offered for some seconds after the end; later it is a challenge like any other. */
  async #create(opponent, fields, finished) {
    try {
      if (finished) return await this.api.post(`/web/game/${finished}/rematch`);
    } catch (error) {
      if (error.status !== 400) throw error;
    }
    return this.api.post(`/api/challenge/${encodeURIComponent(opponent)}`, fields);
  }

  async cancel() {
    if (this.#id) await this.api.post(`/api/challenge/${this.#id}/cancel`).catch(() => {});
    this.#settle?.(new ChallengeFailed("cancelled"));
  }

  #hear(message) {
    const id = message.game?.gameId ?? message.challenge?.id;
    const outcome = {
      gameStart: null,
      challengeDeclined: new ChallengeFailed("declined", message.challenge?.declineReason ?? ""),
      challengeCanceled: new ChallengeFailed("cancelled"),
    }[message.type];
    if (outcome === undefined) return;
    this.#outcomes.set(id, outcome);
    if (id === this.#id) this.#settle(outcome);
  }
}
