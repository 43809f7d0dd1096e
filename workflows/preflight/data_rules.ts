/** Rules on data: files that are there, columns they have, splits that hold the prompts a step asks for. @module */
import { resolve } from "node:path";
import { isUserFile } from "../../steps/rewards/entry.ts";
import type { Facts } from "./facts.ts";
import { at, type Report } from "./finding.ts";
import { isFile } from "./model_facts.ts";

/** The prompts can be loaded: the file, its columns, its answers. */
export function promptsThere({ prompts }: Facts): Report[] {
  if (prompts === null || prompts.problem === null) return [];
  const { step } = prompts.loaded, message = prompts.problem;
  const option = /\(option (\w+)\)/.exec(message)?.[1];
  const path = option !== undefined && Object.hasOwn(step.with, option) ? at(step, option) : at(step, "file");
  return [{ severity: "error", refuses: true, message, path }];
}

/** A reward of the user's own is a file. */
export function rewardsThere({ each, plan }: Facts): Report[] {
  return each("score_rewards").flatMap(({ step, params }) =>
    params.rewards.flatMap(({ uses }, index): Report[] => {
      const file = resolve(plan.folder, uses);
      if (!isUserFile(uses) || isFile(file)) return [];
      const message = `there is no reward file ${uses} in ${plan.folder}; paths are relative to the workflow file`;
      return [{ severity: "error", refuses: true, message, path: at(step, "rewards", index, "uses") }];
    })
  );
}

/** Every split that a step asks for has prompts. */
export function splits({ each, prompts }: Facts): Report[] {
  if (prompts === null || prompts.problem !== null) return [];
  const has = new Set(prompts.rows.map(({ split }) => split));
  const reports: Report[] = [];
  for (const { step, params } of each("fine_tune")) {
    if (params.until_accuracy === undefined || has.has("validation")) continue;
    const message = "until_accuracy is measured on validation prompts and there are none; raise splits.validation of " +
      "load_prompts, or leave until_accuracy out";
    reports.push({ severity: "error", refuses: true, message, path: at(step, "until_accuracy") });
  }
  for (const { step, params } of each("evaluate")) {
    if (has.has(params.split)) continue;
    const message = `split "${params.split}" has no prompts; raise splits.${params.split} of load_prompts`;
    reports.push({ severity: "error", refuses: true, message, path: at(step, "split") });
  }
  return reports;
}
