/** Weights of KL and entropy that follow a target: what they are now, read from what the run has written. @module */
import type { ColumnTable } from "arquero";
import { z } from "zod";
import { columnArray } from "../../data/tables/mod.ts";
import { entropyWeight, nextEntropyCoefficient } from "../controllers/entropy_coefficient.ts";
import { klController, nextKlCoefficient } from "../controllers/kl_coefficient.ts";
import { KL_TARGET_PARAMS, type KlTargetOptions, klTargetProblems } from "../options/kl_params.ts";
import { withoutEffect } from "../options/without_effect.ts";
import type { StepContext } from "../step.ts";

/** Options of the controllers. */
export const CONTROLLER_PARAMS = {
  ...KL_TARGET_PARAMS,
  entropy_target: z.number().min(0).optional().describe(
    "entropy up to which there is a bonus, nats per token: entropy_coef, then its first value, grows there and falls above",
  ),
  entropy_coef_step: z.number().positive().default(0.005).describe("what entropy_coef moves by per update"),
  entropy_coef_min: z.number().min(0).default(0).describe("smallest entropy_coef"),
  entropy_coef_max: z.number().min(0).default(1).describe("largest entropy_coef"),
};

const SHAPE = z.strictObject(CONTROLLER_PARAMS);
type ControllerOptions = z.output<typeof SHAPE> & { readonly kl_coef: number; readonly entropy_coef: number };

/** What is wrong with the options together. */
export function controllerProblems(given: ControllerOptions): string[] {
  const problems = klTargetProblems(given);
  if (given.entropy_target === undefined) {
    const entropy = ["entropy_coef_step", "entropy_coef_min", "entropy_coef_max"] as const;
    problems.push(...withoutEffect(given, CONTROLLER_PARAMS, entropy, "entropy_target is not set, want one"));
  }
  if (given.entropy_coef_min > given.entropy_coef_max) {
    problems.push(
      `Cannot keep entropy_coef between ${given.entropy_coef_min} and ${given.entropy_coef_max}: want the smaller first`,
    );
  }
  return problems;
}

/** Where rows of earlier train steps are, and who is told why a coefficient did not move. */
type Rows = Pick<StepContext, "history" | "emit" | "trainStep">;

/** Train steps in which the last coefficient is looked for. */
const LOOK_BACK = 1024;

/** The columns of `metrics` with the weight of a KL, and that of the KL which it follows: in the loss, in the reward. */
const FOLLOWED_KL = { kl_coef: "kl", reward_kl_coef: "reward_kl" } as const;

/** What a step reads of `metrics` for a coefficient. */
export const klReads = <Name extends keyof typeof FOLLOWED_KL>(column: Name) =>
  [
    { column, optional: true },
    { column: FOLLOWED_KL[column], optional: true },
    { column: "completions", optional: true },
  ] as const;

/**
 * The weight of the KL in this train step: that of the last row of `metrics` before it that has one, moved by the KL and
 * the completions of that row. Nothing else remembers it. Where that KL is not finite it stays as it was, and says so.
 */
export function klCoefficient(
  given: KlTargetOptions,
  rows: Rows,
  column: keyof typeof FOLLOWED_KL,
): number {
  if (given.kl_target === undefined) return given.kl_coef;
  const metrics = rows.history("metrics", LOOK_BACK), row = lastRow(metrics, column, rows.trainStep);
  if (row === null) return given.kl_coef;
  const last = numberAt(metrics, column, row), follows = numberAt(metrics, FOLLOWED_KL[column], row);
  if (!Number.isFinite(follows)) return stays(rows, column, "KL", last, follows);
  const controller = klController("adaptive", { target: given.kl_target, horizon: given.kl_horizon });
  return nextKlCoefficient(last, controller, follows, numberAt(metrics, "completions", row));
}

/** entropy_coef of an update, and what of it the update uses. */
interface EntropyCoefficient {
  readonly value: number;
  readonly weight: number;
}

/**
 * entropy_coef of the next update: of the last row of `updates` that has one, moved by the entropy before that update.
 *
 * made   rows of this train step's updates so far
 */
export function entropyCoefficient(given: ControllerOptions, rows: Rows, made: ColumnTable): EntropyCoefficient {
  const { entropy_target: target, entropy_coef: first } = given;
  if (target === undefined) return { value: first, weight: first };
  const controller = {
    target,
    step: given.entropy_coef_step,
    min: given.entropy_coef_min,
    max: given.entropy_coef_max,
  };
  const updates = made.numRows() ? made : rows.history("updates", LOOK_BACK);
  const row = lastRow(updates, "entropy_coef", Infinity);
  if (row === null) return { value: first, weight: entropyWeight(first, controller, null) };
  const last = numberAt(updates, "entropy_coef", row), follows = numberAt(updates, "entropy", row);
  if (!Number.isFinite(follows)) return { value: stays(rows, "entropy_coef", "entropy", last, follows), weight: 0 };
  const value = nextEntropyCoefficient(last, controller, follows);
  return { value, weight: entropyWeight(value, controller, follows) };
}

function stays({ emit }: Rows, name: string, what: string, last: number, follows: number): number {
  emit({ event: "message", text: `${name} stays ${last}: the ${what} that it follows was ${follows}` });
  return last;
}

/** The last row before a train step that has a value; null where there is none. */
function lastRow(table: ColumnTable, name: string, before: number): number | null {
  if (!table.numRows() || !table.column(name)) return null;
  const values = columnArray(table, name), steps = columnArray(table, "train_step") as ArrayLike<number>;
  for (let row = values.length - 1; row >= 0; row--) {
    if (steps[row]! < before && values[row] !== null && values[row] !== undefined) return row;
  }
  return null;
}

/** A number of a row; NaN where it is missing. */
function numberAt(table: ColumnTable, name: string, row: number): number {
  return (table.column(name) ? columnArray(table, name)[row] as number | null | undefined : null) ?? NaN;
}
