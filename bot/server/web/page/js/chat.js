import { find, make } from "./element.js";

/** The players' chat of one game. */
export class Chat {
  #lines = [];

  constructor(api, gameId) {
    this.api = api;
    this.gameId = gameId;
    this.list = find("chat");
    this.form = find("chat-form");
    this.field = find("chat-text");
    this.form.onsubmit = (event) => {
      event.preventDefault();
      this.#send();
    };
    this.#draw();
  }

  /** Fetch what was said while nobody listened. */
  async catchUp() {
    const said = await this.api.get(`/api/board/game/${this.gameId}/chat`).catch(() => null);
    if (!said || said.length <= this.#lines.length) return;
    this.#lines = said.map(({ user, text }) => ({ user, text }));
    this.#draw();
  }

  hear({ room, username, text }) {
    if (room !== "player") return;
    this.#lines.push({ user: username, text });
    this.#draw();
  }

  /** A watcher reads along but has nobody to write to. */
  set open(open) {
    this.form.hidden = !open;
  }

  async #send() {
    const text = this.field.value.trim();
    if (!text) return;
    this.field.value = "";
    await this.api.command(this.gameId, "chat", { room: "player", text }).catch(() => { this.field.value = text; });
  }

  #draw() {
    this.list.replaceChildren(...this.#lines.map(({ user, text }) => {
      const system = user.toLowerCase() === "lichess";
      return make("li", { class: system ? "system" : null }, ...(system ? [] : [make("b", { text: user })]), text);
    }));
    this.list.scrollTop = this.list.scrollHeight;
  }
}
