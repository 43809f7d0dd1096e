/**
 * Which encoding a text that is not UTF-8 was saved in: what Windows and older editors write in China, Japan, Korea, Russia
 * and Western Europe. A guess is taken only where nearly all that is beyond ASCII is then what people write most. @module
 */

export const LEGACY = ["shift_jis", "gb18030", "euc-kr", "windows-1251", "windows-1252"] as const;
type Legacy = (typeof LEGACY)[number];

/** The letters of an encoding that people use most, and the share of them in a text of it. */
const USUAL: Readonly<Record<Legacy, readonly [letters: RegExp, share: number]>> = {
  shift_jis: [/[\u3040-\u30ff\u3000-\u3011\u4e00-\u9fff\uff01-\uff5e]/gu, 0.95],
  gb18030: [/[\u4e00-\u9fff\u3000-\u3011\uff01-\uff5e\u2014-\u2026]/gu, 0.95],
  "euc-kr": [/[\uac00-\ud7a3\u3000-\u3011\uff01-\uff5e]/gu, 0.9],
  "windows-1251": [/[а-яА-ЯёЁ«»–—№“”’]/gu, 0.9],
  "windows-1252": [/[À-ÖØ-öø-ÿßœŒ‘’“”«»–—…€°·¿¡ºª±]/gu, 0.9],
};
const KANA = /[\u3041-\u3096\u30a1-\u30fc]/gu, LEAST_KANA = 0.25;
/** Hanzi that are used most stand in the first rows of GB 2312; hangul of EUC-KR in 25 of them. */
const ROWS = { first: 0xb0, common: 0xd7, hangul: 0xc8 }, LEAST_COMMON = 0.8, MOST_HANGUL = 0.97, LEAST_HANGUL = 8;
const SHORT_RUN = 1.6, LONG_RUN = 2.2; // Letters beyond ASCII in a row: few in French, most of a word in Russian.

/** True of bytes that are UTF-8, but for a few that are broken; the last letter may be cut. */
export function isUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes, { stream: true });
  const lost = text.match(/\ufffd/g)?.length ?? 0;
  if (lost === 0) return true;
  // deno-lint-ignore no-control-regex
  return (text.match(/[^\u0000-\u007f\ufffd]/gu)?.length ?? 0) + written(bytes) >= 2 * (lost - written(bytes));
}

/** How often a text holds the sign for a lost letter itself. */
function written(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(0xef); at >= 0; at = bytes.indexOf(0xef, at + 1)) {
    if (bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) count++;
  }
  return count;
}

/** The encoding of bytes that are not UTF-8; null where none is plausible. */
export function legacyEncoding(bytes: Uint8Array): Legacy | null {
  const { pairs, length } = shapeOf(bytes), share = (count: number) => count / Math.max(1, pairs.length);
  const hanzi = pairs.filter((lead) => lead >= ROWS.first), common = hanzi.filter((lead) => lead <= ROWS.common);
  const isHangul = share(hanzi.filter((lead) => lead <= ROWS.hangul).length) >= MOST_HANGUL * share(hanzi.length);
  const isKana = (text: string) => (text.match(KANA)?.length ?? 0) >= LEAST_KANA * beyond(text).length;
  const looks: readonly (readonly [Legacy, (text: string) => boolean])[] = [
    ["shift_jis", isKana],
    ["euc-kr", () => length >= SHORT_RUN && hanzi.length >= LEAST_HANGUL && isHangul],
    ["gb18030", () => length >= SHORT_RUN && common.length >= LEAST_COMMON * hanzi.length && hanzi.length > 0],
    ["windows-1251", () => length >= LONG_RUN],
    ["windows-1252", () => length <= SHORT_RUN],
  ];
  return looks.find(([encoding, look]) => {
    const text = decoded(bytes, encoding), [letters, least] = USUAL[encoding];
    if (text === null) return false;
    const all = beyond(text);
    return all.length > 0 && (all.join("").match(letters)?.length ?? 0) >= least * all.length && look(text);
  })?.[0] ?? null;
}

/** The first bytes of the pairs in runs of bytes beyond ASCII, and how long such a run is on average. */
function shapeOf(bytes: Uint8Array): { readonly pairs: readonly number[]; readonly length: number } {
  const pairs: number[] = [];
  let runs = 0, total = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at]! < 0x80) continue;
    const from = at;
    while (at < bytes.length && bytes[at]! >= 0x80) at++;
    [runs, total] = [runs + 1, total + at - from];
    for (let lead = from; lead + 1 < at; lead += 2) pairs.push(bytes[lead]!);
  }
  return { pairs, length: total / Math.max(1, runs) };
}

const beyond = (text: string) => [...text].filter((letter) => letter > "\u007f");

function decoded(bytes: Uint8Array, encoding: Legacy): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
