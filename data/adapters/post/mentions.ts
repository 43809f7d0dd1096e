/** Where a text speaks of a metric, or of what is sampled and trained. @module */
import { nameInfo } from "../intake/name_info.ts";
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

/** The subject that numbers of a column are of; null for columns that nobody speaks of in words. */
function subjectOf(column: string): SubjectName | null {
  if (column.startsWith("sampler_")) return "logprobs";
  if (column.startsWith("reward.")) {
    return /format/i.test(column) ? "format_reward" : /iou/i.test(column) ? "iou_reward" : "accuracy_reward";
  }
  return (Object.entries(SUBJECTS) as [SubjectName, Subject][]).find(([, own]) => own.column === column)?.[0] ?? null;
}

/** In the order of the text; none overlaps another. */
export function mentionsIn(text: string): Mention[] {
  const printed = [...text.matchAll(PRINTED)].flatMap(({ index: at, 0: name }): Mention[] => {
    const info = nameInfo(name);
    if (!info.mapped || info.isStep || info.isOption && !info.isStrong || /coef/i.test(name)) return [];
    const subject = info.isEval ? /loss/i.test(name) ? "eval_loss" : "evaluation" : subjectOf(info.column);
    return [{ subject, name, at, end: at + name.length }];
  });
  // A word within a name is none ("init_kl_coef"), nor is the limit that an option sets ("max grad norm").
  const isWhole = ({ at, end }: { at: number; end: number }) =>
    !/[A-Za-z0-9_]/.test(text[at - 1] ?? "") && !/[A-Za-z0-9_]/.test(text[end] ?? "") &&
    !/\w[./]$/.test(text.slice(Math.max(0, at - 2), at)) && !LIMIT.test(text.slice(Math.max(0, at - 12), at));
  const spoken = subjectsIn(text).filter((one) =>
    isWhole(one) && !printed.some(({ at, end }) => one.at < end && one.end > at)
  )
    .map(({ name, at, end }): Mention => ({
      subject: name,
      name: (SUBJECTS[name] as Subject).name ?? SUBJECTS[name].column,
      at,
      end,
    }));
  return [...printed, ...spoken].sort((a, b) => a.at - b.at);
}
