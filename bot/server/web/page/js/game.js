import { Actions } from "./actions.js";
import { ApiError } from "./api.js";
import { Board } from "./board.js";
import { Chat } from "./chat.js";
import { Chooser } from "./chooser.js";
import { find } from "./element.js";
import { Hand } from "./hand.js";
import { BoardKeys } from "./keys.js";
import { MoveList } from "./movelist.js";
import { Player } from "./player.js";
import { Pocket } from "./pocket.js";
import { Pointer } from "./pointer.js";
import { Record } from "./record.js";
import { Result } from "./result.js";
import { Stream } from "./stream.js";
import { termsText } from "./terms.js";

const WATCH_MS = 2_000;
const CATCH_UP_PLIES = 4; // when more moves than these arrive at once, only the last is shown
const other = (color) => (color === "white" ? "black" : "white");

/** One game on the screen. `page` offers `language, notation, announce, notice, me, rematch(game, color, result), leave`. */
export class Game {
  #full = null; // the stream's gameFull
  #state = null; // the latest gameState
  #arrived = 0;
  #syncing = null;
  #start = { turn: "white", fullmove: 1 };
  #live = null; // the position at the end of the record
  #looked = null; // the position on the board
  #ply = 0;
  #busy = false; // a move of ours is on its way
  #shown = null; // the state that board and record were brought to
  #ending = null; // the last state, with the reason of the end
  #watching = 0;

  constructor(api, id, page) {
    this.api = api;
    this.id = id;
    this.page = page;
    this.view = find("game");
    this.record = new Record(api, id);
    this.board = new Board(find("board"), page.language);
    const chooser = new Chooser(this.board, page.language);
    this.hand = new Hand(this.board, {
      choose: (moves, square) => chooser.choose(moves, square, this.color),
      play: (move) => this.#play(move),
      onShow: () => this.#drawPockets(),
    });
    const parts = { board: this.board, hand: this.hand, pointer: new Pointer(this.board, this.hand) };
    this.pockets = { top: new Pocket(find("pocket-top"), parts), bottom: new Pocket(find("pocket-bottom"), parts) };
    new BoardKeys(this.board, this.hand);
    this.list = new MoveList(find("moves"), page.notation, (ply) => this.show(ply));
    this.players = { white: new Player(page.language), black: new Player(page.language) };
    this.actions = new Actions(page.language, (command) => this.#command(command));
    this.result = new Result(page.language, {
      rematch: () => page.rematch(this.#full, other(this.color), this.result),
      leave: () => page.leave(),
    });
    this.chat = new Chat(api, id);
  }

  /** The player's colour, null for a watcher. */
  get color() {
    const mine = (color) => this.#full?.[color]?.id === this.page.me.id;
    if (mine("white")) return "white";
    return mine("black") ? "black" : null;
  }

  /** The key of what is played. */
  get variant() {
    return this.#full?.variant.key;
  }

  open() {
    this.stream = new Stream(this.api, `/api/board/game/stream/${this.id}`);
    this.stream.addEventListener("message", ({ detail }) => this.#hear(detail));
    this.stream.addEventListener("open", () => this.page.notice(null));
    this.stream.addEventListener("lost", () => this.page.notice("page.lost"));
    this.stream.addEventListener("refused", () => this.#watch());
    this.stream.start();
  }

  /** The player goes away on purpose: nobody has to wait for long. */
  leave() {
    if (this.color) this.api.leave(this.id);
  }

  /** The window is hidden, or has lost the focus. */
  lookAway() {
    if (this.color && this.#full.watch && !this.#over()) this.api.lookAway(this.id);
  }

  close() {
    document.title = "Centella";
    this.leave();
    this.stream.stop();
    clearTimeout(this.#watching);
    for (const player of Object.values(this.players)) player.clock.stop();
    this.board.root.replaceChildren();
    this.board.root.replaceWith(this.board.root.cloneNode(false)); // the next game starts with a board nobody listens to
  }

  /** Draw everything that carries words anew. */
  redraw() {
    if (!this.#full) return;
    this.board.redraw();
    this.#drawHead();
    this.#drawState();
    this.#drawPockets();
    if (this.#live) this.#drawMoves();
  }

  flip() {
    this.board.turnTo(other(this.board.orientation));
    this.#drawHead();
    this.#drawPockets();
  }

  /** Show the position after `ply` half-moves. */
  async show(ply) {
    const wanted = Math.max(0, Math.min(ply, this.record.plies));
    const position = await this.record.position(wanted);
    this.#ply = wanted;
    this.#drawPosition(position);
  }

  step(plies) {
    return this.show(this.#ply + plies);
  }

  /** Play what was typed; the text of what is wrong with it, or null. */
  type(text) {
    const { language, notation } = this.page;
    if (!this.#myTurn()) return language.text("game.notYourTurn");
    const moves = notation.read(text, this.#live.legal);
    if (moves.length === 1) {
      this.#play(moves[0]);
      return null;
    }
    const names = moves.map((move) => notation.show(move.written)).join(", ");
    return language.text(moves.length ? "game.manyMoves" : "game.noSuchMove", { text, moves: names });
  }

  /** Somebody else's game has no stream for us: look now and then. */
  async #watch() {
    try {
      this.#begin(await this.api.game(this.id));
      if (!this.#over()) this.#watching = setTimeout(() => this.#watch(), WATCH_MS);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.page.notice("page.gone");
    }
  }

  #hear(message) {
    if (message.type === "gameFull") this.#begin(message);
    else if (message.type === "gameState") this.#take(message);
    else if (message.type === "chatLine") this.chat.hear(message);
    else if (message.type === "opponentGone" && this.color) this.actions.gone(message, this.#name(other(this.color)));
  }

  #begin(full) {
    const first = this.#full === null;
    this.#full = full;
    if (first && this.color) {
      this.board.own = this.color;
      this.board.turnTo(this.color);
    }
    this.chat.open = this.color !== null;
    if (this.color) this.chat.catchUp();
    this.#drawHead();
    this.#take(full.state);
  }

  #take(state) {
    this.#state = state;
    this.#arrived = performance.now();
    this.#busy = false;
    this.#drawState();
    this.#syncing ??= this.#sync().finally(() => { this.#syncing = null; });
  }

  /** Bring record and board to the latest state, move by move. */
  async #sync() {
    try {
      while (this.#shown !== this.#state) await this.#follow(this.#state);
      if (this.#over()) await this.#finish();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Perhaps a takeback overtook us, and its state is on the way; if not, a new stream tells everything anew.
      this.stream.reopen();
    }
  }

  async #follow(state) {
    const wire = state.moves ? state.moves.split(" ") : [];
    const looking = this.#live === null || this.#ply === this.record.plies;
    const common = this.record.follow(wire);
    const news = this.#live !== null && wire.length > common && wire.length - common <= CATCH_UP_PLIES;
    if (this.#live === null) this.#start = await this.record.position(0);
    for (let ply = news ? common + 1 : wire.length; ply <= wire.length; ply += 1) {
      this.#live = await this.record.position(ply);
      if (looking || this.#ply > wire.length) this.#ply = ply;
      if (this.#ply === ply) this.#drawPosition(this.#live);
      if (news) this.#tell(ply);
    }
    this.#shown = state;
    this.#drawMoves();
    this.#drawTurn();
  }

  #over() {
    return this.#state.status !== "started" && this.#state.status !== "created";
  }

  #myTurn() {
    return !this.#over() && !this.#busy && this.#live !== null && this.#live.turn === this.color;
  }

  #drawPosition(position) {
    this.#looked = position;
    this.board.show(position);
    this.#drawMoves();
    const live = position === this.#live;
    this.view.classList.toggle("past", !live);
    this.hand.offer(live && this.#myTurn() ? position.legal : []);
  }

  #drawPockets() {
    const below = this.board.orientation;
    const pockets = this.#looked?.pockets;
    this.view.classList.toggle("with-pockets", Boolean(pockets));
    this.pockets.bottom.draw(pockets?.[below] ?? null, below);
    this.pockets.top.draw(pockets?.[other(below)] ?? null, other(below));
    for (const color of ["white", "black"]) this.players[color].setChecks(this.#looked?.checksGiven?.[color] ?? 0);
  }

  /** Say a new move, and let an explosion be seen and heard. */
  #tell(ply) {
    const { language, notation } = this.page;
    const position = this.#live;
    const color = language.text(`color.${other(position.turn)}`);
    const said = [language.text("say.move", { color, move: notation.speak(this.record.moves[ply - 1].written) })];
    if (position.blast.length) {
      if (this.#ply === ply) this.board.explode(position.lastMove.to, position.blast);
      said.push(language.text("board.blast", { squares: position.blast.join(", ") }));
    }
    this.page.announce(said.join(". "));
  }

  #drawHead() {
    const { language } = this.page;
    find("game-title").textContent = language.nameOf(this.#full.variant);
    find("game-terms").textContent = termsText(this.#full, language);
    const below = this.board.orientation;
    const timed = Boolean(this.#full.clock || this.#full.secondsPerTurn);
    for (const [place, color] of [["player-bottom", below], ["player-top", other(below)]]) {
      this.players[color].draw(find(place), this.#full[color], color, timed);
    }
  }

  #drawState() {
    const opponent = this.#name(other(this.color ?? "white"));
    const plies = this.#state.moves ? this.#state.moves.split(" ").length : 0;
    this.actions.draw(this.#state, this.color, opponent, plies);
    find("move-box").hidden = this.color === null || this.#over();
    if (this.#ending) this.result.draw(this.#ending, this.color);
    if (this.#live) this.#drawTurn();
  }

  #drawTurn() {
    const { turn } = this.#live;
    document.title = this.#over() || turn !== this.color ? "Centella" : `● ${this.page.language.text("game.yourTurn")} · Centella`;
    const started = this.#full.secondsPerTurn || this.record.plies >= 2; // clocks rest until both have moved
    for (const color of ["white", "black"]) {
      const moving = !this.#over() && turn === color;
      this.players[color].setAutomatic(Boolean(this.#state[color === "white" ? "wautomatic" : "bautomatic"]) && !this.#over());
      this.players[color].setTurn(moving ? (color === this.color ? "mine" : "theirs") : null);
      this.players[color].clock.set(this.#state[color === "white" ? "wtime" : "btime"], moving && started, this.#arrived);
    }
  }

  #drawMoves() {
    this.list.draw(this.record.moves, this.#start, this.#ply);
    const last = this.record.plies;
    for (const id of ["step-first", "step-back"]) find(id).disabled = this.#ply === 0;
    for (const id of ["step-on", "step-last"]) find(id).disabled = this.#ply === last;
  }

  async #finish() {
    const outcome = await this.record.outcome();
    this.stream.stop();
    this.page.notice(null);
    this.hand.offer([]);
    this.#ending = { ...this.#state, reason: outcome.reason };
    this.page.announce(this.result.draw(this.#ending, this.color));
  }

  #name(color) {
    return this.#full[color].name ?? this.#full[color].id ?? "?";
  }

  async #play(move) {
    this.#busy = true;
    this.hand.offer([]);
    try {
      await this.api.move(this.id, move.uci);
    } catch (error) {
      this.#busy = false;
      this.board.show(this.#live);
      this.board.men.place();
      this.hand.offer(this.#live.legal);
      this.#complain(error);
    }
  }

  #command(command) {
    this.api.command(this.id, command).catch((error) => this.#complain(error));
  }

  #complain(error) {
    if (error.status === 0) this.page.notice("page.lost");
    else this.page.problem(this.page.language.text("game.refused", { reason: error.message }));
  }
}
