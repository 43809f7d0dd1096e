/** Cause `length_collapse`: completions shrink without a gain. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { isReinforcement } from "./view/groups.ts";
import { goalsOf, rewardFunctions } from "./view/rewards.ts";
import { change, median, recordsOf, show } from "./view/numbers.ts";
import { onset } from "./view/onset.ts";

export default defineDiagnosis({
  codes: ["L02"],
  severity: "warning",
  about: "Completions shrink to a fraction of their length without any gain in reward.",
  reads: ["completion_length", "reward"],
  decision:
    "The median length of the last quarter (at least 10 records) is below 25 % of the first three records' and the reward (the goal's, where other terms shape it) did not rise by more than two standard errors and 5 % of its scale.",
  hint: "Use a loss without a length bias, take penalties on length out, or require a minimum length.",
  remedy: [
    { step: "apply_update", key: "aggregation", set: "token_mean" },
    { option: "loss", set: "bnpo" },
  ],
  lookAlikes: { reward_hacking: "there a proxy rises meanwhile; short but better is healthy" },
  taughtBy: "open-r1: completion length 387 to 190 with format up and accuracy down",
  check(view): Found | null {
    if (!isReinforcement(view)) return null;
    const length = view.column("completion_length");
    const known = recordsOf(length);
    if (known.length < 10) return null;
    const quarter = Math.max(3, Math.floor(known.length / 4));
    const values = known.map((record) => length[record]!);
    // The collapse may come within the first quarter: its start is the first three records.
    const [early, late] = [median(values.slice(0, 3)), median(values.slice(-quarter))];
    if (early < 4 || late >= 0.25 * early) return null;
    const goals = goalsOf(view);
    const shaped = goals.length > 0 && goals.length < rewardFunctions(view).length;
    const reward = shaped ? [...goals[0]!.values] : view.finite("reward");
    const gain = reward.length >= 8 ? change(reward) : { by: 0, error: 0, from: 0, to: 0 };
    if (gain.by > Math.max(2 * gain.error, 0.05 * Math.max(1, ...reward.map(Math.abs)))) return null;
    const last = known.at(-1)!;
    return {
      trainSteps: known.slice(onset(values)).map((record) => view.trainSteps[record]!),
      message: `Completions went from ${show(early)} to ${show(late)} tokens while ${
        shaped ? goals[0]!.name : "the reward"
      } changed by ${show(gain.by)}`,
      evidence: [
        view.evidence("completion_length", known[0]!),
        view.evidence("completion_length", last),
        view.evidence("reward", last),
      ],
      ruledOut: { reward_hacking: "the reward does not rise" },
    };
  },
});
