/** Where a text speaks of a metric, or of what is sampled and trained. @module */
import { isLowerBetter } from "./numbers/lower_is_better.ts";
import { nameInfo } from "../intake/name_info.ts";
import { isSetting } from "./stance/setting_words.ts";
import { wordTable } from "./words/match.ts";
import { type Subject, type SubjectName, SUBJECTS } from "./words/subjects.ts";

/** A mention of a metric, by a word of a language or by its name in a log. */
export interface Mention {
  readonly subject: SubjectName | null;
  /** Its name for `nameInfo`; null where no column takes its numbers. */
  readonly name: string | null;
  readonly at: number;
  readonly end: number;
}

/** Names as logs print them. */
const PRINTED = /[A-Za-z][\w@]*(?:[/_.-][\w@]+)+/g;

const LIMIT = /(?:max(?:imum)?|init(?:ial)?|target|min(?:imum)?|最大|上限|目标)[ _-]?(?:的)?$/i;
const subjectsIn = wordTable<SubjectName>(SUBJECTS);

/** Columns that are more of a subject than its own. */
const OF_COLUMN: Readonly<Record<string, SubjectName>> = {
  chosen_logprob: "chosen",
  rejected_logprob: "rejected",
  kl_sequence: "kl",
  approx_kl: "kl",
  reward_after_kl: "reward",
  clip_fraction_high: "clip_fraction",
  clip_fraction_low: "clip_fraction",
  "reward.std": "group_reward_std",
};

/** A metric under a name that no trainer has: a word for what it is, with folders and statistics around it. */
const COMPOSED = new RegExp(
  `^(?:(?:objective|policy|train(?:ing)?|actor|ppo|grpo|dpo|mean|avg|average|approx|token|per_token|batch|total|mini_?batch|rollout|metrics?|log|stats?|global|pg|loss)[/_.-])*` +
    `(kl(?:_?div(?:ergence)?)?|entropy|grad(?:ient)?_?norm|gnorm|clip_?frac(?:tion)?|clipped_frac(?:tion)?|rewards?|scores?|returns?|loss|margins?|response_length|completion_length)` +
    `(?:[/_.-](?:mean|avg|average|max|loss|value|total|epoch|step))*$`,
  "i",
);
const COMPOSED_SUBJECTS: readonly (readonly [word: RegExp, subject: SubjectName])[] = [
  [/^kl/i, "kl"],
  [/^entropy/i, "entropy"],
  [/norm$/i, "grad_norm"],
  [/^clip/i, "clip_fraction"],
  [/^(?:rewards?|scores?|returns?)$/i, "reward"],
  [/^loss$/i, "loss"],
  [/^margins?$/i, "margin"],
  [/length$/i, "completion_length"],
];

function composedOf(name: string): SubjectName | null {
  const word = COMPOSED.exec(name)?.[1];
  return word === undefined ? null : COMPOSED_SUBJECTS.find(([own]) => own.test(word))?.[1] ?? null;
}

/** What `nameInfo` knows its numbers by: the name without its folders, as far as it must be. */
function columnOf(name: string, subject: SubjectName): string | null {
  if (/approx|ppo_?kl/i.test(name)) return "approx_kl";
  const rest = [...name.matchAll(/[/_.-]/g)].map(({ index }) => name.slice(index + 1));
  return rest.find((own) => nameInfo(own).mapped) ?? SUBJECTS[subject].column;
}

/** A score of an evaluation that no trainer prints. */
const SCORE = /acc|score|@\d|pass|match|(?:^|[/_.])(?:em|f1)$|reward|win|solve|success/i;

/** The subject that numbers of a column are of; null for columns that nobody speaks of in words. */
function subjectOf(column: string): SubjectName | null {
  if (column.startsWith("sampler_")) return "logprobs";
  if (Object.hasOwn(OF_COLUMN, column)) return OF_COLUMN[column]!;
  if (column.startsWith("reward.")) {
    return /format/i.test(column) ? "format_reward" : /iou/i.test(column) ? "iou_reward" : "accuracy_reward";
  }
  return (Object.entries(SUBJECTS) as [SubjectName, Subject][]).find(([, own]) => own.column === column)?.[0] ?? null;
}

/** An option of a command, in which the mention stands, and how far back it may begin. */
const FLAG = /(?<![\w-])--[A-Za-z][\w.-]*$|(?<![\w-])--$/, FLAG_NAME = 40;

/** In the order of the text; none overlaps another. */
export function mentionsIn(text: string): Mention[] {
  const printed = [...text.matchAll(PRINTED)].flatMap(({ index: at, 0: name }): Mention[] => {
    const info = nameInfo(name);
    const composed = info.mapped || info.isOption || info.isEval ? null : composedOf(name);
    if (composed !== null) return [{ subject: composed, name: columnOf(name, composed), at, end: at + name.length }];
    if (!info.mapped && info.isEval && SCORE.test(name)) {
      return [{ subject: "evaluation", name: "eval_accuracy", at, end: at + name.length }];
    }
    if (!info.mapped || info.isStep || info.isOption && !info.isStrong || /coef/i.test(name)) return [];
    const subject = info.isEval ? /loss/i.test(name) ? "eval_loss" : "evaluation" : subjectOf(info.column);
    return [{ subject, name, at, end: at + name.length }];
  });
  // Where a letter of a script without spaces stands, a word begins or ends: "ppo训练loss".
  const isWithin = (pair: string) => /^[A-Za-z0-9_]{2}$/.test(pair);
  // A word within a name is none ("init_kl_coef"), nor is the limit that an option sets ("max grad norm").
  const isWhole = ({ at, end }: { at: number; end: number }) =>
    !isWithin(text.slice(at - 1, at + 1)) && !isWithin(text.slice(end - 1, end + 1)) &&
    !/\w[./]$/.test(text.slice(Math.max(0, at - 2), at)) && !LIMIT.test(text.slice(Math.max(0, at - 12), at));
  const spoken = subjectsIn(text).filter((one) =>
    isWhole(one) && !printed.some(({ at, end }) => one.at < end && one.end > at)
  )
    .map(({ name, at, end }): Mention =>
      isSetting(text, at, end)
        ? { subject: null, name: null, at, end }
        : { subject: name, name: (SUBJECTS[name] as Subject).name ?? SUBJECTS[name].column, at, end }
    );
  const isOption = ({ at }: Mention) => FLAG.test(text.slice(Math.max(0, at - FLAG_NAME), at));
  return [...printed, ...spoken].filter((one) =>
    !isOption(one) && !isLowerBetter(one.subject, text.slice(one.at, one.end), text)
  ).sort((a, b) => a.at - b.at);
}
