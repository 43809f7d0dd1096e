/** The languages of the page by their codes. @module */
import { EN, type Strings } from "./strings_en.ts";
import { ZH } from "./strings_zh.ts";

export const LANGUAGES = { en: { name: "English", say: EN }, zh: { name: "中文", say: ZH } } as const satisfies Record<
  string,
  { readonly name: string; readonly say: Strings }
>;

export type Language = keyof typeof LANGUAGES;

/** The language that a browser asks for, of those that the page has. */
export function usualLanguage(asked: readonly string[]): Language {
  for (const one of asked) {
    const short = one.toLowerCase().split("-")[0]!;
    if (Object.hasOwn(LANGUAGES, short)) return short as Language;
  }
  return "en";
}
