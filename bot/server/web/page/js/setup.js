import { find, make } from "./element.js";
import { picture } from "./men.js";
import { INCREMENTS, MINUTES, PRESETS, TURN_SECONDS, minutesText, speedOf } from "./terms.js";

const STORED = "centella.setup";
const USUAL = { variant: "standard", time: "5+3", color: "random", minutes: "5", increment: "3", turn: "30" };

/** The form that starts a game. */
export class Setup {
  constructor(language, onPlay) {
    this.language = language;
    this.form = find("setup-form");
    this.problem = find("setup-problem");
    this.button = find("play-button");
    this.chosen = { ...USUAL, ...JSON.parse(localStorage.getItem(STORED) ?? "{}") };
    this.form.addEventListener("change", () => this.#change());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.complain(this.#missing());
      if (this.problem.hidden) onPlay(this.opponent, this.fields());
    });
  }

  /** `variants` as /web/variants lists them; `bots` are names, those who are there now; `usual` the house bot. */
  draw({ variants, bots, usual }) {
    this.variants = variants;
    this.bots = bots;
    this.usual = usual;
    this.redraw();
  }

  redraw() {
    if (!this.variants) return;
    if (!this.variants.some(({ key }) => key === this.chosen.variant)) this.chosen.variant = this.variants[0].key;
    find("games").replaceChildren(...this.variants.map((variant) => this.#game(variant)));
    find("colors").replaceChildren(...["white", "random", "black"].map((color) => this.#color(color)));
    this.#options("minutes", MINUTES, minutesText);
    this.#options("increment", INCREMENTS, String);
    this.#options("turn", TURN_SECONDS, String);
    this.#drawTimes();
    this.#drawOpponents();
    this.#adapt();
    this.waiting(null);
  }

  get #variant() {
    return this.variants.find(({ key }) => key === this.chosen.variant);
  }

  get opponent() {
    return find("opponent").value || this.usual;
  }

  /** The challenge as the form now has it. */
  fields() {
    const { variant, time, color } = this.chosen;
    const fen = this.#variant.takesFen ? find("fen").value.trim() : "";
    return { variant, color, rated: false, ...(fen ? { fen } : {}), ...this.#timeFields(time), ...this.#watch() };
  }

  complain(text) {
    this.problem.textContent = text ?? "";
    this.problem.hidden = !text;
  }

  /** Waiting for `name` to accept; null: not any more. */
  waiting(name) {
    this.button.disabled = name !== null;
    this.button.classList.toggle("waiting", name !== null);
    this.button.textContent = name === null ? this.language.text("setup.play") : this.language.text("setup.waiting", { name });
    find("cancel-button").hidden = name === null;
  }

  #missing() {
    if (!this.#variant.needsFen || find("fen").value.trim()) return null;
    find("fen").focus();
    return this.language.text("setup.needsFen");
  }

  #change() {
    const values = new FormData(this.form);
    for (const name of Object.keys(USUAL)) if (values.has(name)) this.chosen[name] = values.get(name);
    localStorage.setItem(STORED, JSON.stringify(this.chosen));
    this.complain(null);
    this.#adapt();
  }

  /** Show what belongs to the chosen game and time only. */
  #adapt() {
    const turn = find("times").querySelector("[value=turn]").closest("label");
    turn.hidden = !this.#variant.turnTime;
    if (turn.hidden && this.chosen.time === "turn") {
      this.chosen.time = USUAL.time;
      this.#drawTimes();
      return this.#adapt();
    }
    find("custom-time").hidden = this.chosen.time !== "custom";
    find("turn-time").hidden = this.chosen.time !== "turn";
    find("watch-option").hidden = !this.#variant.watch;
    find("fen-details").hidden = !this.#variant.takesFen;
    if (this.#variant.needsFen) find("fen-details").open = true;
    return null;
  }

  #watch() {
    return this.#variant.watch && find("watch").checked ? { watch: true } : {};
  }

  #timeFields(time) {
    if (time === "unlimited") return {};
    if (time === "turn") return { "turn.limit": Number(this.chosen.turn) };
    if (time === "custom") return { "clock.limit": Number(this.chosen.minutes) * 60, "clock.increment": Number(this.chosen.increment) };
    const [minutes, increment] = time.split("+").map(Number);
    return { "clock.limit": minutes * 60, "clock.increment": increment };
  }

  #choice(name, value, ...content) {
    const input = make("input", { type: "radio", name, value, checked: this.chosen[name] === value });
    return make("label", { class: "choice" }, input, make("span", { class: name === "variant" ? "card" : null }, ...content));
  }

  #game(variant) {
    const blurb = `blurb.${variant.key}`;
    const small = this.language.has(blurb) ? [make("small", { text: this.language.text(blurb) })] : [];
    return this.#choice("variant", variant.key, make("b", { text: this.language.nameOf(variant) }), ...small);
  }

  #drawTimes() {
    const presets = PRESETS.map(([minutes, increment]) => {
      const speed = this.language.text(`speed.${speedOf(minutes * 60, increment)}`);
      return this.#choice("time", `${minutes}+${increment}`, `${minutes}+${increment}`, make("small", { text: speed }));
    });
    const others = ["custom", "unlimited", "turn"].map((time) => this.#choice("time", time, this.language.text(`time.${time}`)));
    find("times").replaceChildren(...presets, ...others);
  }

  #color(color) {
    const king = (letter) => make("img", { src: picture(letter), alt: "" });
    const kings = { white: [king("K")], black: [king("k")], random: [make("span", { class: "both" }, king("K"), king("k"))] };
    return this.#choice("color", color, ...kings[color], this.language.text(`color.${color}`));
  }

  #options(id, values, text) {
    const chosen = this.chosen[id];
    find(id).replaceChildren(...values.map((value) => make("option", { value, text: text(value), selected: String(value) === chosen })));
  }

  #drawOpponents() {
    const chosen = find("opponent").value || this.usual;
    const names = this.bots.includes(this.usual) ? this.bots : [this.usual, ...this.bots];
    find("opponent").replaceChildren(...names.map((name) => {
      const text = this.bots.includes(name) ? name : this.language.text("setup.offline", { name });
      return make("option", { value: name, text, selected: name === chosen });
    }));
  }
}
