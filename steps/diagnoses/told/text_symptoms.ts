/** What is seen of what is sampled in a run that is told in few words or few records. @module */
import type { Evidence } from "../view/evidence.ts";
import { holdsGold } from "../view/gold.ts";
import { isNumber, written } from "../view/numbers.ts";
import type { RunView } from "../view/run_view.ts";
import { setting, settingEvidence, settingNumber } from "../view/settings.ts";
import { quote } from "../view/texts.ts";
import { all, anyOf, ends, printedTexts } from "./looks.ts";
import { claims, each, type Symptom, WRITTEN } from "./symptom.ts";

const DOUBLED = 2, SHRUNK = 0.25; // Of the first length.
const AT_CAP = 0.9, LENGTH_AT_CAP = 0.98; // Share of completions; of the cap, from where on a mean length is the cap.
const NOISE = 0.18, HALF = 0.5; // Odd changes of character class per character; share of the texts.
/** What falls of a text. */
const QUALITY = /quali[td]|qualité|Qualität|calidad|qualidade|качеств|质量|品質|품질|質/iu;
/** Before anything was learned. */
const EARLY =
  /\b(?:first|initial|before any|step (?:0|1)(?!\d)|untrained|very beginning|from the start)\b|第一次|第一步|首次|还没更新|一开始|最初|初回|처음|premi[eè]re?|erste[nrs]?|primer[ao]?|primeir[ao]|перв\p{L}+/iu;

/** A phrase three times on end, or a character ten times, at the end of a text. */
const PHRASE = /([^\s.\-_=*#].{3,160}?)\1{2,}|([^\s.\-_=*#])\2{9,}/su, TAIL = 900;

/** Printed completions that are paid nothing, and hold the answer that is printed beside them. */
function rightUnpaid(view: RunView): readonly Evidence[] | null {
  const known = view.completions.filter((row) =>
    row.answer !== null && holdsGold(row) !== null && !((row.reward ?? 0) > 0)
  );
  const right = known.filter((row) => holdsGold(row) === true);
  return right.length > 0 && right.length >= HALF * known.length
    ? right.slice(0, 2).map((row) => quote(row, `the right answer is ${JSON.stringify(row.answer)}`))
    : null;
}

/** Mean lengths that are the cap of the options on every record that tells one. */
function meansAtCap(view: RunView): readonly Evidence[] | null {
  const cap = settingNumber(view, "max_new_tokens"), lengths = view.column("completion_length");
  const known = lengths.flatMap((value, record) => isNumber(value) ? [record] : []);
  if (cap === null || known.length === 0 || known.some((record) => lengths[record]! < LENGTH_AT_CAP * cap)) return null;
  return [view.evidence("completion_length", known.at(-1)!), settingEvidence(setting(view, "max_new_tokens")!)];
}

export const TEXT_SYMPTOMS = {
  length_grows: {
    about: "completions get longer and longer",
    border: written`they end above ${DOUBLED} times their first length`,
    says: each(["completion_length"], ["rises", "explodes", "high"]),
    undone: each(["completion_length"], ["falls", "collapses", "constant"]),
    shows: ends("completion_length", (first, last) => last > DOUBLED * first),
  },
  length_shrinks: {
    about: "completions get shorter and shorter",
    border: written`they end below ${SHRUNK} % of their first length`,
    says: each(["completion_length"], ["falls", "collapses", "low"]),
    undone: each(["completion_length"], ["rises", "explodes", "constant"]),
    shows: ends("completion_length", (first, last) => last < SHRUNK * first),
  },
  truncated: {
    about: "completions are cut at the length cap",
    border:
      written`at least ${AT_CAP} % are cut on every record, or their mean length is ${LENGTH_AT_CAP} % of the cap or more; where the author says that completions are cut, however many`,
    says: [...each(["completions", "completion_length"], ["truncated"]), "truncation.high", "truncation.rises"],
    shows: anyOf(all("truncated_fraction", 1, (v) => v >= AT_CAP), meansAtCap),
  },
  identical: { about: "the completions of a group are the same", says: each(WRITTEN, ["identical"]) },
  policy_still: { about: "the policy does not move", says: ["policy.constant", "parameters.constant"] },
  same_everywhere: {
    about: "every prompt gets the same completion",
    says: each(["completions", "policy", "training"], ["same_everywhere"]),
  },
  garbled: {
    about: "the completions are noise",
    border:
      written`in what is printed the class of characters changes oddly more than ${NOISE} times per character, or ${HALF} % of the texts or more mix scripts`,
    says: each(WRITTEN, ["garbled"]),
    shows: printedTexts(({ noise, mixed }) => noise > NOISE || mixed >= HALF),
  },
  garbled_early: {
    about: "the first completions are noise already",
    shows: claims(each(WRITTEN, ["garbled"]), ({ text }) => EARLY.test(text)),
  },
  token_zero: {
    about: "the completions are one character over and over",
    border: written`${HALF} % of the printed texts or more are`,
    says: each(WRITTEN, ["token_zero"]),
    shows: printedTexts(({ tokenZero }) => tokenZero >= HALF),
  },
  repeats: {
    about: "the completions repeat without end",
    border: written`${HALF} % of the printed texts or more end so`,
    says: each([...WRITTEN, "training"], ["repeats"]),
    shows: (view) => {
      const rows = view.completions.filter(({ text }) => PHRASE.test(text.slice(-TAIL)));
      return rows.length > 0 && rows.length >= HALF * view.completions.length
        ? rows.slice(0, 2).map((row) => quote(row))
        : null;
    },
  },
  worse: { about: "the answers get worse", says: each([...WRITTEN, "training"], ["worsens"]) },
  empty: { about: "the completions are empty", says: each(WRITTEN, ["empty"]) },
  readable: { about: "the completions are readable", says: each(WRITTEN, ["readable", "correct", "wrong"]) },
  answers_right: {
    about: "answers are right",
    border: written`${HALF} % or more of the printed texts that are paid nothing hold the right answer`,
    says: ["completions.correct"],
    shows: rightUnpaid,
  },
  texts_worsen: {
    about: "what is written gets worse",
    says: each(WRITTEN, ["worsens", "collapses"]),
    shows: claims(each(WRITTEN, ["falls"]), ({ text }) => QUALITY.test(text)),
  },
  cheats: {
    about: "the policy uses a shortcut",
    says: each([
      "completions",
      "policy",
      "reward",
      "training",
      "accuracy",
      "accuracy_reward",
      "format_reward",
      "evaluation",
    ], [
      "cheats",
    ]),
  },
} as const satisfies Record<string, Symptom>;
