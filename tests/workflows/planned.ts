/** Plans a YAML text with the small step kinds. @module */
import { parseWorkflow } from "../../workflows/language/parse.ts";
import type { Plan, PlannedStep, PlanNode } from "../../workflows/plan/plan.ts";
import { type PlanOptions, planRuns } from "../../workflows/plan/plan_workflow.ts";
import { SMALL_KINDS } from "./small_kinds.ts";

export function planAll(text: string, options: PlanOptions = {}): readonly Plan[] {
  return planRuns(parseWorkflow(text, "small.yaml", { kinds: SMALL_KINDS, folder: "/data" }), SMALL_KINDS, options);
}

export function planOne(text: string, options: PlanOptions = {}): Plan {
  return planAll(text, options)[0]!;
}

/** The step of an id, wherever it stands. */
export function stepOf(plan: Plan, id: string): PlannedStep {
  const search = (nodes: readonly PlanNode[]): PlannedStep | undefined =>
    nodes.flatMap((node) => node.type === "step" ? (node.id === id ? [node] : []) : search(node.steps) ?? [])[0];
  const step = search(plan.steps);
  if (step === undefined) throw new RangeError(`Cannot find step "${id}" in the plan`);
  return step;
}

/** A workflow of some steps, after prompts and policy are there. */
export function withSteps(steps: string, head = ""): string {
  return `name: small\nparams: { size: 4, word: hello, quick: true }\n${head}steps:\n` +
    "  - { uses: load_prompts, with: { task: addition } }\n  - { uses: load_model }\n" + steps;
}
