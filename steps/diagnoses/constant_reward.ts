/** Cause `constant_reward`: the reward function returns one value whatever the text. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { flatness } from "./view/rewards.ts";
import { isNotCancelling } from "./view/spread.ts";
import { AGREEING_RECORDS, show, TELLING_COMPLETIONS } from "./view/numbers.ts";
import { quote, texts } from "./view/texts.ts";
import { onThese } from "./view/on_records.ts";

const MOST = 0.95; // Share of the records with a reward that must be flat.
const DIFFERENT = 0.2; // Distinct texts over the size of their group that say that texts differ.

export default defineDiagnosis({
  codes: ["R02", "R08"],
  wastes: "flat",
  applies: isNotCancelling,
  about: "The reward is one value whatever the text, so no completion is better than another.",
  reads: ["reward", "reward_std", "zero_spread_fraction", "completions.text"],
  decision:
    "All groups are flat with one reward on at least three records (or one record with printed completions that differ), and the value is neither the floor (0, a negative whole number) nor the maximum of the scale.",
  hint: "Score a right and a wrong answer by hand: the function must tell them apart.",
  byHand: "Test the reward function on a gold answer, an empty one and junk: three different values are wanted.",
  lookAlikes: {
    all_incorrect_reward_floor: "there the value is the floor",
    all_correct_saturated: "there the value is the maximum",
    greedy_sampling: "there the completions are identical",
  },
  taughtBy: "TRL: reward 0.5 with deviation 0 on every step while completions differ",
  check(view): Found | null {
    const flat = flatness(view);
    if (flat === null || flat.constant === null || flat.level !== "between" || flat.share < MOST) return null;
    const facts = texts(view);
    const differ = facts.count >= TELLING_COMPLETIONS && (facts.unique === null || facts.unique > DIFFERENT);
    if (flat.records.length < AGREEING_RECORDS && !differ) return null;
    return {
      trainSteps: view.stepsAt(flat.records),
      message: `Every completion gets the reward ${show(flat.constant)}, ${onThese(view, flat.records.length)}`,
      evidence: [
        ...flat.records.slice(0, 1).map((record) => view.evidence("reward", record)),
        ...(differ ? view.completions.slice(0, 2).map((row) => quote(row, `reward ${show(row.reward)}`)) : []),
      ],
      ruledOut: {
        all_incorrect_reward_floor: `${show(flat.constant)} is no floor`,
        all_correct_saturated: `${show(flat.constant)} is no maximum`,
        ...(differ ? { greedy_sampling: "the completions of a group differ" } : {}),
      },
    };
  },
});
