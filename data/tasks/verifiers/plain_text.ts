/** One way to write what Unicode has many of: signs, spaces, wide digits, fractions. @module */

const FRACTIONS: Readonly<Record<string, string>> = {
  "½": "1/2",
  "⅓": "1/3",
  "⅔": "2/3",
  "¼": "1/4",
  "¾": "3/4",
  "⅕": "1/5",
  "⅖": "2/5",
  "⅗": "3/5",
  "⅘": "4/5",
  "⅙": "1/6",
  "⅚": "5/6",
  "⅛": "1/8",
  "⅜": "3/8",
  "⅝": "5/8",
  "⅞": "7/8",
};

/**
 * The text with ASCII for wide characters, minus signs, spaces and fractions. Letters that only look alike (a Cyrillic
 * "В") stay what they are, and so do raised digits: 10² is not 102. A narrow space within a number goes away.
 */
export function plainText(text: string): string {
  return text
    .replaceAll(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replaceAll(/[\u2212\ufe63]/g, "-")
    // A dash that touches a number and nothing before it is its sign; between two numbers it is a range.
    .replaceAll(/(?<![\p{L}\p{N})\]}]|[\p{N})\]}]\s)[\u2012\u2013](?=[$€£¥₹]?[\d.])/gu, "-")
    .replaceAll(/(\d)[\u00a0\u2009\u202f](?=\d{3}(?!\d))/g, "$1")
    .replaceAll(/[\u00a0\u2007-\u200a\u202f\u205f\u3000]/g, " ")
    .replaceAll(/[\u200b-\u200d\u2060\ufeff]/g, "")
    .replaceAll(/[\u2044\u2215]/g, "/")
    .replaceAll(
      /(\d?)([½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])/g,
      (_, digit, sign) => `${digit === "" ? "" : `${digit} `}${FRACTIONS[sign]}`,
    );
}
