import { find, make } from "./element.js";

/** The banner that says how the game ended. */
export class Result {
  constructor(language, { rematch, leave }) {
    this.language = language;
    this.rematch = rematch;
    this.leave = leave;
    this.banner = find("result");
    this.banner.hidden = true;
  }

  /** `state` is the last of the game; `me` the player's colour, null for a watcher. Returns the words shown. */
  draw(state, me) {
    const title = this.language.text(`result.${this.#kind(state, me)}`);
    const reason = this.language.text(`reason.${state.reason}`);
    const mood = { won: "won", lost: "lost" }[this.#kind(state, me)] ?? "even";
    this.banner.className = `banner ${mood}`;
    this.problem = make("p", { class: "problem", role: "alert", hidden: true });
    this.banner.replaceChildren(make("h2", { text: title }), make("p", { text: reason }),
      make("div", { class: "row" }, ...this.#buttons(me)), this.problem);
    this.banner.hidden = false;
    return `${title}. ${reason}`;
  }

  /** Say that a rematch is awaited, or (with a text) that it came to nothing. */
  waiting(text, failed = "") {
    const button = this.banner.querySelector("[data-action=rematch]");
    button.disabled = !failed;
    button.textContent = failed ? this.language.text("game.rematch") : text;
    this.problem.textContent = failed;
    this.problem.hidden = !failed;
  }

  #kind(state, me) {
    if (state.status === "aborted" || state.reason === "annulled") return "none";
    if (!state.winner) return "draw";
    if (me === null) return state.winner;
    return state.winner === me ? "won" : "lost";
  }

  #buttons(me) {
    const fresh = make("button", { type: "button", "data-action": "new", text: this.language.text("game.new"), on: { click: this.leave } });
    if (me === null) return [fresh];
    const text = this.language.text("game.rematch");
    return [make("button", { type: "button", class: "primary", "data-action": "rematch", text, on: { click: this.rematch } }), fresh];
  }
}
