/** Cause `group_size_too_small`: too few completions per prompt, so most groups tie. @module */
import { expectedTies } from "../../data/statistics/mod.ts";
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { mean, percent, trendScore, written } from "./view/numbers.ts";
import { groupSize, isGroupMethod, usesSmallGroups } from "./view/groups.ts";
import { rewardFunctions } from "./view/rewards.ts";
import { setting, settingEvidence } from "./view/settings.ts";
import { flatGroupShare, groupsOf, spreadOf, spreadSummary } from "./view/spread.ts";
import { rewardOf } from "./view/texts.ts";
import type { Evidence } from "./view/evidence.ts";
import type { RunView } from "./view/run_view.ts";

const LARGEST = 4; // The largest group that may be too small.
/** Shares of tied groups: below the first a pair carries a signal, above the second more ties than any size explains. */
const FEW_TIES = 0.25, ALL_TIES = 0.97;
const CLIMBS = 3; // Standard errors of a slope that climbs.
const NEAR = 0.2; // How far the share may lie from the formula's.
const RECORDS = 8; // Records from which a reward shows whether groups tie.

export default defineDiagnosis({
  codes: ["C05", "R04", "C04"],
  wastes: "flat",
  severity: "warning",
  about: "Groups of 2 to 4 completions tie most of the time with a coarse reward, and a tied group teaches nothing.",
  reads: ["settings.group_size", "zero_spread_fraction", "reward"],
  decision:
    written`A group size of 1 or 2 in the configuration of a group method unless measured groups mostly have spread; or a size of ${
      LARGEST - 1
    } or ${LARGEST} with a measured share of tied groups above 0.5 that p^G + (1-p)^G explains within ${NEAR}. Sizes of 2 to ${LARGEST} are no fault for RLOO, nor for an estimator of ours that declares small groups.`,
  hint: "Use groups of 8 or more: at p = 0.2 they tie in 17 % of the cases, groups of 2 in 68 %.",
  remedy: [{ step: "sample_groups", key: "group_size", set: 8 }],
  lookAlikes: { zero_reward_variance: "there far more groups tie than the formula gives" },
  taughtBy: "Visual-RFT: num_generations 2 on detection with 4 shots",
  check(view): Found | null {
    const size = groupSize(view);
    const configured = setting(view, "group_size");
    if (size === null || size > LARGEST || (size > 1 && usesSmallGroups(view))) return null;
    if (!isGroupMethod(view) && !(view.algorithm === null && configured?.name === "num_generations")) return null;
    const { share: printed } = spreadSummary(view);
    const share = printed ?? flatGroupShare(view);
    if (size > 2 && (share === null || share <= 0.5 || share > ALL_TIES)) return null;
    // Three or four that tie often still carry a signal where the reward climbs.
    if (size > 2 && trendScore(view.finite("reward")) > CLIMBS) return null;
    if (size <= 2 && share !== null && (share < FEW_TIES || share > ALL_TIES)) return null;
    const goal = rewardFunctions(view).find((entry) => entry.kind === "goal");
    const values = goal?.values ?? view.finite("reward");
    const level = values.length === 0 ? null : passRate(values);
    const expected = level === null ? null : expectedTies(level, size);
    if (size > 2 && (expected === null || Math.abs(expected - share!) > NEAR)) return null;
    if (share === null && view.records > 0 && view.finite("reward").length > RECORDS) return null;
    return {
      trainSteps: view.trainSteps.slice(0, 1),
      message: `Groups have ${size} completion${size === 1 ? "" : "s"}${
        share === null ? "" : `: ${percent(share)} of them tie`
      }${expected === null ? "" : ` (expected at this pass rate: ${percent(expected)})`}`,
      evidence: [
        ...(configured === null ? [] : [settingEvidence(configured)]),
        ...ties(view, size),
      ],
      ruledOut: share === null ? {} : { zero_reward_variance: "the share of ties follows from the group size" },
    };
  },
});

const SIGNED = -0.2; // A mean below this is one of rewards of -1 and 1; a small penalty leaves it above.

/** Share of right completions that a mean reward tells: rewards of -1 and 1 make one below 0. */
function passRate(values: readonly number[]): number {
  const isSigned = Math.min(...values) < SIGNED && values.every((value) => Math.abs(value) <= 1);
  const rate = isSigned ? (mean(values) + 1) / 2 : mean(values);
  return Math.min(1, Math.max(0, rate));
}

/** The first record that shows whether groups tie; a printed group where none does. */
function ties(view: RunView, size: number): Evidence[] {
  const { from } = spreadOf(view), record = from.findIndex((name) => name !== null);
  if (record >= 0) return [view.evidence(from[record]!, record)];
  return groupsOf(view.completions).find((group) => group.length === size)?.map(rewardOf) ?? [];
}
