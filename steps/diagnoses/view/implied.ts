/**
 * What implies what: columns that a log does not print and that follow from those it does.
 *
 * The one table of it; `RunView.column` reads it, so that no rule guesses on its own. A column is implied on every record
 * that prints what it follows from, or not at all: a value on some records only would be a sample of the worst.
 * @module
 */
import { NO_SPREAD } from "../../../data/statistics/mod.ts";
import { type Cells, isNumber, ROUNDING } from "./numbers.ts";
import { cancelsInLoss } from "./plain_loss.ts";
import type { RunView } from "./run_view.ts";
import { setting, settingNumber } from "./settings.ts";

/** Tokens from which completions of one length are cut off and not answers of one word. */
const CUT = 8;
/** How far rounding may carry a share beyond 0 or 1. */
const SHARE_SLACK = 0.01;
/** Records from which a loss that is never negative, and begins at 0, is nothing but a KL. */
const LOSS_RECORDS = 5;
const MS = 1000; // In a second.

/** One way to a column. */
interface Way {
  /** The columns it follows from, of a view whose names say which. */
  readonly from: readonly string[] | ((view: RunView) => readonly string[]);
  /** The formula, and why it is exact or how far it may be off. */
  readonly because: string;
  /** What it needs of the run besides, such as the cap; null where that is not known, or the way does not fit the run. */
  readonly given?: (view: RunView) => number | null;
  /** The value at a record, from its cells in the order of `from`; null where they do not tell. */
  readonly at: (cells: readonly number[], given: number) => number | null;
}

/** A column that follows from others. */
export interface Implied {
  readonly from: readonly string[];
  readonly cells: Cells;
}

const hasGroups = (view: RunView) => view.algorithm !== "ppo" && settingNumber(view, "group_size") !== 1;
const cap = (view: RunView) => settingNumber(view, "max_new_tokens");
const shareOf = (value: number) =>
  value < -SHARE_SLACK || value > 1 + SHARE_SLACK ? null : Math.min(1, Math.max(0, value));

/** The ways to each column, the most direct first. */
export const IMPLIED: Readonly<Record<string, readonly Way[]>> = {
  zero_spread_fraction: [
    {
      from: ["group_reward_std"],
      because:
        "1 where the mean over groups of their deviation is 0: deviations are not negative, so each of them is 0",
      at: ([deviation]) => deviation! <= NO_SPREAD.deviation ? 1 : null,
    },
    {
      from: ["reward_std"],
      because: "1 where the deviation over the batch is 0: all rewards are one, so those of every group are",
      at: ([deviation]) => deviation === 0 ? 1 : null,
    },
    {
      from: (view) => hasGroups(view) ? ["advantage_min", "advantage_max"] : [],
      because:
        "1 where both are 0 (1e-6: summed in float32) and advantages are those of groups: one with spread has an " +
        "advantage that is not 0",
      at: (ends) => ends.every((end) => Math.abs(end) <= NO_SPREAD.printed) ? 1 : null,
    },
    {
      from: ["reward_min", "reward_max"],
      because: "1 where they are equal: all rewards lie between them",
      at: ([least, most]) => least === most ? 1 : null,
    },
  ],
  reward_std: [{
    from: ["reward_min", "reward_max"],
    because: "0 where they are equal: all rewards lie between them",
    at: ([least, most]) => least === most ? 0 : null,
  }],
  truncated_fraction: [
    {
      from: ["completion_length", "terminated_length"],
      because:
        "(mean - terminated) / (cap - terminated), for mean = share x cap + (1 - share) x terminated: exact, for a " +
        "completion is truncated at the cap and nowhere else",
      given: cap,
      at: ([mean, terminated], most) =>
        terminated! < most ? shareOf((mean! - terminated!) / (most - terminated!)) : null,
    },
    {
      from: ["completion_length_min", "completion_length", "completion_length_max"],
      because: `1 where all are one number of at least ${CUT} tokens, record after record: completions that end by ` +
        "themselves differ in length, so that number is a cap",
      at: ([least, mean, most]) => least === mean && mean === most && mean! >= CUT ? 1 : null,
    },
  ],
  completion_length: [
    {
      from: ["completion_length_min", "completion_length_max"],
      because: "either, where they are equal: the mean lies between them",
      at: ([least, most]) => least === most ? least! : null,
    },
    {
      from: ["truncated_fraction", "terminated_length"],
      because: "share x cap + (1 - share) x terminated: the mean over both kinds of completions",
      given: cap,
      at: ([share, terminated], most) => share! * most + (1 - share!) * terminated!,
    },
  ],
  clip_fraction: [{
    from: ["clip_fraction_low", "clip_fraction_high"],
    because: "their sum: a ratio is clipped at one end or the other, and both are shares of the same ratios",
    at: ([low, high]) => low! + high!,
  }],
  reward_margin: [{
    from: ["chosen_reward", "rejected_reward"],
    because: "chosen - rejected: the mean of differences is the difference of the means",
    at: ([chosen, rejected]) => chosen! - rejected!,
  }],
  kl: [
    {
      from: ["kl_sequence", "completion_length"],
      because:
        "nats of a completion over its tokens: the mean over tokens; off from a mean over completions as far as " +
        "long ones have another KL per token",
      at: ([nats, tokens]) => tokens! > 0 ? nats! / tokens! : null,
    },
    {
      from: ["loss"],
      because: "loss / kl_coef where a rollout has one update and every completion counts alike: the ratio is 1 and " +
        "advantages sum to 0 in a group, so the KL is all of the loss; off by the loss's rounding over kl_coef",
      given: klWeight,
      at: ([loss], weight) => Math.max(0, loss!) / weight,
    },
  ],
  reward: [{
    from: rewardParts,
    because:
      "the one reward function, or the sum of all where the run weighs them equally: the mean of a sum is the sum " +
      "of the means",
    at: (parts) => parts.length === 0 ? null : parts.reduce((sum, part) => sum + part, 0),
  }],
  tokens_per_second: [{
    from: ["loss_tokens", "step_ms"],
    because: "tokens over the time: less by the tokens that do not count in the loss",
    at: ([tokens, ms]) => ms! > 0 ? MS * tokens! / ms! : null,
  }],
  value_explained_variance: [{
    from: ["value_loss", "return_std"],
    because: "1 - mean squared error / variance of the returns, the error twice the loss as verl and TRL print it: " +
      "exact where the values are off by nothing on average and none is clipped, else too low",
    given: (view) => ["trl", "verl"].includes(view.system ?? "") ? 2 : null,
    at: ([loss, deviation], half) => deviation! > 0 ? 1 - half * loss! / deviation! ** 2 : null,
  }],
};

/** The weight of the KL in a loss that is nothing else: never negative, 0 before the first update. */
function klWeight(view: RunView): number | null {
  const weight = settingNumber(view, "kl_coef"), loss = (view.columns.get("loss") ?? []).filter(isNumber);
  if (weight === null || weight <= 0 || loss.length < LOSS_RECORDS) return null;
  if (settingNumber(view, "updates_per_rollout") !== 1 || !cancelsInLoss(view)) return null;
  const slack = Math.max(ROUNDING, view.rounding("loss"));
  return Math.abs(loss[0]!) <= slack && loss.every((value) => value >= -slack) ? weight : null;
}

/** The reward functions of a run that prints no total. */
function rewardParts(view: RunView): readonly string[] {
  const names = [...view.columns.keys()].filter((name) => /^reward\.(?!total)/.test(name));
  const weights = setting(view, "reward_weights")?.value;
  const areOne = Array.isArray(weights) && weights.length === names.length && weights.every((weight) => weight === 1);
  return names.length === 1 && weights === undefined || areOne ? names : [];
}

/** What a way says of every record; null where it does not fit the run. */
function applied(way: Way, view: RunView) {
  const given = way.given === undefined ? 0 : way.given(view);
  const from = typeof way.from === "function" ? way.from(view) : way.from;
  const printed = from.map((name) => view.columns.get(name));
  if (given === null || from.length === 0 || printed.some((cells) => cells === undefined)) return null;
  const at = (record: number) => {
    const cells = printed.map((column) => column![record] ?? null);
    return cells.every(isNumber) ? { value: way.at(cells as number[], given) } : null;
  };
  return { from, at };
}

/** The column that follows from what is printed; null where none does. */
export function impliedColumn(view: RunView, column: string): Implied | null {
  for (const way of Object.hasOwn(IMPLIED, column) ? IMPLIED[column]! : []) {
    const found = applied(way, view);
    if (found === null) continue;
    const told = view.trainSteps.map((_, record) => found.at(record));
    if (told.every((one) => one === null || one.value === null)) continue;
    if (told.every((one) => one === null || one.value !== null)) {
      return { from: found.from, cells: told.map((one) => one?.value ?? null) };
    }
  }
  return null;
}

/** The same at one record, whatever the others say, and the columns that say it; null where none does. */
export function impliedAt(view: RunView, column: string, record: number) {
  const ways = view.memo(`ways to ${column}`, () => IMPLIED[column]!.flatMap((way) => applied(way, view) ?? []));
  for (const { from, at } of ways) {
    const value = at(record)?.value ?? null;
    if (value !== null) return { value, from };
  }
  return null;
}
