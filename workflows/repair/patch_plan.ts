/**
 * Applies a change to a plan's document and plans again, so that a patched run passes every check a written one passes.
 * @module
 */
import type { Patch } from "../../steps/diagnoses/diagnosis.ts";
import { samplingSettings } from "../../steps/resources/sampling_settings.ts";
import { type Path, WorkflowError } from "../diagnostics.ts";
import { stepsOf } from "../engine/execute.ts";
import { type Plan, type PlannedStep, planWorkflow } from "../plan.ts";
import type { StepKinds } from "../schema.ts";
import { siteAt } from "../sites.ts";

type Scalar = number | string | boolean;

/** One value of the document that a repair changed. */
export interface Edit {
  /** Step kind and its id. */
  readonly step: string;
  readonly id: string;
  readonly key: string;
  /** Where the step stands in the document. */
  readonly path: Path;
  /** The value in force before; null = not set. */
  readonly from: Scalar | null;
  readonly to: Scalar;
}

/** A change as it came out, or why it cannot be made. */
export type Patched =
  | { readonly plan: Plan; readonly edits: readonly Edit[] }
  | { readonly plan: null; readonly problem: string };

/** The step kinds of a plan by name. */
export function kindsOf(plan: Plan): StepKinds {
  return Object.fromEntries(stepsOf(plan.steps).map(({ uses, kind }) => [uses, kind]));
}

/** The plan with a change made in every step it addresses inside the repeated part. */
export function patchPlan(plan: Plan, change: readonly Patch[]): Patched {
  const edits: Edit[] = [];
  for (const patch of change) {
    const steps = stepsOf(plan.steps).filter(({ uses, path }) => uses === patch.step && path.length > 2);
    if (steps.length === 0) {
      return { plan: null, problem: `no repeated step uses "${patch.step}"` };
    }
    for (const step of steps) {
      const from = currentValue(step, patch.key);
      const to = patchedValue(patch, from);
      if (to === null) {
        return { plan: null, problem: `"${patch.key}" of "${step.id}" is not set, so no factor applies` };
      }
      if (to !== from) edits.push({ step: step.uses, id: step.id, key: patch.key, path: step.path, from, to });
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
  return planWorkflow({ document, source: plan.source, folder: plan.folder }, kindsOf(plan));
}

function currentValue(step: PlannedStep, key: string): Scalar | null {
  const params = (step.params ?? step.with) as Readonly<Record<string, unknown>>;
  const value = params[key];
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value === "string" && !value.includes("${{")) return value;
  // What sampling does not set has a default, unless the model folder decides.
  if (value !== undefined || step.uses !== "sample_groups" || params["inherit_sampling"] === true) return null;
  const { values } = samplingSettings({}, null, false);
  return Object.hasOwn(values, key) ? values[key as keyof typeof values] : null;
}

/** The new value, within the patch's bounds; null when a factor meets no number. */
export function patchedValue({ set, mul, min, max }: Patch, from: Scalar | null): Scalar | null {
  if (set !== undefined) return set;
  if (mul === undefined || typeof from !== "number") return null;
  const bounded = Math.min(max ?? Infinity, Math.max(min ?? -Infinity, from * mul));
  return Number(bounded.toPrecision(6));
}
