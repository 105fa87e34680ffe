const FILES = "abcdefgh";

/** Square names in drawing order (left to right, top to bottom) as seen by `color`. */
export function squaresFor(color) {
  const names = [];
  for (let rank = 8; rank >= 1; rank -= 1) for (const file of FILES) names.push(`${file}${rank}`);
  return color === "black" ? names.reverse() : names;
}

/** Column and row of a square, from 0 at the top left, as seen by `color`. */
export function cellOf(square, color) {
  const file = FILES.indexOf(square[0]);
  const rank = Number(square[1]) - 1;
  return color === "black" ? { column: 7 - file, row: rank } : { column: file, row: 7 - rank };
}

/** The square in a column and row as seen by `color`, null outside the board. */
export function squareIn(column, row, color) {
  if (column < 0 || column > 7 || row < 0 || row > 7) return null;
  return color === "black" ? `${FILES[7 - column]}${row + 1}` : `${FILES[column]}${8 - row}`;
}
