/** Text of a server or of a repository as it is shown: without our token, and without what moves a terminal. @module */
import { printable } from "../../printable.ts";

const MASK = "‹your token›";

/** The text without the token, however it is written in an address or in JSON. */
export function masked(text: string, token: string | null): string {
  if (token === null || token === "") return text;
  const forms = new Set([token, encodeURIComponent(token), encodeURI(token), JSON.stringify(token).slice(1, -1)]);
  return [...forms].reduce((rest, form) => rest.replaceAll(form, MASK), text);
}

/** The text as one line that a terminal shows and does not obey, without the token. */
export function strangersText(text: string, token: string | null): string {
  return printable(masked(text, token));
}
