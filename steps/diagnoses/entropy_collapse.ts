/** Cause `entropy_collapse`: the policy's entropy falls to nothing without a gain in reward. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { SMALLER_STEPS } from "./remedies/often.ts";
import { change, mean, median, recordsOf, show } from "./view/numbers.ts";
import { isReinforcement } from "./view/groups.ts";
import { flatness, levelOf, nearlySolved } from "./view/rewards.ts";
import { settingNumber } from "./view/settings.ts";
import { texts } from "./view/texts.ts";
import { onsetOfSize } from "./view/onset.ts";

export default defineDiagnosis({
  codes: ["E01"],
  severity: "error",
  about: "The policy has become deterministic although the reward did not rise: it can no longer explore.",
  reads: ["entropy", "reward", "unique_fraction", "completions.text"],
  decision:
    "The median entropy of the last quarter (at least 10 records) is below 10 % of the first quarter's maximum and the reward gained less than 5 % of its scale and is not at its maximum; or the entropy is below 0.02 nats per token from the start with identical completions at a normal temperature.",
  hint:
    "Go back to a checkpoint with entropy, raise the upper clip, lower the learning rate, or add a small entropy bonus or KL.",
  remedy: [
    { step: "apply_update", key: "clip_high", least: 0.28 },
    SMALLER_STEPS,
  ],
  lookAlikes: {
    greedy_sampling: "there the entropy at temperature 1 is normal",
    all_correct_saturated: "falling entropy with rising reward is learning",
  },
  taughtBy: "TRL: entropy 0.32 to 0.0005 with all completions alike",
  check(view): Found | null {
    if (!isReinforcement(view)) return null;
    const column = view.column("entropy");
    const known = recordsOf(column);
    const values = known.map((record) => column[record]!);
    const temperature = settingNumber(view, "temperature");
    if (temperature !== null && temperature < 0.3) return null;
    const reward = view.finite("reward");
    const top = reward.length > 0 && levelOf(view, median(reward.slice(-5))) === "maximum";
    if (top || nearlySolved(view)) return null;
    const late = values.slice(-Math.max(3, Math.floor(values.length / 4)));
    if (values.length >= 10 && reward.length >= 5) {
      const start = Math.max(...values.slice(0, Math.max(3, Math.floor(values.length / 4))));
      const gain = reward.length >= 8 ? change(reward) : { by: 0, error: 0 };
      const scale = Math.max(1, ...reward.map(Math.abs));
      if (start > 0.02 && median(late) < 0.1 * start && gain.by < 0.05 * scale) {
        const last = known.at(-1)!;
        return {
          trainSteps: known.slice(onsetOfSize(values)).map((record) => view.trainSteps[record]!),
          message: `Entropy fell from ${show(start)} to ${
            show(median(late))
          } nats per token while the reward changed by ${show(gain.by)}`,
          evidence: [
            view.evidence("entropy", known[0]!),
            view.evidence("entropy", last),
            view.evidence("reward", last),
          ],
          ruledOut: { greedy_sampling: "the policy itself has no entropy left" },
        };
      }
    }
    const facts = texts(view);
    const flat = flatness(view);
    const dead = values.length > 0 && mean(values) < 0.02 &&
      !(view.decimals("entropy") === 0 && values.every((v) => v === 0));
    if (dead && facts.identicalGroups !== null && facts.identicalGroups > 0.9 && facts.groups >= 3) {
      return {
        trainSteps: view.stepsAt(known),
        message: `The policy is deterministic from the start: entropy ${
          show(mean(values))
        } nats per token, one text per group`,
        evidence: [view.evidence("entropy", known[0]!)],
        confirm: flat === null ? "print the entropy at temperature 1" : undefined,
      } as Found;
    }
    return null;
  },
});
