/** What a tracker is told of a run: one record per row of `metrics`, each value under `<phase>/<column>`. @module */
import type { ColumnTable } from "arquero";
import { columnArray } from "../column_array.ts";
import { pieceColumn, type TablePieces } from "../pieces.ts";

/** The metrics of one row. */
export interface TrackedStep {
  readonly trainStep: number;
  /** sft, rollout, preference or reward_model: what `phase` says. */
  readonly phase: string;
  readonly stepId: string | null;
  /** Seconds since 1970. */
  readonly time: number;
  /** Columns with a number, which may be NaN; absent ones are left out. */
  readonly values: readonly (readonly [column: string, value: number])[];
}

/** Between phase and column: trackers make a section of what stands before it. */
const BETWEEN = "/";
const TEXTS: ReadonlySet<string> = new Set(["train_step", "phase", "step_id"]);

/** What a tracker calls a column of a phase. */
export function trackedName(phase: string, column: string): string {
  return `${phase}${BETWEEN}${column}`;
}

/** Phase and column of such a name; null for another one. */
export function trackedParts(name: string): { readonly phase: string; readonly column: string } | null {
  const at = name.indexOf(BETWEEN);
  return at < 0 ? null : { phase: name.slice(0, at), column: name.slice(at + 1) };
}

/** Mean of each reward function over the completions of a train step, under `reward.<name>`. */
export type RewardMeans = ReadonlyMap<number, ReadonlyMap<string, number>>;

/** The rows of `metrics` in order, the means of the reward functions with the rollouts. */
export function* trackedSteps(
  metrics: ColumnTable,
  time: (trainStep: number) => number,
  rewards: RewardMeans = new Map(),
): Generator<TrackedStep> {
  const names = metrics.columnNames(),
    text = (column: string) => names.includes(column) ? columnArray(metrics, column) : [];
  const steps = columnArray(metrics, "train_step") as ArrayLike<number>, phases = text("phase"), ids = text("step_id");
  const columns = names.filter((name) => !TEXTS.has(name)).map((name) => [name, columnArray(metrics, name)] as const);
  for (let row = 0; row < metrics.numRows(); row++) {
    const trainStep = steps[row]!, phase = String(phases[row] ?? "rollout");
    const values = columns.flatMap(([name, cells]) => {
      const value = cells[row];
      return typeof value === "number" ? [[name, value] as const] : [];
    });
    if (phase === "rollout") values.push(...rewards.get(trainStep) ?? []);
    const stepId = ids[row];
    yield { trainStep, phase, stepId: typeof stepId === "string" ? stepId : null, time: time(trainStep), values };
  }
}

/** Means over the completions that a function judged; of the train steps whose completions are kept. */
export function rewardMeans({ columns, pieces }: TablePieces): RewardMeans {
  const functions = columns.filter((column) => column.startsWith("reward."));
  const sums = new Map<number, Map<string, { sum: number; count: number }>>();
  for (const piece of functions.length > 0 ? pieces : []) {
    const steps = pieceColumn(piece, "train_step") as ArrayLike<number>;
    for (const name of functions) {
      const cells = pieceColumn(piece, name);
      for (let row = 0; row < piece.numRows(); row++) {
        const value = cells[row];
        if (typeof value !== "number") continue;
        let of = sums.get(steps[row]!);
        if (of === undefined) sums.set(steps[row]!, of = new Map());
        const { sum, count } = of.get(name) ?? { sum: 0, count: 0 };
        of.set(name, { sum: sum + value, count: count + 1 });
      }
    }
  }
  return new Map(
    [...sums].map(([step, of]) => [step, new Map([...of].map(([name, { sum, count }]) => [name, sum / count]))]),
  );
}

/** Shares of correct completions of every evaluation, under `evaluations/<step>.<mode>`, in order of their train steps. */
export function evaluationSteps({ pieces }: TablePieces, time: (trainStep: number) => number): TrackedStep[] {
  const counts = new Map<number, Map<string, { right: number; all: number }>>();
  for (const piece of pieces) {
    const [steps, ids, modes, correct] = ["train_step", "step_id", "mode", "correct"].map((name) =>
      pieceColumn(piece, name)
    );
    for (let row = 0; row < piece.numRows(); row++) {
      if (typeof correct![row] !== "boolean") continue;
      const step = Number(steps![row]), name = `${ids![row]}.${modes![row]}`;
      let of = counts.get(step);
      if (of === undefined) counts.set(step, of = new Map());
      const { right, all } = of.get(name) ?? { right: 0, all: 0 };
      of.set(name, { right: right + (correct![row] === true ? 1 : 0), all: all + 1 });
    }
  }
  return [...counts].sort(([a], [b]) => a - b).map(([trainStep, of]) => ({
    trainStep,
    phase: "evaluations",
    stepId: null,
    time: time(trainStep),
    values: [...of].map(([name, { right, all }]) => [name, right / all] as const),
  }));
}

/** Two lists of steps as one in the order of train steps; the second's come after the first's of the same train step. */
export function* inOrder(steps: Iterable<TrackedStep>, more: readonly TrackedStep[]): Generator<TrackedStep> {
  let next = 0;
  for (const step of steps) {
    for (; next < more.length && more[next]!.trainStep < step.trainStep; next++) yield more[next]!;
    yield step;
  }
  yield* more.slice(next);
}
