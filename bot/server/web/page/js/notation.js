const ENGLISH = "KQRBN";
const FIGURINES = "♚♛♜♝♞";
const STORED = "centella.figurines";

/** Written moves come from the server with English letters; this shows, speaks and reads them in the page's language. */
export class Notation {
  constructor(language, stored = localStorage.getItem(STORED)) {
    this.language = language;
    this.chosen = stored;
  }

  /** Spanish texts print figurines, English ones letters, until the player chooses. */
  get figurines() {
    return this.chosen === null ? this.language.code === "es" : this.chosen === "yes";
  }

  toggleFigurines() {
    this.chosen = this.figurines ? "no" : "yes";
    localStorage.setItem(STORED, this.chosen);
  }

  show(written) {
    return translate(written, ENGLISH, this.figurines ? FIGURINES : this.language.text("letters"));
  }

  /** A written move in words, for a screen reader. */
  speak(written) {
    const say = (key) => ` ${this.language.text(`say.${key}`)} `;
    if (written.startsWith("O-O-O")) return this.#close(say("castlesLong"), written);
    if (written.startsWith("O-O")) return this.#close(say("castlesShort"), written);
    const words = written
      .replace(/[+#]$/, "")
      .replace(/>([KQRBN])/, (_, role) => `${say("exchange")}${this.#role(role)} `)
      .replace(">", say("spark"))
      .replace("x", say("takes"))
      .replace(/=([QRBN])/, (_, role) => `${say("promotes")}${this.#role(role)}`)
      .replace(/^[KQRBN]/, (role) => `${this.#role(role)} `);
    return this.#close(words, written);
  }

  /** The legal moves that a typed text means: none, one, or the several it could be. */
  read(text, legal) {
    const typed = text.trim();
    const byUci = legal.filter((move) => move.uci === typed.toLowerCase() || move.uciAlso === typed.toLowerCase());
    if (byUci.length) return byUci;
    for (const reading of this.#readings(typed)) {
      const exact = legal.filter((move) => plain(move.written) === reading);
      if (exact.length) return exact;
      const short = legal.filter((move) => brief(move) === reading || plain(move.written).slice(0, -1) === reading);
      if (short.length) return short;
    }
    return [];
  }

  /** The ways to read a text, likeliest first: in the page's letters, in English, and with a small first letter raised. */
  #readings(typed) {
    const letters = [this.language.text("letters"), ENGLISH];
    const spellings = [typed, typed.charAt(0).toUpperCase() + typed.slice(1)];
    const readings = spellings.flatMap((spelling) => letters.map((from) => plain(translate(spelling, from, ENGLISH))));
    return [...new Set(readings)];
  }

  #role(letter) {
    return this.language.text(`role.${letter.toLowerCase()}`);
  }

  #close(words, written) {
    const end = { "+": "check", "#": "mate" }[written.at(-1)];
    const spoken = end ? `${words}, ${this.language.text(`say.${end}`)}` : words;
    return spoken.replace(/\s+/g, " ").replace(" ,", ",").trim();
  }
}

function translate(text, from, to) {
  const target = [...to];
  return [...text].map((letter) => (from.includes(letter) ? target[from.indexOf(letter)] : letter)).join("");
}

/** A written move without what may be left out when typing. */
function plain(written) {
  return written.replace(/[+#!?=x:\s]/g, "").replace(/^[0o]-[0o](-[0o])?$/i, (castling) => castling.replace(/[0o]/gi, "O"));
}

/** A piece's move without its disambiguation. */
function brief(move) {
  return /^[KQRBN][a-h1-8x]/.test(move.written) ? move.written[0] + move.to : null;
}
