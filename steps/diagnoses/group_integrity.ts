/** Cause `group_integrity`: a group mixes prompts, or its advantages do not sum to 0. Needs live rows; no log proves it. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { isNumber, show } from "./view/numbers.ts";
import { isGroupMethod } from "./view/groups.ts";
import { setting } from "./view/settings.ts";

export default defineDiagnosis({
  codes: ["G01"],
  severity: "fatal",
  about: "A group mixes completions of different prompts, or its advantages do not sum to 0.",
  reads: ["completions.prompt_id", "completions.prompt", "completions.advantage"],
  decision:
    "In a run of ours: rows with one prompt_id have more than one prompt text, or the advantages of a whole group (GRPO, RLOO) sum to more than 1e-4 per completion. An integrity failure is never repaired.",
  hint: "Stop: rows were shuffled between sampling and advantages.",
  remedy: [],
  byHand: "Keep rows of a group together; look for a sort or a filter between the steps.",
  lookAlikes: [{ cause: "healthy", why: "groups that were filtered have fewer members" }],
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
          trainSteps: row.trainStep === null ? [] : [row.trainStep],
          message: `Group ${row.promptId} holds completions of more than one prompt`,
          evidence: [{ source: null, line: null, train_step: row.trainStep, name: "prompt_id", value: row.promptId }],
        };
      }
      group.size++;
      if (isNumber(row.advantage)) {
        group.sum += row.advantage;
        group.scored++;
      }
      groups.set(key, group);
    }
    const estimator = String(setting(view, "algorithm")?.value ?? view.algorithm ?? "");
    if (!isGroupMethod(view) || !/grpo|rloo|^$/.test(estimator)) return null;
    for (const [key, group] of groups) {
      if (group.size < 2 || group.scored < group.size) continue;
      if (Math.abs(group.sum) / group.size <= 1e-4) continue;
      return {
        trainSteps: group.step === null ? [] : [group.step],
        message: `The advantages of group ${key.split(" ")[1]} sum to ${show(group.sum)}, want 0`,
        evidence: [{ source: null, line: null, train_step: group.step, name: "advantage", value: group.sum }],
      };
    }
    return null;
  },
});
