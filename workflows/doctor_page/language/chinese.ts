/** Chinese: its tables, its signs, and how it joins parts of sentences. @module */
import { BY_HAND_ZH } from "./by_hand_zh.ts";
import { CAUSES_ZH } from "./causes_zh.ts";
import { claimInChinese } from "./claims_zh.ts";
import { FORMATS_ZH } from "./formats_zh.ts";
import { FOUND_PAIRS_ZH } from "./found_pairs_zh.ts";
import { FOUND_REWARDS_ZH } from "./found_rewards_zh.ts";
import { FOUND_TEXTS_ZH } from "./found_texts_zh.ts";
import { FOUND_UPDATES_ZH } from "./found_updates_zh.ts";
import { HINTS_ZH } from "./hints_zh.ts";
import { LOOK_ALIKES_ZH } from "./look_alikes_zh.ts";
import { LOOKS_ZH } from "./looks_zh.ts";
import { MESSAGES_ZH } from "./messages_zh.ts";
import { NAMES_ZH } from "./names_zh.ts";
import { NOTES_ZH } from "./notes_zh.ts";
import { READING_ZH } from "./reading_zh.ts";
import { REASONS_ZH } from "./reasons_zh.ts";
import { RULED_OUT_ZH } from "./ruled_out_zh.ts";
import { SENTENCES_ZH } from "./sentences_zh.ts";
import type { Spoken } from "./spoken.ts";
import { ZH } from "./strings_zh.ts";
import { type Tables, Translator } from "./translated.ts";

export const TABLES_ZH: Tables = {
  lang: "zh",
  sentences: [
    ...[SENTENCES_ZH, REASONS_ZH, FOUND_REWARDS_ZH, FOUND_TEXTS_ZH, FOUND_UPDATES_ZH, FOUND_PAIRS_ZH],
    ...[BY_HAND_ZH, RULED_OUT_ZH, NOTES_ZH, READING_ZH],
  ].flat(),
  wholes: { ...HINTS_ZH, ...LOOKS_ZH, ...MESSAGES_ZH, ...LOOK_ALIKES_ZH },
  causes: CAUSES_ZH,
  names: NAMES_ZH,
  signs: { list: "、", clause: "，", stop: "。", open: "（", close: "）" },
  glued,
  numberOf,
};

const TRANSLATOR = new Translator(TABLES_ZH);

export const CHINESE: Spoken = {
  name: "中文",
  say: ZH,
  formats: FORMATS_ZH,
  causes: CAUSES_ZH,
  claimOf: claimInChinese,
  translate: (text) => TRANSLATOR.translate(text),
};

const HAN = /\p{Script=Han}/u, LATIN = /[\w%]/;

/** Two parts of a Chinese sentence: between characters there is no space, between a character and a letter there is one. */
function glued(before: string, behind: string): string {
  const [one, other] = [before.trimEnd(), behind.trimStart()], last = one.at(-1) ?? "", first = other[0] ?? "";
  if (HAN.test(last) && HAN.test(first)) return one + other;
  const isMixed = HAN.test(last) && LATIN.test(first) || LATIN.test(last) && HAN.test(first);
  return isMixed ? `${one} ${other}` : before + behind;
}

const MYRIADS = [[1e8, "亿"], [1e4, "万"]] as const;

/** A large number by ten thousands, as Chinese counts. */
function numberOf(value: number): string {
  const [size, unit] = MYRIADS.find(([least]) => value >= least) ?? [1, ""];
  return `${Number((value / size).toPrecision(6))}${unit === "" ? "" : ` ${unit}`}`;
}
