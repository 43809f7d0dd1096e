/** Cause `format_reward_never_fires`: the format check matches no completion. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { rewardFunctions } from "./view/rewards.ts";
import { spreadSummary } from "./view/spread.ts";
import { truncation } from "./view/truncation.ts";
import { quote } from "./view/texts.ts";
import { AGREEING_RECORDS } from "./view/numbers.ts";
import { onAll } from "./view/on_records.ts";

const OWN_RECORDS = 20; // A run of ours prints every train step: so many of them.

export default defineDiagnosis({
  codes: ["R02", "R00"],
  wastes: "flat",
  about: "The format check matches no completion at all, so learning can never find the format.",
  reads: ["reward.<format>", "reward_std.<format>", "truncated_fraction", "completions.text"],
  decision:
    "A reward function for the format is exactly 0 with deviation 0 on at least three records, or on one record with printed completions, or is the only reward with all groups flat; truncation is not above 0.5.",
  hint: "Put an example of the format into the prompt, warm start on it, or relax the check.",
  byHand: "Print one completion and run the format check on it; show the format in the prompt.",
  lookAlikes: {
    reward_parser_mismatch: "there the tags are in the text",
    truncated_completions: "there the closing tag is cut off",
  },
  taughtBy: "ms-swift multi-turn: rewards/Format/mean 0.0, the only reward, clipped_ratio at most 0.125",
  check(view): Found | null {
    const functions = rewardFunctions(view);
    const format = functions.find((entry) => entry.kind === "format" && entry.constant === 0);
    if (format === undefined) return null;
    const { flat, spread } = spreadSummary(view);
    const only = functions.length === 1 && flat.length > 0 && spread.length === 0;
    const records = format.values.length;
    if (
      records < (view.imported ? AGREEING_RECORDS : OWN_RECORDS) && !(view.completions.length > 0 && view.imported) &&
      !only
    ) {
      return null;
    }
    const cut = truncation(view);
    if (cut !== null && cut.median > 0.5) return null;
    const first = format.cells.findIndex((value) => value !== null);
    return {
      trainSteps: view.trainSteps,
      message: `${format.name} is exactly 0 ${onAll(view, records)}: no completion has the format`,
      evidence: [view.evidence(format.column, first), ...view.completions.slice(0, 1).map((row) => quote(row))],
      ruledOut: cut === null ? {} : { truncated_completions: "most completions end by themselves" },
    };
  },
});
