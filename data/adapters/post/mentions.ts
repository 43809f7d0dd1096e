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

const subjectsIn = wordTable<SubjectName>(SUBJECTS);

/** The subject that numbers of a column are of; null for columns that nobody speaks of in words. */
function subjectOf(column: string): SubjectName | null {
  if (column.startsWith("reward.")) {
    return /format/i.test(column) ? "format_reward" : /iou/i.test(column) ? "iou_reward" : "accuracy_reward";
  }
  return (Object.entries(SUBJECTS) as [SubjectName, Subject][]).find(([, own]) => own.column === column)?.[0] ?? null;
}

/** In the order of the text; none overlaps another. */
export function mentionsIn(text: string): Mention[] {
  const printed = [...text.matchAll(PRINTED)].flatMap(({ index: at, 0: name }): Mention[] => {
    const info = nameInfo(name);
    if (!info.mapped || info.isStep) return [];
    const subject = info.isEval ? "evaluation" : subjectOf(info.column);
    return [{ subject, name, at, end: at + name.length }];
  });
  const spoken = subjectsIn(text).filter(({ at, end }) => !printed.some((one) => at < one.end && end > one.at))
    .map(({ name, at, end }): Mention => ({
      subject: name,
      name: (SUBJECTS[name] as Subject).name ?? SUBJECTS[name].column,
      at,
      end,
    }));
  return [...printed, ...spoken].sort((a, b) => a.at - b.at);
}
