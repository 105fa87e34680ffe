import { find, make } from "./element.js";

/** The dialog with a short account of each game's rules. */
export class Rulebook {
  constructor(language) {
    this.language = language;
    this.dialog = find("rules");
    find("rules-close").addEventListener("click", () => this.dialog.close());
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
  }

  /** Open it, at the game of that key. */
  open(variants, key) {
    this.draw(variants);
    this.dialog.showModal();
    find("rules-text").querySelector(`[data-game="${key}"]`)?.scrollIntoView({ block: "start" });
  }

  draw(variants) {
    const told = variants.filter(({ key }) => this.language.has(`rules.${key}`));
    find("rules-text").replaceChildren(...told.flatMap((variant) => [
      make("h3", { "data-game": variant.key, text: this.language.nameOf(variant) }),
      make("ul", {}, ...this.language.text(`rules.${variant.key}`).map((text) => make("li", { text }))),
    ]));
  }
}
