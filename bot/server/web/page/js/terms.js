/** Time controls: what the form offers, how they travel to the server, and how they read. */

/** Minutes and increment in seconds. */
export const PRESETS = [[3, 2], [5, 3], [10, 0], [10, 5], [15, 10], [30, 0], [30, 20]];
export const MINUTES = [0, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 45, 60, 90, 120, 180];
export const INCREMENTS = [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 45, 60];
export const TURN_SECONDS = [5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600];

/** Lichess's speeds by the estimated length of a game of 40 moves. */
export function speedOf(limitS, incrementS) {
  const estimate = limitS + 40 * incrementS;
  if (estimate < 180) return "bullet";
  if (estimate < 480) return "blitz";
  if (estimate < 1500) return "rapid";
  return "classical";
}

export function minutesText(minutes) {
  return { 0.25: "¼", 0.5: "½", 0.75: "¾" }[minutes] ?? String(minutes);
}

/** `5+3 · Blitz · casual`, from a gameFull; where the parlour's ladders are at stake swords are crossed. */
export function termsText(game, language) {
  const swords = game.rated && game.variant.key === "parlour" ? "⚔ " : "";
  const mode = swords + language.text(game.rated ? "game.rated" : "game.casual");
  if (game.secondsPerTurn) return `${language.text("time.perMove", { seconds: game.secondsPerTurn })} · ${mode}`;
  if (!game.clock) return `${language.text("time.unlimited")} · ${mode}`;
  const limitS = game.clock.initial / 1000;
  const incrementS = game.clock.increment / 1000;
  const speed = language.text(`speed.${speedOf(limitS, incrementS)}`);
  return `${minutesText(limitS / 60)}+${incrementS} · ${speed} · ${mode}`;
}

/** The challenge fields that ask for the same time control as that game had. */
export function timeFields(game) {
  if (game.secondsPerTurn) return { "turn.limit": game.secondsPerTurn };
  if (!game.clock) return {};
  return { "clock.limit": game.clock.initial / 1000, "clock.increment": game.clock.increment / 1000 };
}
