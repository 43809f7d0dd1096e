/** What rules say of a run, in the language of the page: what has no translation is marked as English. @module */
import { inChinese, type Language } from "../language/mod.ts";
import { element } from "./element.ts";

/** A text as children of an element. */
export function said(text: string, language: Language): (HTMLElement | string)[] {
  if (language === "en") return [text];
  return inChinese(text).map((piece) =>
    piece.lang === "zh" ? piece.text : element("span", { attributes: { lang: piece.lang } }, piece.text)
  );
}
