import { Api, ApiError } from "./api.js";
import { Challenge, ChallengeFailed } from "./challenge.js";
import { find, make } from "./element.js";
import { Game } from "./game.js";
import { Invitation } from "./invitation.js";
import { pageKeys } from "./keys.js";
import { Language } from "./language.js";
import { Notation } from "./notation.js";
import { Rulebook } from "./rulebook.js";
import { Setup } from "./setup.js";
import { timeFields } from "./terms.js";

const GAME_PATH = /^\/([A-Za-z0-9]{8})$/;
const RETRY_MS = 2_000;

/** The page: its address says what it shows, `/` the form and `/GAMEID` a game. */
class Page {
  me = null;
  game = null;
  challenge = null;
  variants = [];

  constructor() {
    this.api = new Api();
    this.language = new Language();
    this.notation = new Notation(this.language);
    this.setup = new Setup(this.language, (opponent, fields) => this.#play(opponent, fields));
    this.invitation = new Invitation(this.language, (id, color) => this.#join(id, color));
    this.rulebook = new Rulebook(this.language);
    this.language.apply(document.documentElement);
    this.language.addEventListener("change", () => this.#redraw());
    this.#listen();
  }

  async start() {
    try {
      this.me = await this.api.guest();
      const { variants, bot } = await this.api.get("/web/variants");
      this.variants = variants;
      this.usual = bot;
      this.notice(null);
      await this.#route();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.notice("page.unreachable");
      setTimeout(() => this.start(), RETRY_MS);
    }
  }

  /** A calm line at the top of the page, by its key; null takes it away. */
  notice(key) {
    this.noticed = key;
    find("notice").hidden = key === null;
    find("notice").textContent = key === null ? "" : this.language.text(key);
  }

  announce(text) {
    find("announcer").append(make("span", { text: `${text} ` }));
    while (find("announcer").childElementCount > 5) find("announcer").firstElementChild.remove();
  }

  /** What is wrong with the last move or command. */
  problem(text) {
    find("move-problem").textContent = text ?? "";
    find("move-problem").hidden = !text;
  }

  leave() {
    this.#go("/");
  }

  /** Ask the opponent of a finished game for another, as `color`. */
  async rematch(full, color, result) {
    const opponent = full[color].name; // who had that colour
    const fen = full.initialFen === "startpos" ? {} : { fen: full.initialFen };
    const watch = full.watch ? { watch: true } : {};
    const fields = { variant: full.variant.key, color, rated: false, ...fen, ...timeFields(full), ...watch };
    result.waiting(this.language.text("setup.waiting", { name: opponent }));
    const failure = await this.#challenge(opponent, (challenge) => challenge.send(opponent, fields, full.id));
    if (failure) result.waiting("", failure);
  }

  async #play(opponent, fields) {
    this.setup.waiting(opponent);
    const failure = await this.#challenge(opponent, (challenge) => challenge.send(opponent, fields));
    this.setup.waiting(null);
    this.setup.complain(failure);
  }

  /** Take up the open challenge that this page shows. */
  async #join(id, color) {
    this.invitation.waiting();
    this.invitation.complain(await this.#challenge("", (challenge) => challenge.take(id, color)));
  }

  /** Send a challenge, or take one up, and go to its game; else what to tell the player, "" when the player cancelled. */
  async #challenge(name, send) {
    this.challenge = new Challenge(this.api);
    try {
      this.#go(`/${await send(this.challenge)}`);
      return null;
    } catch (error) {
      if (error instanceof ApiError) return error.message || this.language.text("page.unreachable");
      if (!(error instanceof ChallengeFailed)) throw error;
      if (error.kind === "cancelled") return "";
      return this.language.text(`setup.${error.kind}`, { name, reason: error.reason });
    } finally {
      this.challenge = null;
    }
  }

  #go(path) {
    history.pushState(null, "", path);
    window.scrollTo(0, 0);
    this.#route();
  }

  async #route() {
    this.game?.close();
    this.game = null;
    this.problem(null);
    const id = GAME_PATH.exec(location.pathname)?.[1];
    const { challenge } = id ? await this.api.get(`/web/invitation/${id}`) : {};
    find("game").hidden = !id || Boolean(challenge);
    find("invitation").hidden = !challenge;
    find("setup").hidden = Boolean(id);
    if (challenge) {
      this.invitation.draw(challenge, new URLSearchParams(location.search).get("color"));
      if (challenge.taken) this.#challenge("", (waiting) => waiting.wait(id));
    } else if (id) {
      this.game = new Game(this.api, id, this);
      this.game.open();
    } else await this.#showSetup();
  }

  async #showSetup() {
    const [bots, playing] = await Promise.all([this.api.list("/api/bot/online"), this.api.playing()]);
    this.setup.draw({ variants: this.variants, bots: bots.map(({ username }) => username), usual: this.usual });
    this.ongoing = playing.nowPlaying;
    this.#drawOngoing();
  }

  #drawOngoing() {
    const games = this.ongoing ?? [];
    find("ongoing").hidden = games.length === 0;
    find("ongoing").replaceChildren(make("p", { text: this.language.text("setup.running") }), ...games.map((game) => {
      const text = this.language.text("setup.resume", { game: this.language.nameOf(game.variant), name: game.opponent.username });
      return make("a", { href: `/${game.gameId}`, text });
    }));
  }

  #redraw() {
    this.setup.redraw();
    this.invitation.redraw();
    this.#drawOngoing();
    this.rulebook.draw(this.variants);
    this.game?.redraw();
    this.#drawFigurines();
    if (this.noticed) this.notice(this.noticed);
  }

  #drawFigurines() {
    find("figurines-button").setAttribute("aria-pressed", String(this.notation.figurines));
  }

  #listen() {
    window.addEventListener("popstate", () => this.#route());
    window.addEventListener("blur", () => this.game?.lookAway());
    document.addEventListener("visibilitychange", () => document.hidden && this.game?.lookAway());
    window.addEventListener("pagehide", () => this.game?.leave());
    document.addEventListener("click", (event) => {
      const link = event.target.closest("a[href^='/']");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.#go(link.getAttribute("href"));
    });
    for (const button of document.querySelectorAll("[data-language]")) {
      button.addEventListener("click", () => this.language.change(button.dataset.language));
    }
    find("chat-card").open = matchMedia("(min-width: 860px)").matches;
    find("rules-button").addEventListener("click", () => this.rulebook.open(this.variants, this.game?.variant ?? this.setup.fields().variant));
    find("cancel-button").addEventListener("click", () => this.challenge?.cancel());
    this.#listenInGame();
    this.#drawFigurines();
  }

  #listenInGame() {
    const step = { first: -Infinity, back: -1, on: 1, last: Infinity };
    for (const [name, plies] of Object.entries(step)) find(`step-${name}`).addEventListener("click", () => this.game?.step(plies));
    find("flip-button").addEventListener("click", () => this.game?.flip());
    find("figurines-button").addEventListener("click", () => {
      this.notation.toggleFigurines();
      this.#drawFigurines();
      this.game?.redraw();
    });
    find("move-box").addEventListener("submit", (event) => {
      event.preventDefault();
      const field = find("move-text");
      if (!this.game || !field.value.trim()) return;
      const problem = this.game.type(field.value);
      this.problem(problem);
      if (!problem) field.value = "";
    });
    const key = (plies) => () => this.game && (this.game.step(plies), true);
    const flip = () => this.game && (this.game.flip(), true);
    pageKeys({ ArrowLeft: key(-1), ArrowRight: key(1), Home: key(-Infinity), End: key(Infinity), f: flip });
  }
}

new Page().start();
