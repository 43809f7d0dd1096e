/**
 * What the printed completions look like: the same everywhere, endless repeats, noise, only token 0.
 *
 * Measured per completion with plain character statistics, so that it works for any language and tokenizer.
 * @module
 */
import { type Evidence, placeOf } from "./evidence.ts";
import { groupsOf, isGrouped } from "./spread.ts";
import { mean } from "./numbers.ts";
import type { Completion, RunView } from "./run_view.ts";

const SHORTEST = 8; // Characters from which one character over and over is no answer.
const LOOKED_AT = 240, LEAST_LOOP = 16; // Characters at the end of a text that are looked at for a loop; the least one.
/** Characters of the longest period of a loop. */
export const LONGEST_PERIOD = 48;
const SHORT = 32, HELP = 4, TIMES = 3; // Below this length the half before it helps to see a period three times.
const MISMATCHES = 0.1; // Share of a loop that may differ: a counter, a name.
const ENOUGH_TEXT = 40; // Characters of all texts together from which a rate of noise says something.
const GROUP = 3; // Completions of a group that can be told to be alike by more than luck.
const SCRIPTS = 3; // Scripts that one text of sense does not mix.
const PROMPTS = 4; // Prompts from which one text for all of them is a finding.
/** Pixels: a box from within 2 of the corner to beyond these covers any usual image. */
const CORNER = 2, WIDE = 400, HIGH = 300;
const QUOTED = 90; // Characters of a completion that evidence keeps.
/** Completions that make the first ones of a run, and those where none says its train step: some groups of them. */
const EARLY = 8, UNDATED = 64;
/** Changes of character class per character: prose, code and formulas have at most 0.13, random printable text 0.3. */
export const NOISY_TEXT = 0.18;
/** Share of the completions that speak of a broken image at which none is seen. */
export const NO_IMAGE = 0.4;

interface TextFacts {
  readonly count: number;
  /** Share of completions that are one character repeated, "!" in most tokenizers: token id 0. */
  readonly tokenZero: number;
  /** Share of completions whose second half repeats with one short period. */
  readonly looping: number;
  /** Changes of character class that words, sums and tags do not have, per character of all texts. */
  readonly noise: number;
  /** Share of completions that mix letters of three scripts or more. */
  readonly mixed: number;
  readonly empty: number;
  /** Share of groups whose completions are all the same text; null without groups of at least 3. */
  readonly identicalGroups: number | null;
  readonly groups: number;
  /** Mean of distinct texts over group size. */
  readonly unique: number | null;
  /** Share of the completions, and of the prompts, that the most common text makes; null with fewer than 4 prompts. */
  readonly samePrompts: number | null;
  readonly prompts: number;
  /** Share of completions that say the image is broken. */
  readonly brokenImage: number;
  /** Share of completions whose first box covers the whole image. */
  readonly wholeImage: number;
}

/** How many completions are read: enough for every share below, bounded for runs of ours. */
export const MOST_TEXTS = 512;

/** True if the text is one character over and over. */
export function isTokenZero(text: string): boolean {
  const body = text.trim();
  return body.length >= SHORTEST && /^(!+|�+|(<unk>)+|(<pad>)+)$/.test(body.replace(/\s+/g, ""));
}

/** True if the last half of the text (up to 240 characters) repeats with one period of at most 48 characters. */
export function isLooping(text: string): boolean {
  const body = text.trimEnd().slice(-LOOKED_AT);
  if (body.length < LEAST_LOOP) return false;
  const tail = body.slice(Math.floor(body.length / 2) - (body.length < SHORT ? HELP : 0));
  for (let period = 1; period <= Math.min(LONGEST_PERIOD, Math.floor(tail.length / TIMES)); period++) {
    let left = Math.floor(MISMATCHES * (tail.length - period)); // mismatches that may remain
    let index = period;
    for (; index < tail.length; index++) {
      if (tail.charCodeAt(index) !== tail.charCodeAt(index - period) && left-- === 0) break;
    }
    if (index === tail.length) return !/^[\s.\-_=]+$/.test(tail.slice(0, period));
  }
  return false;
}

/** Character class: a lower, A upper, 0 digit, space, u another letter, # the rest. */
function classOf(char: string): string {
  if (char >= "a" && char <= "z") return "a";
  if (char >= "A" && char <= "Z") return "A";
  if (char >= "0" && char <= "9") return "0";
  if (char === " " || (char >= "\t" && char <= "\r")) return " ";
  if (char < "\u0080") return "#";
  return /\s/.test(char) ? " " : /\p{L}/u.test(char) ? "u" : "#";
}

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Changes of character class that words, sums and tags do not have, over the length. */
export function noiseRate(text: string): number {
  const body = text.replace(/<\/?[A-Za-z_]{2,20}>/g, " ").replace(/\\[A-Za-z]+/g, "w");
  let odd = 0;
  let previous = " ";
  let before = "";
  for (const char of body) {
    const now = classOf(char);
    const letter = now === "a" || now === "A";
    const wasLetter = previous === "a" || previous === "A";
    if (previous === "a" && now === "A") odd++;
    else if ((wasLetter && now === "0") || (previous === "0" && letter)) odd++;
    else if (now === "#" && wasLetter && !/[.,;:!?'’"”)\]}\-_/<>(*]/.test(char)) odd++;
    else if (now === "#" && previous === "#" && char !== before && !/[.,;:!?'"()\-<>=/*{}$[\]|`\\]/.test(char)) odd++;
    else if (previous === "#" && letter && !/[('"“‘[{<\-/_.*:>`$\\=]/.test(before)) odd++;
    else if ((now === "u" && wasLetter) || (previous === "u" && letter)) {
      // Chinese, Japanese and Korean set Latin words and variables without a space.
      if (!CJK.test(now === "u" ? char : before)) odd++;
    }
    previous = now;
    before = char;
  }
  const replaced = (body.match(/�/g) ?? []).length;
  return body.length === 0 ? 0 : (odd + replaced) / body.length;
}

/** Letters of how many scripts are mixed in one text; Japanese writes Han and Kana: one. */
function scripts(text: string): number {
  if (!/[^ -~\s]/.test(text)) return 1;
  return [
    /[A-Za-z]/,
    /\p{Script=Cyrillic}/u,
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
    /\p{Script=Hangul}/u,
    /\p{Script=Arabic}/u,
    /\p{Script=Thai}/u,
    /\p{Script=Hebrew}/u,
    /\p{Script=Devanagari}/u,
  ]
    .filter((script) => script.test(text)).length;
}

/** The rate over all texts together: short ones alone say little. */
function pooledNoise(rows: readonly Completion[]): number {
  let [odd, length] = [0, 0];
  for (const row of rows) {
    const body = row.text.trim();
    odd += noiseRate(body) * body.length;
    length += body.length;
  }
  return length < ENOUGH_TEXT ? 0 : odd / length;
}

const BROKEN_IMAGE =
  /(image|picture|photo|frame)\b[^.]{0,60}\b(static|noise|noisy|corrupt|collage|glitch|distort|garbled|unclear|blank|artifact|fragment|scrambled)|no discernible/i;

const BOX = /\[\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*\]/;

export function factsOf(all: readonly Completion[]): TextFacts {
  const rows = all.length <= MOST_TEXTS ? all : all.slice(0, MOST_TEXTS / 2).concat(all.slice(-MOST_TEXTS / 2));
  const count = rows.length;
  const share = (test: (row: Completion) => boolean) => count === 0 ? 0 : rows.filter(test).length / count;
  const groups = groupsOf(rows).filter((group) => group.length >= GROUP && isGrouped(group[0]!));
  const distinct = groups.map((group) => new Set(group.map((row) => row.text.trim())).size);
  const byText = new Map<string, Set<string>>();
  const counts = new Map<string, number>();
  const prompts = new Set<string>();
  for (const row of rows) {
    if (row.prompt === null) continue;
    prompts.add(row.prompt);
    const text = row.text.trim();
    byText.set(text, (byText.get(text) ?? new Set()).add(row.prompt));
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const asked = rows.filter((row) => row.prompt !== null).length;
  const most = Math.max(
    0,
    ...[...byText].map(([text, set]) => Math.min(set.size / prompts.size, counts.get(text)! / asked)),
  );
  return {
    count,
    tokenZero: share((row) => isTokenZero(row.text)),
    looping: share((row) => isLooping(row.text)),
    noise: pooledNoise(rows),
    mixed: share((row) => scripts(row.text) >= SCRIPTS),
    empty: share((row) => row.text.trim() === ""),
    identicalGroups: groups.length === 0 ? null : distinct.filter((size) => size === 1).length / groups.length,
    groups: groups.length,
    unique: groups.length === 0 ? null : mean(distinct.map((size, index) => size / groups[index]!.length)),
    samePrompts: prompts.size < PROMPTS ? null : most,
    prompts: prompts.size,
    brokenImage: share((row) => BROKEN_IMAGE.test(row.text)),
    wholeImage: share((row) => {
      const box = BOX.exec(row.text)?.slice(1).map(Number);
      return box !== undefined && box[0]! <= CORNER && box[1]! <= CORNER && box[2]! >= WIDE && box[3]! >= HIGH;
    }),
  };
}

/** Facts over all printed completions. */
export function texts(view: RunView): TextFacts {
  return view.memo("texts", () => factsOf(view.completions));
}

/** Facts of the first and of the last train step with completions. */
export function firstAndLast(view: RunView): { first: TextFacts; last: TextFacts; steps: number } {
  return view.memo("texts by step", () => {
    const steps = [...new Set(view.completions.map((row) => row.trainStep ?? 0))].sort((a, b) => a - b);
    const of = (step: number | undefined) => factsOf(view.completions.filter((row) => (row.trainStep ?? 0) === step));
    if (steps.length <= 1) return { first: texts(view), last: texts(view), steps: steps.length };
    return { first: of(steps[0]), last: of(steps.at(-1)), steps: steps.length };
  });
}

/** The train steps from the printed one on since which a share of the completions of each passes a test; else the last one. */
export function manySince(view: RunView, share: number, test: (row: Completion) => boolean): readonly number[] {
  const printed = Map.groupBy(view.completions, ({ trainStep }) => trainStep);
  const steps = [...printed.keys()].filter((step) => step !== null).sort((a, b) => a - b);
  const others = steps.findLastIndex((step) => {
    const rows = printed.get(step)!;
    return rows.filter(test).length < share * rows.length;
  });
  const since = steps[others + 1];
  if (since === undefined) return steps.slice(-1);
  const at = view.trainSteps.findIndex((step) => step >= since);
  return at < 0 ? steps.slice(others + 1) : view.stepsFrom(at);
}

/** Evidence for a completion, shortened. */
export function quote(row: Completion, note?: string): Evidence {
  const text = row.text.length > QUOTED ? `${row.text.slice(0, QUOTED - "...".length)}...` : row.text;
  return {
    ...placeOf(row),
    train_step: row.trainStep,
    name: row.table === undefined ? "completion" : "text",
    value: text,
    ...(note === undefined ? {} : { note }),
  };
}

/** The reward of a completion as evidence. */
export function rewardOf(row: Completion): Evidence {
  return { ...placeOf(row), train_step: row.trainStep, name: "reward", value: row.reward };
}

/** Facts of the earliest completions: those of the first train steps until there are eight, undated ones as they are printed. */
export function earliest(view: RunView): TextFacts {
  return view.memo("earliest texts", () => {
    if (view.completions.every(({ trainStep }) => trainStep === null)) {
      return factsOf(view.completions.slice(0, UNDATED));
    }
    const rows = view.completions.toSorted((a, b) => (a.trainStep ?? 0) - (b.trainStep ?? 0));
    const cut = rows.findIndex((row, index) => index >= EARLY && row.trainStep !== rows[index - 1]!.trainStep);
    return cut < 0 ? texts(view) : factsOf(rows.slice(0, cut));
  });
}
