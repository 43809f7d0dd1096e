/** Cause `group_integrity`: a group mixes prompts, or its advantages do not sum to 0. Needs live rows; no log proves it. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { isNumber, ROUNDING, show, written } from "./view/numbers.ts";
import { followsRewards, isGroupMethod, sumsToZero } from "./view/groups.ts";
import { placeOf } from "./view/evidence.ts";
import { type RunView, stepOf } from "./view/run_view.ts";
import { settingFlag } from "./view/settings.ts";
import { quote } from "./view/texts.ts";

const NO_SUM = 1e-4; // Advantages per completion that float32 does not sum to: they belong to other groups.

export default defineDiagnosis({
  codes: ["G01", "G00"],
  wastes: "none",
  severity: "fatal",
  about: "A group mixes completions of different prompts, or its advantages or masks do not belong to its completions.",
  reads: ["completions.prompt_id", "completions.prompt", "completions.advantage"],
  decision:
    written`In a run of ours: rows with one prompt_id have more than one prompt text, or the advantages of a whole group (GRPO, RLOO) sum to more than ${NO_SUM} per completion, or the better of two completions of a group has the smaller advantage, or the mask of a completion counts some of its tokens and not others. An integrity failure is never repaired.`,
  hint: "Stop: rows were shuffled between sampling and advantages.",
  byHand: "Keep rows of a group together; look for a sort or a filter between the steps.",
  lookAlikes: { healthy: "groups that were filtered have fewer members" },
  taughtBy: "catalogue G01 (rows shuffled before the advantages)",
  check(view): Found | null {
    if (view.imported || view.completions.length === 0) return null;
    const groups = new Map<
      string,
      { prompt: string | null; sum: number; size: number; scored: number; step: number | null }
    >();
    for (const row of view.completions) {
      const key = `${row.trainStep} ${row.promptId}`;
      const group = groups.get(key) ?? { prompt: row.prompt, sum: 0, size: 0, scored: 0, step: row.trainStep };
      if (group.prompt !== row.prompt) {
        return {
          trainSteps: stepOf(row),
          message: `Group ${row.promptId} holds completions of more than one prompt`,
          evidence: [{ ...placeOf(row), train_step: row.trainStep, name: "prompt_id", value: row.promptId }],
        };
      }
      group.size++;
      if (isNumber(row.advantage)) {
        group.sum += row.advantage;
        group.scored++;
      }
      groups.set(key, group);
    }
    const masked = maskedInside(view);
    if (masked !== null) return masked;
    if (!isGroupMethod(view)) return null;
    const reordered = settingFlag(view, "kl_in_reward") === true || !followsRewards(view);
    const crossed = reordered ? null : againstRewards(view);
    if (crossed !== null || !sumsToZero(view)) return crossed;
    for (const [key, group] of groups) {
      if (group.size < 2 || group.scored < group.size) continue;
      if (Math.abs(group.sum) / group.size <= NO_SUM) continue;
      return {
        trainSteps: group.step === null ? [] : [group.step],
        message: `The advantages of group ${key.split(" ")[1]} sum to ${show(group.sum)}, want 0`,
        evidence: [{ ...placeOf(view.completions[0]!), train_step: group.step, name: "advantage", value: group.sum }],
      };
    }
    return null;
  },
});

/** A completion counts as a whole or not at all: a mask that counts a part of it is shifted. */
function maskedInside(view: RunView): Found | null {
  const row = view.completions.find(({ lossTokens, tokens }) =>
    lossTokens !== undefined && tokens !== null && lossTokens > 0 && lossTokens !== tokens
  );
  if (row === undefined) return null;
  return {
    trainSteps: stepOf(row),
    message: `${row.lossTokens} of the ${row.tokens} tokens of a completion count in the loss: its mask is shifted`,
    evidence: [quote(row, `${row.lossTokens} of ${row.tokens} tokens count`)],
    hint: "Stop: the mask does not belong to the tokens.",
  };
}

/** Within a group a higher reward never has a lower advantage, whatever the normalisation of their sum. */
function againstRewards(view: RunView): Found | null {
  const groups = Map.groupBy(view.completions, (row) => `${row.trainStep} ${row.promptId}`);
  for (const rows of groups.values()) {
    const scored = rows.filter((row) => isNumber(row.reward) && isNumber(row.advantage));
    const sorted = scored.sort((a, b) => a.reward! - b.reward!);
    for (const [i, better] of sorted.entries()) {
      const worse = sorted[i - 1];
      if (worse === undefined || better.reward! - worse.reward! <= ROUNDING) continue;
      if (better.advantage! >= worse.advantage! - ROUNDING) continue;
      return {
        trainSteps: stepOf(better),
        message: `In group ${better.promptId} reward ${show(better.reward)} has advantage ${
          show(better.advantage)
        } and reward ${show(worse.reward)} has ${show(worse.advantage)}`,
        evidence: [
          quote(better, `reward ${show(better.reward)}, advantage ${show(better.advantage)}`),
          quote(worse, `reward ${show(worse.reward)}, advantage ${show(worse.advantage)}`),
        ],
      };
    }
  }
  return null;
}
