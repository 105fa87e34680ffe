import { find, make } from "./element.js";

/** The buttons under the move list: abort, takeback, draw, resign; and the questions an opponent asks. */
export class Actions {
  #sure = false;
  #drawn = [];

  /** `send(command)` posts a command of the game and reports failures itself. */
  constructor(language, send) {
    this.language = language;
    this.send = send;
    this.row = find("actions");
    this.ask = find("ask");
  }

  /** `state` of the game stream, `me` the player's colour (null for a watcher), `opponent` a name. */
  draw(state, me, opponent, plies) {
    this.#drawn = [state, me, opponent, plies];
    const playing = me !== null && state.status === "started";
    this.row.hidden = !playing;
    this.ask.hidden = !playing;
    if (!playing) return;
    const [mine, theirs] = me === "white" ? ["w", "b"] : ["b", "w"];
    this.row.replaceChildren(...(this.#sure ? this.#resignSure() : this.#buttons(state, mine, plies)));
    this.#question(state, theirs, opponent);
  }

  /** The opponent left: a draw of `opponentGone`. */
  gone({ gone, claimWinInSeconds }, name) {
    this.ask.hidden = !gone;
    if (!gone) return;
    const now = !(claimWinInSeconds > 0);
    const text = this.language.text(now ? "game.goneNow" : "game.gone", { name, seconds: claimWinInSeconds });
    this.#show(text, now ? [["game.claim", "claim-victory", "primary"]] : []);
  }

  #buttons(state, mine, plies) {
    const leave = plies < 2
      ? this.#button("game.abort", () => this.send("abort"))
      : this.#button("game.resign", () => this.#askResign(true));
    const takeback = state[`${mine}takeback`]
      ? this.#button("game.takebackOffered", () => this.send("takeback/no"), true)
      : this.#button("game.takeback", () => this.send("takeback/yes"));
    const draw = state[`${mine}draw`]
      ? this.#button("game.drawOffered", () => this.send("draw/no"), true)
      : this.#button("game.draw", () => this.send("draw/yes"));
    takeback.disabled = plies < 1;
    draw.disabled = plies < 2;
    return [takeback, draw, leave];
  }

  #resignSure() {
    const yes = this.#button("game.resign", () => {
      this.#sure = false;
      this.send("resign");
    });
    yes.className = "danger";
    return [make("span", { class: "sure", text: this.language.text("game.resignSure") }), yes,
      this.#button("game.no", () => this.#askResign(false))];
  }

  #askResign(sure) {
    this.#sure = sure;
    this.draw(...this.#drawn);
    this.row.querySelector(sure ? "button.danger" : "button:last-child")?.focus();
  }

  #question(state, theirs, name) {
    if (state[`${theirs}draw`]) {
      this.#show(this.language.text("game.drawAsked", { name }),
        [["game.accept", "draw/yes", "primary"], ["game.decline", "draw/no", ""]]);
    } else if (state[`${theirs}takeback`]) {
      this.#show(this.language.text("game.takebackAsked", { name }),
        [["game.accept", "takeback/yes", "primary"], ["game.decline", "takeback/no", ""]]);
    } else if (state[`${theirs}lookedAway`]) {
      this.#show(this.language.text("game.lookedAway", { name }), [["game.annul", "annul", ""]]);
    } else this.ask.hidden = true;
  }

  #show(text, answers) {
    const buttons = answers.map(([key, command, kind]) => {
      const button = this.#button(key, () => {
        this.ask.hidden = true; // a refusal is not always told in the stream
        this.send(command);
      });
      button.className = kind;
      return button;
    });
    this.ask.replaceChildren(make("p", { text }), make("div", { class: "row" }, ...buttons));
  }

  #button(key, click, pressed = false) {
    return make("button", { type: "button", "aria-pressed": pressed ? "true" : null, "data-action": key, text: this.language.text(key), on: { click } });
  }
}
