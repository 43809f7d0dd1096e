/** The learning rate of a run and what is usual for its system. @module */
import { AROUND, usualRange, usualStepRate } from "../../../data/usual_learning_rate.ts";
import { isPreference, isReinforcement } from "./groups.ts";
import { median, recordsOf } from "./numbers.ts";
import { asNumber, ownNumber, setting, settingNumber } from "./settings.ts";
import { isOfFewDigits, learnsFrom } from "./rounded_rate.ts";
import { interval } from "./start.ts";
import type { RunView } from "./run_view.ts";

/** The steps that train otherwise than on rollouts or pairs, which have one rate. */
const TRAINS: Readonly<Record<string, string>> = { sft: "fine_tune", reward_model: "train_reward_model" };
const SHOW_PEAK = 3; // Records from which the printed rates show the schedule's peak.

/** How many updates the records span. */
export function trainsSteps(view: RunView): number {
  const steps = view.trainSteps;
  if (steps.length === 0) return 0;
  // The first record stands for the updates since the one before it.
  return view.stepsPrinted ? Math.max(steps.length, steps.at(-1)! - steps[0]! + interval(view)) : steps.length;
}

/** The same of a log without steps: as many for each record as its configuration says. */
export function updatesOf(view: RunView): number {
  return trainsSteps(view) * (view.stepsPrinted ? 1 : interval(view));
}

const UNITS: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, b: 1e9 };
const TINY = 1e6; // Parameters of a model that is called tiny.

/** Parameters of the model: as they are written, else as its name tells ("1.7B", "156k", "tiny"); null if it does not. */
export function modelParameters(view: RunView): number | null {
  const written = asNumber(view.settings.find(({ name }) => name === "parameters")?.value);
  if (written !== null) return written;
  const name = String(setting(view, "model")?.value ?? ""),
    [, count, unit] = /(\d+(?:\.\d+)?)\s?([kmb])(?![a-z])/i.exec(name) ?? [];
  if (count !== undefined) return Number(count) * UNITS[unit!.toLowerCase()]!;
  return /\btiny\b|tiny[-_]/i.test(name) ? TINY : null;
}

const SHORT = 50; // Tokens per completion that a language model of size hardly stays below; toy tasks of tiny models do.

const FIRST_RECORDS = 10; // Before anything has broken.

/** A model whose size is not told and whose first completions are those of a toy: what is usual for a large one says nothing of it. */
export function mayBeTiny(view: RunView): boolean {
  const lengths = view.finite("completion_length");
  return view.imported && modelParameters(view) === null && lengths.length > 0 &&
    median(lengths.slice(0, FIRST_RECORDS)) < SHORT;
}

/** The usual learning rate for the run's model and kind of training. */
export function usualRate(view: RunView): number {
  return usualStepRate(TRAINS[view.algorithm ?? ""] ?? "apply_update", {
    parameters: ownNumber(view, "parameters"),
    adapter: hasAdapter(view),
  });
}

/** What a run trains and how, as the table of usual rates wants it. */
export function trainingOf(view: RunView): { parameters: number | null; supervised: boolean; adapter: boolean } {
  const supervised = !isReinforcement(view) && !isPreference(view);
  return { parameters: modelParameters(view), supervised, adapter: hasAdapter(view) };
}

/** Kinds of tuning, and switches, under which all weights train. */
const WHOLE = /^(?:full|freeze|false|none|no|off|0)$/i;

const hasAdapter = (view: RunView) =>
  !WHOLE.test(String(setting(view, "lora")?.value ?? "")) &&
    (setting(view, "lora_rank") !== null || setting(view, "lora") !== null) ||
  view.messages.some((entry) => /trainable%/.test(entry.text));

/** The usual ones of large models and of the smallest, which stand most: what is far above the second no model stands. */
export function usualRatesOfAnySize(view: RunView): readonly [large: number, smallest: number] {
  return usualRange(hasAdapter(view));
}

/** The same where a foreign log tells the size of its model: the small ones stand more. */
export function usualRateOfSize(view: RunView): number {
  return Math.max(usualRate(view), usualStepRate("apply_update", { parameters: modelParameters(view) }));
}

/** True if the rate of the run is about the usual one, or below: it is not what is wrong. */
export function isUsualRate(view: RunView): boolean {
  const rate = peakLearningRate(view);
  return rate !== null && rate <= AROUND * usualRateOfSize(view);
}

/** The usual one of a critic: it learns from given returns, as a supervised model does. */
export function usualCriticRate(view: RunView): number {
  return usualStepRate("update_critic", { parameters: ownNumber(view, "parameters") });
}

/** The largest learning rate configured or printed, or null. */
export function peakLearningRate(view: RunView): number | null {
  const printed = view.finite("learning_rate");
  const configured = settingNumber(view, "learning_rate");
  if (printed.length === 0) return configured;
  // A small rate, rounded to 0: the run that learns has one.
  if (view.imported && Math.max(...printed) === 0 && learnsFrom(view) !== null) return configured;
  return Math.max(...printed, view.records < SHOW_PEAK ? configured ?? 0 : 0);
}

/** Decimals from which a printed rate of 0 may be any below half of the last. */
export const FIXED = 2;
/** Share of the run before whose end a rate of 0 is none of a schedule's last steps, and records that show it. */
export const IDLE_BEFORE = 0.7, LEAST_IDLE = 10;

/** The record from which the printed rate is exactly 0 to the end, long before it; null where there is none. */
export function idleFrom(view: RunView): number | null {
  const cells = view.column("learning_rate"), known = recordsOf(cells), decimals = view.decimals("learning_rate");
  const from = known.findLastIndex((record) => cells[record]! !== 0) + 1;
  // A small rate with few decimals is printed as 0.
  if (decimals !== null && decimals >= FIXED || isOfFewDigits(view)) return null;
  if (from === 0 || known.length - from < LEAST_IDLE || from >= IDLE_BEFORE * known.length) return null;
  // A run that goes on learning has a rate, whatever is printed of it.
  return view.imported && learnsFrom(view, known[from]!) !== null ? null : known[from]!;
}

export const SPENT = 0.02; // Share of its peak at which a rate is spent: a cosine is below it for the last tenth of its way.

/** The same of a rate that is down to nearly nothing of its peak, whatever decimals it has: the record from which it is so. */
export function spentFrom(view: RunView): number | null {
  const cells = view.column("learning_rate"),
    known = recordsOf(cells),
    peak = Math.max(...known.map((at) => cells[at]!));
  const from = known.findLastIndex((record) => cells[record]! > SPENT * peak) + 1;
  const isRounded = view.rounding("learning_rate") > SPENT * peak || isOfFewDigits(view);
  return !(peak > 0) || isRounded || known.length - from < LEAST_IDLE || from >= IDLE_BEFORE * known.length
    ? null
    : known[from]!;
}
