/** How many completions a group has, from the configuration or the printed completions. @module */
import type { groupTraits } from "../../advantages/advantage.ts";
import { settingNumber } from "./settings.ts";
import { groupsOf, isGrouped } from "./spread.ts";
import type { RunView } from "./run_view.ts";

export function groupSize(view: RunView): number | null {
  return view.memo("group size", () => {
    const configured = settingNumber(view, "group_size");
    if (configured !== null) return configured;
    const groups = groupsOf(view.completions.filter(isGrouped));
    if (groups.length < 2) return null;
    const most = Math.max(...groups.map((group) => group.length));
    // A console prints a few samples of a batch: groups show their size where most have it.
    const whole = groups.filter((group) => group.length === most).length;
    return most > 1 && 2 * whole >= groups.length ? most : null;
  });
}

/** What the estimator of a run of ours is to groups (`steps/advantages`); null in a log, and in a warm start. */
function declared(view: RunView, trait: keyof ReturnType<typeof groupTraits>): boolean | null {
  const value = view.imported || !isReinforcement(view)
    ? null
    : view.settings.find(({ name }) => name === trait)?.value;
  return typeof value === "boolean" ? value : null;
}

/** Of other systems, and of runs of ours from before their estimator declared it. */
const FOREIGN = { compareGroups: ["grpo", "rloo"], smallGroups: "rloo" } as const;

/** True for algorithms that compare the completions of a group (or an unknown one with such columns). */
export function isGroupMethod(view: RunView): boolean {
  const own = declared(view, "compares_groups");
  if (own !== null) return own;
  if (view.algorithm !== null) return FOREIGN.compareGroups.some((name) => name === view.algorithm);
  return ["zero_spread_fraction", "group_reward_std", "reward_std"].some((name) => view.prints(name));
}

/** True if the advantages of a whole group sum to 0. */
export function sumsToZero(view: RunView): boolean {
  return declared(view, "sums_to_zero") ?? isGroupMethod(view);
}

/** True if a completion with a higher reward never gets less than another of its group. */
export function followsRewards(view: RunView): boolean {
  return declared(view, "follows_rewards") ?? isGroupMethod(view);
}

/** True if groups of two to four are usual. */
export function usesSmallGroups(view: RunView): boolean {
  return declared(view, "small_groups") ?? view.algorithm === FOREIGN.smallGroups;
}

/** True for algorithms that learn from what is preferred. */
export function isPreference({ algorithm }: RunView): boolean {
  return algorithm === "dpo" || algorithm === "kto";
}

/** Loss of KTO and of DPO before anything is learned. */
export function startLoss({ algorithm }: RunView): number {
  return algorithm === "kto" ? 0.5 : Math.LN2;
}

/** How far a loss that prints four decimals may lie from it. */
export const LOSS_DIGITS = 2e-4;

/** True if the run samples completions and rewards them. */
export function isReinforcement(view: RunView): boolean {
  if (view.algorithm !== null) return !["sft", "dpo", "kto", "reward_model"].includes(view.algorithm);
  return view.has("reward") || (view.completions.length > 0 && !(view.has("loss") && view.has("accuracy")));
}
