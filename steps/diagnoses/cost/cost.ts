/**
 * What a run has cost since its first finding began: rollouts, tokens and hours without learning signal.
 *
 * Every figure follows from columns and settings of the run; what cannot be known is null, and `missing` says what would
 * tell. A record stands for the train steps since the one before it.
 * @module
 */
import { isTrl } from "../../../data/options.ts";
import type { Finding } from "../diagnosis.ts";
import { isReinforcement } from "../view/groups.ts";
import { finiteOf, isNumber, median } from "../view/numbers.ts";
import type { RunView } from "../view/run_view.ts";
import { settingNumber } from "../view/settings.ts";
import { spreadOf } from "../view/spread.ts";
import { recordTokens } from "./tokens.ts";
import type { Waste } from "./waste.ts";

/** What was lost since the onset of a finding. */
export interface Cost {
  /** Train step from which it holds; null where the finding names none. */
  readonly since: number | null;
  /** Share of the run's train steps that lie from there on. */
  readonly share_of_run: number | null;
  readonly waste: Waste;
  /** Share lost of all that the run made: rollouts, or what `WASTES` counts of this waste. */
  readonly rollouts: number | null;
  readonly tokens: number | null;
  readonly hours: number | null;
  /** What the run has of them altogether. */
  readonly of: { readonly tokens: number | null; readonly hours: number | null };
  /** Processes with a GPU each, as the configuration says. */
  readonly gpus: number | null;
  /** What would tell the figures that are null, a clause each. */
  readonly missing: readonly string[];
}

/** What a clause of `missing` begins with that tells tokens alone, no hours. */
export const OF_TOKENS = "num_tokens";
const MS_PER_HOUR = 3.6e6;
const KNOWN = 0.5; // Share of the records that must show a value for the others to be taken for their median.

/** The cost of a finding, whose cause wastes this; null where the log has no records. */
export function costOf(finding: Finding, waste: Waste, view: RunView): Cost | null {
  const { trainSteps } = view;
  if (trainSteps.length === 0) return null;
  const since = finding.train_steps[0] ?? (waste === "all" ? trainSteps[0]! : null);
  const from = since === null ? -1 : trainSteps.findIndex((step) => step >= since);
  if (from < 0) return { ...NOTHING, since, waste, gpus: gpusOf(view), missing: ["the train step at which it began"] };
  // A record without a printed train step stands for as many as the configuration says.
  const each = view.stepsPrinted ? 1 : settingNumber(view, "logging_steps") ?? 1;
  const steps = weights(trainSteps).map((count) => count * each),
    isTimed = view.stepsPrinted || settingNumber(view, "logging_steps") !== null;
  // A record that stands for nobody knows how many train steps has a time of one, and of TRL's lengths of one: only a count
  // that goes on tells its tokens.
  const isCounted = isTimed || !isTrl(view.system) || finiteOf(view.column("num_tokens")).length > 1;
  const tokens = isCounted ? filled(recordTokens(view, steps)) : null;
  const hours = !isTimed ? null : filled(view.column("step_ms").map((ms) => isNumber(ms) && ms > 0 ? ms : null))
    ?.map((ms, record) => ms * steps[record]! / MS_PER_HOUR) ?? null;
  const lost = waste === "none"
    ? null
    : waste === "slow"
    ? slowShares(hours, steps, from)
    : shares(waste, finding, view, from);
  const lostOf = (amounts: readonly number[] | null) =>
    amounts === null || lost === null ? null : total(amounts.map((amount, record) => amount * lost[record]!));
  const made = total(steps), spent = waste === "slow" ? hours ?? steps : waste === "longer" ? tokens ?? steps : steps;
  return {
    since,
    share_of_run: made === 0 ? null : total(steps.slice(from)) / made,
    waste,
    rollouts: lost === null || total(spent) === 0 ? null : lostOf(spent)! / total(spent),
    tokens: waste === "slow" ? null : waste === "cut" ? lostOf(cutTokens(view, tokens)) : lostOf(tokens),
    hours: lostOf(hours),
    of: { tokens: tokens === null ? null : total(tokens), hours: hours === null ? null : total(hours) },
    gpus: gpusOf(view),
    missing: [
      ...(lost === null && waste !== "none" ? [MISSING[waste] ?? "the share that was lost"] : []),
      ...(tokens === null && isCounted && isReinforcement(view)
        ? [`${OF_TOKENS}, or completion lengths and their number`]
        : []),
      ...(hours !== null ? [] : [
        isTimed ? "step_ms (the time of a train step)" : "the train steps that a record stands for (logging_steps)",
      ]),
    ],
  };
}

const NOTHING = {
  share_of_run: null,
  rollouts: null,
  tokens: null,
  hours: null,
  of: { tokens: null, hours: null },
} as const;

const MISSING: Readonly<Partial<Record<Waste, string>>> = {
  flat: "zero_spread_fraction (the share of groups without spread)",
  cut: "truncated_fraction",
  clipped: "clip_fraction",
  longer: "completion_length",
  slow: "step_ms before it began",
};

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** Train steps that each record stands for: those since the furthest before it; of a step that is made again, one. */
function weights(trainSteps: readonly number[]): number[] {
  const ways = trainSteps.slice(1).map((step, i) => step - trainSteps[i]!).filter((way) => way > 0);
  let furthest: number | null = null;
  return trainSteps.map((step) => {
    // A first record at train step 1 stands for that step, whatever comes between two later ones.
    const way = furthest === null ? Math.min(ways[0] ?? 1, step > 0 ? step : Infinity) : step - furthest;
    furthest = Math.max(furthest ?? step, step);
    return way > 0 ? way : 1;
  });
}

/** Cells with what is absent taken for the median of the others; null where most are. */
function filled(cells: readonly (number | null | undefined)[] | null): number[] | null {
  const known = (cells ?? []).filter((cell): cell is number => isNumber(cell ?? null));
  if (cells === null || known.length === 0 || known.length < KNOWN * cells.length) return null;
  const usual = median(known);
  return cells.map((cell) => isNumber(cell ?? null) ? cell! : usual);
}

/** Share lost of each record: 0 before the onset; null where the log cannot tell. */
function shares(waste: Waste, finding: Finding, view: RunView, from: number): number[] | null {
  const late = (cells: readonly (number | null | undefined)[]) =>
    filled(view.trainSteps.slice(from).map((_, i) => cells[from + i] ?? null))
      ?.map((share) => Math.min(1, Math.max(0, share))) ?? null;
  const listed = new Set(finding.train_steps);
  const after = waste === "all" || waste === "wrong"
    ? view.trainSteps.slice(from).map(() => 1)
    : waste === "listed"
    ? view.trainSteps.slice(from).map((step) => listed.has(step) ? 1 : 0)
    : waste === "longer"
    ? late(beyond(view.column("completion_length"), from))
    : late(
      waste === "flat" ? spreadOf(view).share : view.column(waste === "cut" ? "truncated_fraction" : "clip_fraction"),
    );
  return after === null ? null : [...Array(from).fill(0), ...after];
}

/** Tokens of each record as if all of its completions were as long as those that are cut off: these are the longest. */
function cutTokens(view: RunView, tokens: readonly number[] | null): number[] | null {
  const mean = view.column("completion_length"), longest = view.column("completion_length_max");
  const cap = settingNumber(view, "max_new_tokens"), share = view.column("truncated_fraction");
  return tokens?.map((count, record) => {
    const length = mean[record], top = cap ?? longest[record];
    if (!isNumber(length) || !isNumber(top) || length <= 0 || top <= length) return count;
    // All that was made is the most that can be lost.
    const part = share[record];
    return count * Math.min(top / length, isNumber(part) && part > 0 ? 1 / part : Infinity);
  }) ?? null;
}

/** Share of each length that is beyond the one at the onset. */
function beyond(lengths: readonly (number | null)[], from: number): (number | null)[] {
  const start = median(lengths.slice(Math.max(0, from - 2), from + 3).filter(isNumber));
  return lengths.map((length) => isNumber(length) && length > 0 && start > 0 ? 1 - start / length : null);
}

/** Share of each record's time that is beyond the median of before; null where there was no before. */
function slowShares(hours: readonly number[] | null, steps: readonly number[], from: number): number[] | null {
  if (hours === null || from === 0) return null;
  const usual = median(hours.slice(0, from).map((spent, record) => spent / steps[record]!));
  return hours.map((spent, record) => record < from ? 0 : Math.max(0, 1 - usual * steps[record]! / spent));
}

/** GPUs by the configuration: processes of a machine times machines. OpenRLHF's actor is only a part of what runs. */
function gpusOf(view: RunView): number | null {
  if (!view.imported || view.system === "openrlhf") return null;
  const world = view.settings.findLast(({ name }) => name === "world_size")?.value;
  if (typeof world === "number" && world > 0) return world;
  const devices = settingNumber(view, "devices");
  return devices === null ? null : devices * (settingNumber(view, "nodes") ?? 1);
}
