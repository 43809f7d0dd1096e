/** The languages of the page by their codes: all that the page needs of one is its entry. @module */
import { CHINESE } from "./chinese.ts";
import { ENGLISH } from "./english.ts";
import type { Spoken } from "./spoken.ts";

export const LANGUAGES = { en: ENGLISH, zh: CHINESE } as const satisfies Record<string, Spoken>;

export type Language = keyof typeof LANGUAGES;

/** The language that a browser asks for, of those that the page has. */
export function usualLanguage(asked: readonly string[]): Language {
  for (const one of asked) {
    const short = one.toLowerCase().split("-")[0]!;
    if (Object.hasOwn(LANGUAGES, short)) return short as Language;
  }
  return "en";
}
