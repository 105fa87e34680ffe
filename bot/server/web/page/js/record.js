/** The moves of one game and the positions between them, as the server tells them. */
export class Record {
  #positions = [];
  #wire = []; // the moves as the game stream writes them

  constructor(api, gameId) {
    this.api = api;
    this.gameId = gameId;
    this.moves = []; // {uci, written}
  }

  get plies() {
    return this.#wire.length;
  }

  /** Take over the stream's move list; the number of plies that it has in common with the former one. */
  follow(wire) {
    let common = 0;
    while (common < wire.length && wire[common] === this.#wire[common]) common += 1;
    this.#wire = wire;
    this.moves.length = Math.min(this.moves.length, common);
    this.#positions.length = Math.min(this.#positions.length, common + 1);
    return common;
  }

  /** How the game ended: it may have, without another move, after its last position was fetched. */
  async outcome() {
    return (await this.api.position(this.gameId, this.plies, this.plies)).outcome;
  }

  /** The position after `ply` half-moves. */
  async position(ply) {
    if (this.#positions[ply]) return this.#positions[ply];
    const known = this.moves.length;
    const position = await this.api.position(this.gameId, ply, known);
    if (known === this.moves.length) this.moves.push(...position.moves.slice(0, this.plies - known));
    this.#positions[ply] = position;
    return position;
  }
}
