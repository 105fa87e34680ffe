import { Clock } from "./clock.js";
import { make } from "./element.js";

/** A player's strip above or below the board: colour, name, whose turn it is, clock. */
export class Player {
  constructor(language) {
    this.language = language;
    this.clock = new Clock();
    this.turn = make("span", { class: "turn" });
    this.checks = make("span", { class: "checks" });
    this.automatic = make("span", { class: "automatic", hidden: true });
  }

  /** `player` is the game's white or black; `timed` says whether there is a clock to show. */
  draw(place, player, color, timed) {
    const name = player.name ?? player.id ?? "?";
    const parts = [make("span", { class: `dot ${color}`, "aria-hidden": "true" })];
    if (player.title) parts.push(make("span", { class: "title", text: player.title }));
    parts.push(make("span", { class: "name", text: name }), this.checks, this.automatic, this.turn);
    if (timed) parts.push(this.clock.element);
    this.clock.element.setAttribute("aria-label", this.language.text("game.clock", { name }));
    place.dataset.color = color;
    place.replaceChildren(...parts);
  }

  /** How many checks this side has given, in games that count them. */
  setChecks(count) {
    this.checks.textContent = count ? `+${count}` : "";
    this.checks.title = count ? this.language.text("game.checks", { count }) : "";
  }

  /** Whether the system moves for this side until it acts. */
  setAutomatic(automatic) {
    this.automatic.hidden = !automatic;
    this.automatic.textContent = automatic ? this.language.text("game.automatic") : "";
  }

  /** `state` is `mine`, `theirs`, or null when this side is not to move. */
  setTurn(state) {
    const key = { mine: "game.yourTurn", theirs: "game.thinking" }[state];
    this.turn.textContent = key ? this.language.text(key) : "";
    this.turn.classList.toggle("wait", state === "theirs");
  }
}
