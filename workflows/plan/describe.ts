/** Describes a plan as rows, for `--dry-run` and the report. @module */
import { type Plan, type PlannedStep, type PlanNode } from "./plan.ts";
import { type Entry, isRepeat } from "../language/schema.ts";

/** One line of the plan: a step, or the head of a block. */
export interface PlanLine {
  /** Blocks around it. */
  readonly depth: number;
  readonly type: "step" | "repeat";
  readonly id: string;
  readonly name: string;
  /** Step kind, "" for a block. */
  readonly uses: string;
  readonly about: string;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly needs: readonly string[];
  readonly gives: readonly string[];
  /** Parameters with their defaults; as written while a look-up is open. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Text of `if` or `until`, or null. */
  readonly condition: string | null;
  /** How often it runs at most: rounds of its blocks, every n-th; for a block, its rounds altogether. */
  readonly times: number;
}

/** A plan without functions: can be printed as JSON. */
interface PlanDescription extends Pick<Plan, "name" | "about" | "file" | "settings" | "params" | "matrix"> {
  readonly lines: readonly PlanLine[];
  /** Steps in the file, blocks not counted. */
  readonly stepCount: number;
  /** Rounds of the innermost blocks altogether. Steps that train by themselves come on top. */
  readonly rounds: number;
  /** Every table some step writes. */
  readonly tables: readonly string[];
}

/** The plan as rows. Shapes, time and memory are not known here. */
export function describePlan(plan: Plan): PlanDescription {
  const lines = describe(plan.steps, plan.document.steps, 0, 1);
  const steps = lines.filter(({ type }) => type === "step");
  return {
    name: plan.name,
    about: plan.about,
    file: plan.file,
    settings: plan.settings,
    params: plan.params,
    matrix: plan.matrix,
    lines,
    stepCount: steps.length,
    rounds: innerRounds(plan.steps, 1),
    tables: [...new Set(steps.flatMap(({ writes }) => writes))],
  };
}

function describe(nodes: readonly PlanNode[], entries: readonly Entry[], depth: number, times: number): PlanLine[] {
  return nodes.flatMap((node, index): PlanLine[] => {
    const entry = entries[index]!;
    if (node.type === "step") return [describeStep(node, isRepeat(entry) ? undefined : entry.if, depth, times)];
    const rounds = times * node.repeat;
    const until = isRepeat(entry) ? entry.until : undefined;
    const head: PlanLine = {
      depth,
      type: "repeat",
      id: "",
      name: node.name,
      uses: "",
      about: "",
      reads: [],
      writes: [],
      needs: [],
      gives: [],
      params: {},
      condition: until === undefined ? null : String(until),
      times: rounds,
    };
    return [head, ...describe(node.steps, isRepeat(entry) ? entry.steps : [], depth + 1, rounds)];
  });
}

function describeStep(
  step: PlannedStep,
  condition: string | boolean | undefined,
  depth: number,
  times: number,
): PlanLine {
  const { about, reads, writes, needs, gives } = step.kind;
  return {
    depth,
    type: "step",
    id: step.id,
    name: step.name,
    uses: step.uses,
    about,
    reads: Object.keys(reads),
    writes: Object.keys(writes),
    needs,
    gives,
    params: (step.params ?? step.with) as Record<string, unknown>,
    condition: condition === undefined ? null : String(condition),
    times: Math.floor(times / step.every),
  };
}

function innerRounds(nodes: readonly PlanNode[], times: number): number {
  return nodes.reduce((sum, node) => {
    if (node.type === "step") return sum;
    const inner = innerRounds(node.steps, times * node.repeat);
    return sum + (inner === 0 ? times * node.repeat : inner);
  }, 0);
}
