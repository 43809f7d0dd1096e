/**
 * Applies a change to a plan's document and plans again, so that a patched run passes every check a written one passes.
 * @module
 */
import type { Scalar, Value } from "../../steps/diagnoses/remedies/patch.ts";
import { valueOf } from "../../steps/diagnoses/remedies/value.ts";
import { WorkflowError } from "../language/problems.ts";
import { type Plan, type PlannedStep, stepsOf } from "../plan/plan.ts";
import { planWorkflow } from "../plan/plan_workflow.ts";
import type { StepKinds } from "../language/schema.ts";
import { siteAt } from "../plan/sites.ts";
import { type Attempt, isNeed } from "./changes.ts";
import type { Edit } from "./record.ts";

/** A change as it came out, or why it cannot be made. */
type Patched =
  | { readonly plan: Plan; readonly edits: readonly Edit[] }
  | { readonly plan: null; readonly problem: string };

/** True for an edit of a step that runs once: a resume or a fork comes after it, so that only a new run shows it. */
export function runsOnce({ path }: Pick<Edit, "path">): boolean {
  return path.length <= 2;
}

/** The step kinds of a plan by name. */
export function kindsOf(plan: Plan): StepKinds {
  return Object.fromEntries(stepsOf(plan.steps).map(({ uses, kind }) => [uses, kind]));
}

/**
 * The plan with a change made in every step it addresses inside the repeated part, and before it where a step trains,
 * decides what is rewarded, or gives what the change needs.
 *
 * usual   the usual learning rate for the model
 */
export function patchPlan(plan: Plan, change: readonly Attempt[], usual: number): Patched {
  const edits: Edit[] = [];
  for (const patch of change) {
    const steps = stepsOf(plan.steps).filter((step) =>
      step.uses === patch.step &&
      (!runsOnce(step) || step.kind.trains !== undefined || isNeed(patch) || decides(step, patch.key))
    );
    if (steps.length === 0) {
      return { plan: null, problem: `no repeated step uses "${patch.step}"` };
    }
    for (const step of steps) {
      const from = currentValue(step, patch.key);
      const to = patchedValue(patch, from, usual);
      if (to === null && from === null && patch.mul !== undefined) {
        return { plan: null, problem: `"${patch.key}" of "${step.id}" is not set, so no factor applies` };
      }
      if (to !== null && isScalar(to)) {
        edits.push({ step: step.uses, id: step.id, key: patch.key, path: step.path, from, to });
      }
    }
  }
  if (edits.length === 0) {
    return { plan: null, problem: `${change.map(({ step, key }) => `"${key}" of "${step}"`).join(", ")} already so` };
  }
  try {
    return { plan: editPlan(plan, edits), edits };
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error;
    return { plan: null, problem: error.issues.map(({ message }) => message).join("; ") };
  }
}

/** The plan with values replaced. Throws WorkflowError when the schema or a step refuses them. */
export function editPlan(plan: Plan, edits: readonly Pick<Edit, "path" | "key" | "to">[]): Plan {
  const document = structuredClone(plan.document);
  for (const { path, key, to } of edits) siteAt(document.steps, path).with[key] = to;
  const edited = planWorkflow({ document, source: plan.source, folder: plan.folder }, kindsOf(plan));
  return { ...edited, given: plan.given };
}

/** True if a value of a step is what rewards follow from: a new run has others. */
function decides({ kind: { decidesReward } }: PlannedStep, key: string): boolean {
  return decidesReward === "all" || decidesReward?.includes(key) === true;
}

function currentValue(step: PlannedStep, key: string): Scalar | null {
  const params = (step.params ?? step.with) as Readonly<Record<string, unknown>>;
  const value = params[key];
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value === "string" && !value.includes("${{")) return value;
  return value === undefined ? step.kind.inForce?.(params)[key] ?? null : null;
}

const isScalar = (value: Value): value is Scalar => typeof value !== "object";

/** The new value; null when nothing changes, or a factor meets no number. A second attempt is the factor, cubed. */
export function patchedValue(patch: Attempt, now: Scalar | null, usual: number): Value | null {
  // What is advised to nobody at a usual rate may be tried there: its fork shows whether it helps.
  const once = valueOf(patch.usual ? { share: 1, ...patch } : patch, { now, usual });
  if (!patch.further || once === null || patch.mul === undefined) return once;
  const { mul, min, max } = patch;
  return valueOf({ mul: mul ** 2, ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) }, {
    now: once,
    usual,
  });
}
