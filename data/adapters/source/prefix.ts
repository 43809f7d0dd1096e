/** What Ray, loggers and launchers put before a line; a record may follow it. @module */

const LEVEL = "(?:DEBUG|INFO|WARNING|ERROR)";
// 2026-05-01 12:00:00,123 - trainer - INFO -, and the time of the day alone
const STAMP = String
  .raw`\[?(?:\d{4}[-/]\d\d[-/]\d\d[ T])?\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?\]?(?:\s+-\s+[\w.]+\s+-\s+${LEVEL}\s+[-:]|\s*[-|]|:)?`;

const PREFIX = new RegExp(
  `^(?:${
    [
      String.raw`\([\w.]+ pid=\d+[^)]*\)`,
      String.raw`\[rank[ _:=]?\d+\]:?`,
      STAMP,
      // INFO:trl.trainer:, [INFO|trainer.py:2134], INFO -, INFO [loader.py:447]
      String.raw`${LEVEL}:[\w.]*:`,
      String.raw`\[${LEVEL}(?:\|[^\]]*)?\](?:\s*(?:[-|]|>>)|:)?`,
      // INFO     | trainer:log:88 -, INFO trainer -
      String.raw`${LEVEL}(?:\s*\|\s*[\w.<>]+:[\w.<>]+:\d+|\s+[\w.]+)\s+-`,
      String.raw`${LEVEL}\s*(?:[-|]|\[[^\]]*\]|:(?=\s))`,
      ">>",
    ].join("|")
  })\\s?`,
);
const MOST = 4; // Prefixes before one line.

/** The line without its prefixes; itself where it has none. */
export function withoutPrefix(line: string): string {
  let rest = line;
  for (let i = 0; i < MOST; i++) {
    const code = rest.charCodeAt(0);
    // A prefix begins with a bracket, a digit, `>` or one of D, I, W, E: most lines are done here.
    if (code !== 40 && code !== 91 && code !== 62 && !(code >= 48 && code <= 57) && !(code >= 68 && code <= 87)) break;
    const found = PREFIX.exec(rest);
    if (found === null) break;
    rest = rest.slice(found[0].length);
  }
  return rest;
}
