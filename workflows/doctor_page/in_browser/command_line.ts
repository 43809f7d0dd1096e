/** Command lines for people to paste, in a page, which knows no launcher: as the README has them. @module */

/** One command line of the words, each quoted where a shell asks for it. */
export function commandLine(words: readonly string[]): string {
  return ["deno", "task", ...words].map(quoted).join(" ");
}

/** What reads on the command line what a page leaves to it. */
export const diagnoseCommand = (what: string) => commandLine(["diagnose", what]);

function quoted(word: string): string {
  if (/^[\p{L}\p{N}_./:=,@%+-]+$/u.test(word) && !word.startsWith("=")) return word;
  return /["$`\\!\n]/.test(word) || word.includes("'") ? `'${word.replaceAll("'", `'\\''`)}'` : `"${word}"`;
}
