/** A line at its progress bars: what a program prints behind a bar stands on the bar's line. @module */
const BAR_END = /(?:it\/s|s\/it)[^\]]{0,200}\]/;

/** The parts of a line, each bar with what stands before it; the line alone where nothing stands behind a bar. */
export function atBars(line: string): string[] {
  const parts: string[] = [];
  let rest = line;
  while (rest.includes("%|")) {
    const bar = BAR_END.exec(rest), cut = bar === null ? rest.length : bar.index + bar[0].length;
    if (rest.slice(cut).trim() === "") break;
    parts.push(rest.slice(0, cut));
    rest = rest.slice(cut);
  }
  return [...parts, rest];
}
