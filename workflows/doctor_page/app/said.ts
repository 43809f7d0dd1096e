/** What rules say of a run, in the language of the page: what has no translation is marked as English. @module */
import { type Language, LANGUAGES } from "../language/mod.ts";
import { element } from "./element.ts";

/** A text as children of an element. */
export function said(text: string, language: Language): (HTMLElement | string)[] {
  return LANGUAGES[language].translate(text).map((piece) =>
    piece.lang === language ? piece.text : element("span", { attributes: { lang: piece.lang } }, piece.text)
  );
}
