/** Keeps what a log holds from calling anybody: a report that is pasted names no person, no issue and no page. @module */

/** Not seen, and enough that a forge takes it for text. */
const ZERO_WIDTH = "\u200b";

/** What a forge turns into a link or a call; the mark goes behind the match. Letters are ASCII's, as theirs are. */
const LIVE: readonly RegExp[] = [
  /(?<![A-Za-z0-9_])@(?=\w)/g, // @name; not pass@1, nor an address
  /@(?=[0-9a-f]{7,40}\b)/gi, // owner/repo@commit
  /[#!](?=\d)/g, // #1, owner/repo#1, !1
  /\bgh-(?=\d)/gi,
  /:(?=\\?\/\\?\/)/g, // https://…
  /\bwww(?=\.\w)/gi,
];
/** `&#64;` is read as `@` before names are looked for. */
const ENTITY = /&(?=#?[A-Za-z0-9]{1,32};)/g;

/** The same to a reader; not for code, where nothing is live. */
export function withoutMentions(text: string): string {
  return LIVE.reduce((out, pattern) => out.replace(pattern, `$&${ZERO_WIDTH}`), text.replace(ENTITY, "&amp;"));
}
