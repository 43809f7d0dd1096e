/** Whether a run prints what a verdict needs, and how that ends. @module */
import { isPreference } from "./groups.ts";
import { AGREEING_RECORDS, isNonFinite, isNumber, TREND_VALUES } from "./numbers.ts";
import { floorShare } from "./rewards.ts";
import type { RunView } from "./run_view.ts";
import { hasTold, onAll, onSome, printedOnes, recordsAndTold } from "./on_records.ts";

/** Metrics without which nothing can be said about a run. */
const TELLING = [
  "loss",
  "policy_loss",
  "reward",
  "grad_norm",
  "kl",
  "entropy",
  "chosen_reward",
  "reward_margin",
];

/** None of them is there. */
export function isSilent(view: RunView): boolean {
  return !TELLING.some((name) => view.column(name).some((value) => value !== null));
}

/** What one record shows of a run beside its loss: what is paid, the update, and the text or the policy. */
const AT_ONCE = [
  ["reward"],
  ["grad_norm", "kl", "approx_kl"],
  ["completion_length", "truncated_fraction", "entropy"],
] as const;

/** Records of a log that are too few for a course and print too little to be judged one by one; null where they are enough. */
export function tooFew(view: RunView): string | null {
  if (!view.imported || view.records >= AGREEING_RECORDS || isSilent(view)) return null;
  if (AT_ONCE.every((names) => names.some((name) => view.has(name)))) return null;
  if (hasTold(view)) return `${recordsAndTold(view)} is too little to judge a run`;
  return `${view.records} record${view.records === 1 ? " is" : "s are"} too few to judge a run`;
}

/**
 * Records of a log on which nothing was learned from: no gradient on any, or mostly no reward on few. No rule names so
 * little, as an untrained policy begins like that, and it proves no health either. Null where something was.
 */
export function nothingLearned(view: RunView): string | null {
  if (!view.imported || view.records === 0) return null;
  const all = onAll(view, view.records);
  // What pairs imply as a reward begins at 0.
  const gradients = view.column("grad_norm").filter(isNumber),
    rewards = isPreference(view) ? 0 : view.finite("reward").length;
  if (gradients.length > 0 && gradients.every((value) => value === 0)) return `grad_norm is 0 ${all}`;
  const atFloor = Math.round(floorShare(view) * rewards);
  if (rewards === 0 || rewards >= TREND_VALUES || atFloor <= rewards / 2) return null;
  return `the reward is at its floor ${atFloor === rewards ? all : onSome(view, atFloor, rewards)}`;
}

/** What is not finite in the last record, whatever the reason: such a run is never healthy. */
export function endsNotFinite(view: RunView): string | null {
  const last = view.records - 1;
  const name = ["loss", "grad_norm"].find((column) => isNonFinite(view.column(column)[last]));
  return name === undefined ? null : `${name} is ${view.column(name)[last]} in the last record, and no rule says why`;
}

/** What a run is judged by to its end: one column of each that it prints; the last where it prints none of the others. */
const NEEDED = [
  ["loss", "policy_loss"],
  ["reward", "chosen_reward", "reward_margin"],
  ["grad_norm"],
  ["kl", "entropy"],
] as const;
/** Records without a value at the end that are more than a pause, and times the longest pause before. */
const PAUSE = 5, PAUSES = 3;

/** Columns that stop while the records go on, and the last record that has a value of each (-1: none); null where none stops. */
export function stopsTelling(view: RunView): { readonly columns: readonly string[]; readonly last: number } | null {
  const judged = NEEDED.slice(0, -1).some((names) => names.some((name) => view.has(name)))
    ? NEEDED.slice(0, -1)
    : NEEDED;
  // What people tell of a run later than its records stop is no record that lacks what they print.
  const records = [...view.trainSteps.keys()].filter((record) => isPrinted(view, record));
  const stopped = judged.flatMap((names) => {
    const printed = records.filter((record) => names.some((name) => (view.column(name)[record] ?? null) !== null));
    // A log that writes the name, and null on every record.
    const isEmpty = view.imported && !names.some((name) => view.has(name)) &&
      names.some((name) => view.columns.has(name));
    if (printed.length < 2 && !isEmpty) return [];
    const last = printed.at(-1) ?? -1;
    const pause = printed.reduce((most, record, i) => Math.max(most, record - (printed[i - 1] ?? record)), 1);
    const isOver = (records.at(-1) ?? -1) - last >= Math.max(PAUSE, PAUSES * pause);
    return isOver ? [{ columns: names.filter((name) => view.columns.has(name) || view.has(name)), last }] : [];
  });
  if (stopped.length === 0) return null;
  return { columns: stopped.flatMap(({ columns }) => columns), last: Math.min(...stopped.map(({ last }) => last)) };
}

/** True of a record of which anything is printed; of a log that is every one. */
const isPrinted = (view: RunView, record: number) =>
  !view.isPost ||
  [...view.columns].some(([name, cells]) => (cells[record] ?? null) !== null && !view.isTold(name, record));

/** What the columns that tell of a run hold, one line each: all finite, on some records only, or not finite on some. */
export function heldBy(view: RunView): string[] {
  const records = printedOnes(view);
  const told = TELLING.map((name) => {
    const column = view.column(name);
    const cells = records.map((record) => view.isTold(name, record) ? null : column[record] ?? null);
    return {
      name,
      known: cells.filter(isNumber).length,
      bad: cells.flatMap((value, at) => isNonFinite(value) ? records[at]! : []),
    };
  }).filter(({ known, bad }) => known + bad.length > 0);
  const finite = told.filter(({ known }) => known === records.length).map(({ name }) => name);
  return [
    ...(finite.length === 0 ? [] : [`${finite.join(", ")} ${finite.length === 1 ? "is" : "are"} finite`]),
    ...told.filter(({ known }) => known < records.length).map(({ name, known, bad }) =>
      `${name} is ${bad.length === 0 ? "printed" : "finite"} on ${known} of ${records.length} records${
        bad.length === 0 ? "" : `, not so first at train step ${view.trainSteps[bad[0]!]}`
      }`
    ),
  ];
}
