/** The server's answer to a refused request; `status` 0 means that it could not be reached at all. */
export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** Lichess writes errors as a text, or as lists of texts by field. */
function errorText(body, fallback) {
  const error = body?.error ?? body;
  if (typeof error === "string") return error;
  if (error && typeof error === "object") return Object.values(error).flat(3).filter((part) => typeof part === "string").join(" ");
  return fallback;
}

/** The server's HTTP interface, used as the guest whose cookie the browser holds. */
export class Api {
  lagMs = 0; // how long the server's latest answer was under way

  constructor(fetcher = (...request) => fetch(...request)) {
    this.fetcher = fetcher;
  }

  async get(path) {
    return (await this.open(path)).json();
  }

  async post(path, fields) {
    const response = await this.open(path, {
      method: "POST",
      headers: fields ? { "Content-Type": "application/json" } : {},
      body: fields ? JSON.stringify(fields) : undefined,
    });
    return response.json();
  }

  /** Answers of one JSON object a line, all read at once. */
  async list(path) {
    const text = await (await this.open(path)).text();
    return text.split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line));
  }

  async open(path, options = {}) {
    let response;
    const asked = performance.now();
    try {
      response = await this.fetcher(path, { cache: "no-store", ...options });
    } catch (error) {
      if (options.signal?.aborted) throw error;
      throw new ApiError(0, String(error.message ?? error));
    }
    this.lagMs = Math.round(performance.now() - asked);
    if (response.ok) return response;
    const body = await response.json().catch(() => null);
    throw new ApiError(response.status, errorText(body, response.statusText || String(response.status)));
  }

  /** The guest of this browser: the one of its cookie, or a new one. */
  guest() {
    return this.post("/web/guest");
  }

  playing() {
    return this.get("/api/account/playing?nb=10");
  }

  /** The position after `ply` half-moves, with the moves from number `known` on. */
  position(gameId, ply, known) {
    return this.get(`/web/game/${gameId}/position?ply=${ply}&known=${known}`);
  }

  /** A game as its stream begins, for those who have no part in it. */
  game(gameId) {
    return this.get(`/web/game/${gameId}`);
  }

  /** Tell that the player leaves the game on purpose; it is sent even if the page is going away. */
  leave(gameId) {
    navigator.sendBeacon(`/web/game/${gameId}/leave`);
  }

  /** Tell that the player looks away from a watched game. */
  lookAway(gameId) {
    navigator.sendBeacon(`/web/game/${gameId}/look-away`);
  }

  move(gameId, uci) {
    return this.command(gameId, `move/${uci}?lag=${this.lagMs}`);
  }

  command(gameId, command, fields) {
    return this.post(`/api/board/game/${gameId}/${command}`, fields);
  }
}
