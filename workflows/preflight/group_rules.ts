/** Rules on groups and batches: too small to compare, or not divisible. @module */
import { advantageSettings } from "../../steps/advantages/presets.ts";
import { ownOptions } from "../../steps/options/own_options.ts";
import type { Facts } from "./facts.ts";
import { at, type Report } from "./finding.ts";

/** A group that is too small for its estimator has no advantage at all. */
export function groupSize({ each, before }: Facts): Report[] {
  return each("compute_advantages").flatMap(({ step, params }) => {
    const sampled = before("sample_groups", step);
    if (sampled === null) return [];
    const { estimator, entry, settings } = advantageSettings(params);
    const own = entry.params.safeParse(ownOptions(entry, settings));
    const least = own.success ? entry.minGroupSize(own.data) : 1;
    const { group_size: size } = sampled.params;
    if (size < least) {
      const message = `group_size is ${size}, want at least ${least} for estimator "${estimator}": ` +
        `one completion has nothing to be compared with, every advantage is 0`;
      return [{ severity: "error", refuses: true, message, path: at(sampled.step, "group_size") } as const];
    }
    if (params.group_size === undefined || params.group_size === size) return [];
    const message =
      `group_size of ${step.id} is ${params.group_size} and of ${sampled.step.id} ${size}; want them equal`;
    return [{ severity: "error", refuses: true, message, path: at(step, "group_size") } as const];
  });
}

/** No more completions are chosen from than a group has. */
export function chosenFrom({ each, before }: Facts): Report[] {
  return each("best_of_n").flatMap(({ step, params: { n } }): Report[] => {
    const sampled = before("sample_groups", step), size = sampled?.params.group_size;
    if (n === undefined || size === undefined || n <= size) return [];
    const message = `n is ${n} and a group has ${size} completions; lower n, or raise group_size of ${
      sampled!.step.id
    }`;
    return [{ severity: "error", refuses: true, message, path: at(step, "n") }];
  });
}

/** Minibatches are whole groups: they divide the prompts of a step. */
export function minibatches({ each, before }: Facts): Report[] {
  return each("apply_update").flatMap(({ step, params }) => {
    const prompts = before("sample_groups", step)?.params.prompts_per_step;
    if (prompts === undefined || prompts % params.minibatches === 0) return [];
    const message = `${prompts} prompts cannot be split into ${params.minibatches} minibatches of whole groups; ` +
      `want prompts_per_step to be a multiple`;
    return [{ severity: "error", refuses: true, message, path: at(step, "minibatches") } as const];
  });
}

/** A rollout belongs to a train step: a round of a block, or one that a step before has counted. */
export function trainStep({ steps, each, before }: Facts): Report[] {
  const counting = steps.findIndex(({ step }) => step.kind.trains !== undefined);
  return each("sample_groups").flatMap(({ step, block }) => {
    const isCounted = counting >= 0 && counting < steps.findIndex((visit) => visit.step === step);
    if (block !== null || isCounted || before("sample_groups", step)?.block != null) return [];
    const message =
      "no train step has begun when it samples: only rounds of a repeat block are counted; put it into one";
    return [{ severity: "error", refuses: true, message, path: at(step, "uses") } as const];
  });
}
