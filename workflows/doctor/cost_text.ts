/** What a run lost, as one clause: how much of what, in how many hours, for how much money. @module */
import type { Cost } from "../../steps/diagnoses/cost/cost.ts";
import { WASTES } from "../../steps/diagnoses/cost/waste.ts";
import { percent } from "../../steps/diagnoses/view/numbers.ts";
import { billOf, type Machine, moneyText } from "./bill.ts";

/** Shares that a person takes for one number. */
const SAME = 0.01;
/** Below this share, and below it a whole, nothing is worth a sentence; above, it is all. */
const NOTHING = 0.005;

interface Said {
  readonly machine: Machine | undefined;
  /** The run samples completions: else its train steps are counted. */
  readonly samples: boolean;
  /** What was found is a warning: nothing is lost yet for certain. */
  readonly isWarning: boolean;
}

/** "45 % of the rollouts taught nothing (6.2 of 11.3 h)"; null where nothing is known, or too little to be said. */
export function costText(cost: Cost, { machine, samples, isWarning }: Said): string | null {
  const { waste, rollouts: share, share_of_run: since } = cost, words = WASTES[waste];
  if (share === null || words === null || share < NOTHING) return null;
  const noun = words.of === "rollouts" && !samples ? "train steps" : words.of, amount = amountText(cost, machine);
  const isAll = share > 1 - NOTHING, isRest = since !== null && Math.abs(share - since) < SAME;
  if (waste === "slow") return `${amount ?? percent(rounded(share))} ${words.said}`;
  const which = isAll ? `all ${noun}` : isRest ? `the ${noun} since then` : `${percent(rounded(share))} of the ${noun}`;
  const within = amount === null ? "" : ` (${amount})`;
  // Without an amount "the train steps since then" says nothing that the date has not said.
  if (isWarning && (waste === "all" || waste === "wrong")) {
    return isRest && amount === null ? null : `at risk: ${which}${within}`;
  }
  return isAll && words.said === "taught nothing"
    ? `no ${noun.slice(0, -1)} taught anything${within}`
    : `${which} ${words.said}${within}`;
}

const rounded = (share: number) => Math.round(100 * share) / 100;

/** Hours with GPU hours and money, else tokens; null where neither is known. */
function amountText(cost: Cost, machine: Machine | undefined): string | null {
  if (cost.hours === null || cost.of.hours === null) {
    return cost.tokens === null || cost.of.tokens === null ? null : tokensText(cost.tokens, cost.of.tokens);
  }
  const { gpu_hours, money, currency } = billOf(cost, machine);
  return [
    durationText(cost.hours, cost.of.hours),
    ...(gpu_hours === null ? [] : [`${short(gpu_hours)} GPU hours`]),
    ...(money === null ? [] : [moneyText(money, currency)]),
  ].join(", ");
}

const SECONDS = 3600, MINUTES = 60, FEW = 2; // In an hour; up to two of the larger unit the smaller one is said.

/** "6.2 of 11.3 h", "35 of 64 min", "40 of 73 s". */
function durationText(part: number, whole: number): string {
  const [factor, unit] = whole * MINUTES < FEW ? [SECONDS, "s"] : whole < FEW ? [MINUTES, "min"] : [1, "h"];
  return partText(part * factor, whole * factor, unit);
}

const SIZES = [[1e9, "billion tokens"], [1e6, "million tokens"], [1e3, "thousand tokens"]] as const;

function tokensText(part: number, whole: number): string {
  const [size, unit] = SIZES.find(([least]) => whole >= least) ?? [1, "tokens"];
  return partText(part / size, whole / size, unit);
}

/** The whole alone where the part is all of it. */
function partText(part: number, whole: number, unit: string): string {
  return part > (1 - NOTHING) * whole ? `${short(whole)} ${unit}` : `${short(part)} of ${short(whole)} ${unit}`;
}

/** One decimal below a hundred, one digit below one. */
function short(value: number): string {
  if (value >= 100) return String(Math.round(value));
  return String(Number(value >= 1 || value === 0 ? value.toFixed(1) : value.toPrecision(1)));
}
