/** What a run was given to learn from and for: data, models and rewards, as its resolved workflow has them. @module */
import { parse } from "yaml";
import { z } from "zod";
import { orElse } from "../../data/file_system.ts";
import { STEPS } from "../../steps/mod.ts";
import type { Step } from "../../steps/step.ts";
import { entryName } from "../../steps/rewards/entry.ts";

const step = z.looseObject({
  id: z.string().optional(),
  uses: z.string(),
  with: z.record(z.string(), z.unknown()).optional(),
});
const reward = z.looseObject({
  uses: z.string(),
  name: z.string().optional(),
  weight: z.number().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
});

/** `load_prompts.file`, `score_rewards.rewards` …, each under its step's id; none of a file that cannot be read. */
export function workflowFacts(workflow: string): (readonly [name: string, value: unknown])[] {
  const document = orElse(() => parse(workflow) as unknown, null);
  return stepsOf(document).flatMap(({ id, uses, with: options = {} }) =>
    Object.entries(options).flatMap(([key, value]) => {
      const name = `${id ?? uses}.${key}`;
      if (key === "rewards" && Array.isArray(value)) {
        return [[name, value.length === 0 ? null : rewardsText(value)] as const];
      }
      return isLoader(uses) ? [[name, written(value)] as const] : [];
    })
  );
}

/** Whether every option of a step says what a run learns from: it prepares the run out of nothing that is there. */
function isLoader(uses: string): boolean {
  const kind: Step | undefined = Object.hasOwn(STEPS, uses) ? STEPS[uses as keyof typeof STEPS] : undefined;
  return kind?.setup === true && Object.keys(kind.reads).length === 0;
}

/** The steps of a workflow in their order, those of its loops too. */
function stepsOf(value: unknown): z.output<typeof step>[] {
  const steps: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "steps") : null;
  if (!Array.isArray(steps)) return [];
  return steps.flatMap((entry: unknown) => {
    const { success, data } = step.safeParse(entry);
    return success ? [data] : stepsOf(entry);
  });
}

/** `visual/iou {"iou_threshold":0.3}, 0.5 × format`. */
function rewardsText(entries: readonly unknown[]): string {
  return entries.map((entry) => {
    const { success, data } = reward.safeParse(entry);
    if (!success) return JSON.stringify(entry);
    const { weight = 1, with: options = {} } = data;
    const told = Object.keys(options).length === 0 ? "" : ` ${JSON.stringify(options)}`;
    return `${weight === 1 ? "" : `${weight} × `}${entryName(data)}${told}`;
  }).join(", ");
}

/** A value as a person writes it, for a comparison: lists and objects as JSON. */
function written(value: unknown): unknown {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}
