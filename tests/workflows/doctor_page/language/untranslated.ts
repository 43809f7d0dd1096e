/** What of some texts has no Chinese sentence. @module */
import { CHINESE } from "../../../../workflows/doctor_page/language/chinese.ts";

export const inChinese = CHINESE.translate;

/** A text in Chinese, with what stays English in brackets. */
export const said = (text: string) =>
  inChinese(text).map(({ text, lang }) => lang === "en" ? `[${text}]` : text).join("");

export const untranslated = (texts: Iterable<string>) =>
  [...texts].filter((text) => inChinese(text).some(({ lang }) => lang === "en"));

/** Numbers and names of code that an English sentence has, its Chinese one has too. */
export function lost(table: Readonly<Record<string, string>>): string[] {
  return Object.entries(table).flatMap(([english, chinese]) =>
    (english.match(/\b(?:NaN|KL|KTO|fp16|bf16|fp32|[a-z]+_[a-z_]+|\d+(?:\.\d+)?)\b/g) ?? [])
      .filter((sign) => !chinese.includes(sign)).map((sign) => `"${sign}" of "${english}"`)
  );
}
