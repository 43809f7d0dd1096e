/** How wide a text is, where no canvas can measure it: Vega's own guess, 0.8 em a character, cuts labels that fit. @module */

/** Advance of the characters from space to tilde of DejaVu Sans, the widest of the charts' fonts, in hundredths of an em. */
// deno-fmt-ignore
const ADVANCES = [
  32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84, 84,
  84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79, 60, 79, 69, 63, 61, 73, 68, 99, 69, 61, 69, 39,
  34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63, 63, 28, 28, 58, 28, 97, 63, 61, 63, 63, 41, 52, 39, 63, 59, 82, 59, 59,
  52, 64, 34, 64, 84,
];
/** Any other character: of Greek or Cyrillic letters too much, of Chinese ones about right. */
const OTHER = 90;
/** Bold letters are wider by about so much. */
const BOLD = 1.1;

/** Width of one line of text in units of the font size's. */
export function textWidth(text: string, fontSize: number): number {
  let hundredths = 0;
  for (const character of text) hundredths += ADVANCES[character.codePointAt(0)! - 32] ?? OTHER;
  return hundredths / 100 * fontSize;
}

/** A text as Vega asks about it. */
interface TextItem {
  readonly fontSize?: number;
  readonly fontWeight?: string | number;
  /** Longer texts are cut to this width; 0 or absent for none. */
  readonly limit?: number;
}

/** The same as Vega wants it: no wider than what the text is cut to. */
export function itemWidth({ fontSize = 11, fontWeight, limit }: TextItem, text: unknown): number {
  const isBold = fontWeight === "bold" || Number(fontWeight) >= 600;
  const width = textWidth(String(text ?? "").trim(), fontSize) * (isBold ? BOLD : 1);
  return limit ? Math.min(width, limit) : width;
}
