/** Cause `truncated_completions`: completions reach the length cap before the answer. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { flatness, floorShare, levelOf } from "./view/rewards.ts";
import { finiteOf, isNumber, mean, median, show } from "./view/numbers.ts";
import { setting, settingEvidence, settingNumber } from "./view/settings.ts";
import { truncation } from "./view/truncation.ts";

export default defineDiagnosis({
  codes: ["L01", "D02"],
  severity: "error",
  about: "Nearly all completions are cut off at the length cap before they reach an answer.",
  reads: [
    "truncated_fraction",
    "completion_length",
    "completion_length_max",
    "terminated_length",
    "reward",
    "accuracy",
  ],
  decision:
    "The median share of truncated completions is above 0.5 and the reward is at its floor or no group has spread, or in a run of ours at most 1 % are right. Where the share is not printed: shortest = mean = longest completion on three records. Truncation with a reward above the floor is a note.",
  hint: "Raise the length cap, or make the end of sequence reachable: chat template, end-of-sequence ids, prompts.",
  remedy: [{ step: "sample_groups", key: "max_new_tokens", mul: 2, max: 16384 }],
  lookAlikes: [
    { cause: "old_logprob_nan", why: "there lengths jump to the cap after a NaN" },
    { cause: "learning_rate_too_high", why: "there the first records end by themselves" },
    { cause: "reward_hacking", why: "there the reward is at its maximum" },
  ],
  taughtBy: "TRL: clipped_ratio 1 at mean_length 256 = cap, mean_terminated_length 0, reward 0",
  check(view): Found | null {
    const cut = truncation(view);
    if (cut === null || cut.median <= 0.5 || (!view.imported && cut.records.length < 5)) return null;
    const flat = flatness(view);
    const floor = floorShare(view) > 0.8;
    const low = lowReward(view);
    const wrong = neverRight(view);
    const noSpread = flat !== null && flat.share > 0.8 && flat.level !== "maximum";
    if (!floor && !noSpread && !low && !wrong) return null;
    const reward = finiteOf(view.column("reward"));
    if (reward.length > 0 && levelOf(view, median(reward)) === "maximum" && !wrong) return null;
    const cap = setting(view, "max_new_tokens");
    return {
      trainSteps: cut.records.map((record) => view.trainSteps[record]!),
      message: `${show(100 * cut.median)} % of the completions reach the length cap${
        cut.length === null ? "" : ` (mean length ${show(cut.length)} tokens)`
      } and ${ending(floor || low, wrong)}`,
      evidence: [
        ...(cut.column === null || cut.records.length === 0 ? [] : [view.evidence(cut.column, cut.records[0]!)]),
        ...(cut.records.length > 0 && view.has("completion_length")
          ? [view.evidence("completion_length", cut.records[0]!)]
          : []),
        ...(wrong ? [view.evidence("accuracy", view.column("accuracy").findLastIndex(isNumber))] : []),
        ...(cut.records.length > 0 && view.has("reward") ? [view.evidence("reward", cut.records[0]!)] : []),
        ...(cap === null ? [] : [settingEvidence(cap, "the cap")]),
      ],
      ruledOut: [{ cause: "reward_parser_mismatch", why: "the answer was never reached" }],
      ...(settingNumber(view, "max_new_tokens") === null
        ? { confirm: "compare the longest completion with the cap" }
        : {}),
    };
  },
});

function ending(floor: boolean, wrong: boolean): string {
  if (floor) return "the reward is at its floor";
  return wrong ? "none of them is right, whatever is rewarded" : "no group has spread";
}

/** Runs of ours: the task's verifier accepts (nearly) nothing; a reward above the floor is then paid for stumps. */
function neverRight(view: Parameters<typeof truncation>[0]): boolean {
  const accuracy = finiteOf(view.column("accuracy"));
  return !view.imported && accuracy.length >= 5 && mean(accuracy) <= 0.01;
}

/** The reward stays within 2 % of the printed scale above 0: a few lucky samples among cut ones. */
function lowReward(view: Parameters<typeof truncation>[0]): boolean {
  const reward = finiteOf(view.column("reward"));
  const most = view.column("reward_max");
  const top = Math.max(1, ...finiteOf(most));
  return reward.length > 0 && isNumber(mean(reward)) && Math.abs(mean(reward)) <= 0.02 * top;
}
