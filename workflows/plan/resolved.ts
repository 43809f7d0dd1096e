/** Writes a plan back as the workflow file of that run: `runs/<id>/workflow.yaml`. @module */
import { stringify } from "yaml";
import { isDeepStrictEqual } from "node:util";
import { substitute } from "../language/expressions.ts";
import type { Plan, PlannedStep, PlanNode } from "./plan.ts";
import { type Entry, isRepeat, WorkflowDocument } from "../language/schema.ts";

/**
 * YAML that parses into the same plan: overrides, matrix values and every default of every step filled in; look-ups of
 * `params`, `steps` and `run` as written. Relative paths still mean the original file's folder.
 */
export function stringifyPlan(plan: Plan): string {
  const isDefault: Record<string, boolean> = {
    about: plan.document.about === "",
    params: Object.keys(plan.params).length === 0,
    faults: plan.document.faults.length === 0,
  };
  const values: Record<string, unknown> = {
    ...plan.document,
    steps: plan.document.steps.map((entry, index) => writeEntry(entry, plan.steps[index]!, plan)),
  };
  const keys = Object.keys(WorkflowDocument.shape).filter((key) => values[key] !== undefined && !isDefault[key]);
  const document = Object.fromEntries(keys.map((key) => [key, values[key]]));
  const from = `# The workflow of one run, resolved from ${plan.file.replaceAll(/[\r\n]/g, " ")}\n`;
  return from + stringify(document, { lineWidth: 120, aliasDuplicateObjects: false });
}

function writeEntry(entry: Entry, node: PlanNode, plan: Plan): unknown {
  if (node.type === "repeat" && isRepeat(entry)) {
    return { ...entry, steps: entry.steps.map((inner, index) => writeEntry(inner, node.steps[index]!, plan)) };
  }
  if (node.type !== "step" || isRepeat(entry)) throw new TypeError("Cannot write a plan: its document is another's");
  const { id: _, uses, with: params, "continue-on-error": continues, cache, ...rest } = entry;
  const written = fillDefaults(params, node.params) as Record<string, unknown>;
  return {
    id: node.id,
    uses,
    ...(isSame(node, written, plan) ? pick(written) : pick(params)),
    ...rest,
    ...(continues ? { "continue-on-error": true } : {}),
    ...(cache ? { cache: true } : {}),
  };
}

function pick(params: Record<string, unknown>): { with?: Record<string, unknown> } {
  return Object.keys(params).length === 0 ? {} : { with: params };
}

/** Written values first, validated ones where nothing was written. */
function fillDefaults(written: unknown, validated: unknown): unknown {
  if (Array.isArray(written) && Array.isArray(validated) && written.length === validated.length) {
    return written.map((item, index) => fillDefaults(item, validated[index]));
  }
  if (!isPlain(written) || !isPlain(validated)) return written;
  const filled = Object.entries(written).map(([key, value]) => [key, fillDefaults(value, validated[key])]);
  const added = Object.entries(validated).filter(([key, value]) => !Object.hasOwn(written, key) && value !== undefined);
  return Object.fromEntries([...filled, ...added]);
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Whether the filled parameters mean the same: not so where a schema transforms what it reads. */
function isSame(node: PlannedStep, written: Record<string, unknown>, plan: Plan): boolean {
  const parsed = node.kind.params.safeParse(substitute(written, { params: plan.params }));
  return parsed.success && isDeepStrictEqual(parsed.data, node.params);
}
