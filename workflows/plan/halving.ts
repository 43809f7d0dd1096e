/**
 * Plans the successive halving of a matrix: after which train steps its runs are compared, and how many go on.
 *
 * It is synchronous, as in its paper (Jamieson and Talwalkar 2016): whoever is compared has come equally far, so that what
 * goes on depends neither on how fast a machine is nor on how many runs are under way at the same time.
 * @module
 */
import { TABLES } from "../../data/columns.ts";
import { EVALUATION_MODES } from "../../data/run_folder.ts";
import type { Earlier } from "../../steps/step.ts";
import { parseCondition } from "../language/expression_syntax.ts";
import { lookUpOf, lookUpsOf } from "../language/expressions.ts";
import type { Problem } from "../language/problems.ts";
import type { Halving, WorkflowDocument } from "../language/schema.ts";
import { conditionsOf, valueTexts } from "./conditions.ts";
import { cellName } from "./matrix.ts";
import { outputsOf } from "./outputs.ts";
import { type Plan, type PlannedStep, type PlanNode, stepsOf } from "./plan.ts";
import { measureProblems } from "./settings.ts";

/** How the runs of a matrix are stopped early. */
export interface HalvingPlan extends Pick<Halving, "metric" | "mode" | "factor"> {
  /** Train steps after which runs are compared, ascending. */
  readonly rungs: readonly number[];
  /** Runs, from 0, that are judged together by their mean: they differ in their seed alone. */
  readonly groups: readonly (readonly number[])[];
  /** How many groups run up to each rung, and, last, to the end. */
  readonly sizes: readonly number[];
  /** Train steps of all runs together without halving, and about as many with it. */
  readonly trainSteps: { readonly all: number; readonly halved: number };
}

/** Null where the workflow does not ask for it, or has one run. */
export function planHalving(document: WorkflowDocument, plans: readonly Plan[]): HalvingPlan | null {
  const halving = document.strategy?.halving;
  if (halving === undefined || plans.length < 2) return null;
  const { metric, mode, first, factor } = halving, groups = groupsOf(document, plans);
  const lengths = plans.map(({ steps }) => scheduleOf(steps).trainSteps);
  const rungs: number[] = [], sizes = [groups.length];
  for (let at = first; at < Math.min(...lengths) && sizes.at(-1)! > 1; at *= factor) {
    rungs.push(at);
    sizes.push(going(sizes.at(-1)!, factor));
  }
  const all = sum(lengths), mean = all / plans.length;
  const stretches = [...rungs, mean].map((end, i) => (end - (rungs[i - 1] ?? 0)) * sizes[i]!);
  const halved = Math.round(sum(stretches) * plans.length / groups.length);
  return { metric, mode, factor, rungs, groups, sizes, trainSteps: { all, halved } };
}

/** How many of several go on: the best 1/factor, rounded up. */
export function going(count: number, factor: number): number {
  return Math.ceil(count / factor);
}

/** What makes `strategy.halving` impossible or idle. */
export function halvingProblems(document: WorkflowDocument, plans: readonly Plan[]): Problem[] {
  const halving = document.strategy?.halving;
  if (halving === undefined) return [];
  const path = ["strategy", "halving"], { metric, first } = halving;
  const written = measureProblems(metric, [...path, "metric"]);
  if (written.length > 0) return written;
  const few = groupsOf(document, plans).length < 2
    ? [{ path, key: true, message: '"halving" has nothing to compare: the matrix has one combination beside seeds' }]
    : [];
  const repair = document.repair === "apply"
    ? [{
      path: ["repair"],
      message:
        '"repair" is "apply", want off or suggest with strategy.halving: a repair runs past where runs are compared',
    }]
    : [];
  const own = plans.map((plan) => planProblems(plan, metric, first)).find((found) => found.length > 0) ?? [];
  return [...few, ...repair, ...own];
}

function planProblems({ steps, matrix }: Plan, metric: string, first: number): Problem[] {
  const path = ["strategy", "halving"], name = cellName(matrix);
  const { trainSteps, writers } = scheduleOf(steps);
  if (trainSteps === 0) return [{ path, key: true, message: '"halving" has no train steps to save: no step trains' }];
  const from = Math.min(...writers.filter(({ step }) => writes(step, metric, steps)).map(({ from }) => from));
  if (from === Infinity) {
    const message = `"metric" is "${metric}", which no step writes in a train step; want ${listed(steps)}`;
    return [{ path: [...path, "metric"], message }];
  }
  const open = writers.find(({ step, from: start }) => start < from && untilOf(step) !== undefined)?.step;
  if (open !== undefined) {
    const updates = ownUpdates(open),
      message = `"first" is ${first}, but ${metric} is written only after step ` +
        `"${open.id}", which ends at its until_accuracy, after 1 to ${updates} train steps: runs would not have come ` +
        "equally far; leave its until_accuracy out, so that it takes max_updates, and count first from its first update";
    return [{ path: [...path, "first"], message }];
  }
  if (first >= trainSteps) {
    const message = `"first" is ${first}, want less than the ${trainSteps} train steps of the run with ${name}`;
    return [{ path: [...path, "first"], message }];
  }
  if (first >= from) return [];
  const message = `"first" is ${first}, want at least ${from}: before that no step writes ${metric}`;
  return [{ path: [...path, "first"], message }];
}

/** Combinations whose runs differ by nothing but an axis that is the workflow's seed, and that nothing else looks up. */
function groupsOf(document: WorkflowDocument, plans: readonly Plan[]): number[][] {
  const seeds = seedAxes(document);
  const key = ({ matrix }: Plan) => JSON.stringify(Object.entries(matrix).filter(([axis]) => !seeds.includes(axis)));
  return [...Map.groupBy(plans.keys(), (i) => key(plans[i]!)).values()];
}

/** Axes of the matrix that say nothing of the method: the seed looks them up, and nothing else does. */
export function seedAxes(document: WorkflowDocument): string[] {
  const axes = (text: string) => lookUpsOf(text).flatMap(({ root, name }) => root === "matrix" ? [name] : []);
  const texts = valueTexts(document);
  const seeds = texts.filter(({ path }) => path[0] === "seed").flatMap(({ text }) => axes(text));
  const others = [
    ...texts.filter(({ path }) => path[0] !== "seed").flatMap(({ text }) => axes(text)),
    ...conditionsOf(document.steps).flatMap(({ text }) => {
      const found = lookUpOf(parseCondition(text));
      return found?.root === "matrix" ? [found.name] : [];
    }),
  ];
  return [...new Set(seeds)].filter((axis) => !others.includes(axis));
}

/** A step, and the first train step that it runs in. */
interface Writer {
  readonly step: PlannedStep;
  readonly from: number;
}

/** How many train steps a plan has at most, and from when on its steps run; those outside of train steps are left out. */
export function scheduleOf(nodes: readonly PlanNode[], before = 0): { trainSteps: number; writers: readonly Writer[] } {
  let at = before;
  const writers: Writer[] = [];
  const isOff = ({ condition }: PlannedStep) => condition?.kind === "constant" && !condition.value;
  for (const node of nodes) {
    if (node.type === "step") {
      const own = ownUpdates(node);
      if (own > 0 && !isOff(node)) writers.push({ step: node, from: at + 1 });
      at += own;
      continue;
    }
    const inner = scheduleOf(node.steps, at), isInnermost = node.steps.every(({ type }) => type === "step");
    const round = inner.trainSteps + (isInnermost ? 1 : 0);
    for (const step of isInnermost ? node.steps : []) {
      if (step.type !== "step" || isOff(step) || step.every > node.repeat || ownUpdates(step) > 0) continue;
      writers.push({ step, from: at + (step.every - 1) * round + 1 });
    }
    writers.push(...inner.writers);
    at += round * node.repeat;
  }
  return { trainSteps: at - before, writers };
}

function ownUpdates({ kind, params }: PlannedStep): number {
  return params === null ? 0 : kind.trains?.(params).updates ?? 0;
}

/** Where a step that trains by itself may end before it has made all its updates. */
function untilOf({ kind, params }: PlannedStep): number | undefined {
  return params === null ? undefined : kind.trains?.(params).until;
}

/** Whether a step writes `metrics.COLUMN`, or measures `evaluations.MODE`. A step that does not say which writes any. */
function writes(step: PlannedStep, metric: string, steps: readonly PlanNode[]): boolean {
  const isAny = metric.startsWith("metrics.") && step.kind.writes.metrics?.length === 0;
  return isAny || measuresOf(step, steps).includes(metric);
}

function measuresOf({ kind, params }: PlannedStep, steps: readonly PlanNode[]): string[] {
  const earlier = (uses: string) =>
    (stepsOf(steps).findLast((other) => other.uses === uses)?.params ?? null) as ReturnType<Earlier>;
  const columns = (kind.writes.metrics ?? []).flatMap((column) => {
    if (typeof column === "string") return [column];
    return params === null || column.when(params, earlier) ? [column.column] : [];
  });
  const given = (params as { readonly modes?: readonly string[] } | null)?.modes;
  const modes = kind.measures ? given ?? EVALUATION_MODES.filter((mode) => outputsOf(kind).types.has(mode)) : [];
  return [
    ...columns.filter(isNumber).map((name) => `metrics.${name}`),
    ...modes.map((mode) => `evaluations.${mode}`),
  ];
}

/** What runs are judged by most; the names of all metrics would fill a screen. */
const USUAL = ["reward", "preference_accuracy", "accuracy", "loss", "kl", "entropy"].map((name) => `metrics.${name}`);

/** What the runs can be judged by: evaluations, the usual metrics, and how many others. */
function listed(steps: readonly PlanNode[]): string {
  const names = new Set(scheduleOf(steps).writers.flatMap(({ step }) => measuresOf(step, steps)));
  if (names.size === 0) return "a step that writes metrics";
  const first = [...[...names].filter((name) => name.startsWith("evaluations.")).sort(), ...USUAL];
  const known = first.filter((name) => names.has(name)),
    told = known.length > 0 ? known : [...names].sort().slice(0, 6);
  const more = names.size - told.length;
  return `one of ${told.join(", ")}${more > 0 ? ` and ${more} more columns of metrics` : ""}`;
}

function isNumber(name: string): boolean {
  const column = (TABLES.metrics as Record<string, { readonly type: string }>)[name];
  return column !== undefined && /^(?:float|int)/.test(column.type);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
