import { find } from "./element.js";

/** An open challenge, which this player may take up. */
export class Invitation {
  #challenge = null;
  #color = null; // the colour that the address asks for, or null

  constructor(language, join) {
    this.language = language;
    this.button = find("join-button");
    this.problem = find("invitation-problem");
    this.button.addEventListener("click", () => join(this.#challenge.id, this.#color));
  }

  /** `challenge` as the server tells it; `taken` in it says that this player waits for another one already. */
  draw(challenge, color) {
    this.#challenge = challenge;
    this.#color = color;
    this.button.disabled = challenge.taken;
    this.problem.hidden = true;
    this.redraw();
  }

  redraw() {
    if (!this.#challenge) return;
    const { language } = this;
    const { name, variant, timeControl, rated } = this.#challenge;
    const time = timeControl.show ?? language.text("time.unlimited");
    const mode = language.text(rated ? "game.rated" : "game.casual");
    find("invitation-title").textContent = name ?? language.text("invitation.title");
    find("invitation-terms").textContent = [language.nameOf(variant), time, mode].join(" · ");
    this.button.textContent = language.text(this.button.disabled ? "invitation.waiting" : "invitation.join");
  }

  /** The player has taken it up; another one has not yet. */
  waiting() {
    this.button.disabled = true;
    this.redraw();
  }

  /** Say why it came to nothing; null when it did not. */
  complain(failure) {
    if (failure === null) return;
    this.button.disabled = false;
    this.problem.textContent = failure;
    this.problem.hidden = false;
    this.redraw();
  }
}
