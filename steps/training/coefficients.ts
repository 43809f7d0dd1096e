/** Weights of KL and entropy that follow a target: what they are now, read from what the run has written. @module */
import type { ColumnTable } from "arquero";
import { z } from "zod";
import { columnArray } from "../../data/tables/mod.ts";
import { entropyWeight, nextEntropyCoefficient } from "../controllers/entropy_coefficient.ts";
import { klController, nextKlCoefficient } from "../controllers/kl_coefficient.ts";
import { withoutEffect } from "../options/without_effect.ts";

/** Options of the controllers. */
export const CONTROLLER_PARAMS = {
  kl_target: z.number().positive().optional().describe(
    "KL that kl_coef follows from train step to train step, nats per token; kl_coef is then its first value",
  ),
  kl_horizon: z.number().positive().default(10_000).describe("completions over which kl_coef adapts"),
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
  const idle = (without: boolean, names: Named[], why: string) =>
    without ? withoutEffect<Named>(given, CONTROLLER_PARAMS, names, why) : [];
  const entropy: Named[] = ["entropy_coef_step", "entropy_coef_min", "entropy_coef_max"];
  const problems = [
    ...idle(given.kl_target === undefined, ["kl_horizon"], "kl_target is not set"),
    ...idle(given.entropy_target === undefined, entropy, "entropy_target is not set"),
  ];
  if (given.kl_target !== undefined && given.kl_coef === 0) {
    problems.push("Cannot adapt kl_coef to kl_target: its first value is 0, want it above 0");
  }
  if (given.entropy_coef_min > given.entropy_coef_max) {
    problems.push(
      `Cannot keep entropy_coef between ${given.entropy_coef_min} and ${given.entropy_coef_max}: want the smaller first`,
    );
  }
  return problems;
}

type Named = "kl_horizon" | "entropy_coef_step" | "entropy_coef_min" | "entropy_coef_max";

/** One coefficient, and why it did not move where the value it follows is not finite. */
interface Coefficient {
  readonly value: number;
  readonly warning: string | null;
}

/**
 * kl_coef of this train step: of the last row of `metrics` that has one, moved by that row's KL.
 *
 * metrics       rows of earlier train steps
 * completions   of this train step, which stand for those of the last
 */
export function klCoefficient(given: ControllerOptions, metrics: ColumnTable, completions: number): Coefficient {
  const last = lastRow(metrics, "kl_coef", "kl");
  if (given.kl_target === undefined || last === null) return { value: given.kl_coef, warning: null };
  if (!Number.isFinite(last.follows)) return stays("kl_coef", "KL", last);
  const controller = klController("adaptive", { target: given.kl_target, horizon: given.kl_horizon });
  return { value: nextKlCoefficient(last.coefficient, controller, last.follows, completions), warning: null };
}

/** entropy_coef of an update, and what of it the update uses. */
interface EntropyCoefficient extends Coefficient {
  readonly weight: number;
}

/** entropy_coef of the next update: of the last row of `updates` that has one, moved by the entropy before that update. */
export function entropyCoefficient(given: ControllerOptions, updates: ColumnTable): EntropyCoefficient {
  const { entropy_target: target, entropy_coef: first } = given;
  if (target === undefined) return { value: first, weight: first, warning: null };
  const controller = {
    target,
    step: given.entropy_coef_step,
    min: given.entropy_coef_min,
    max: given.entropy_coef_max,
  };
  const last = lastRow(updates, "entropy_coef", "entropy");
  if (last === null) return { value: first, weight: entropyWeight(first, controller, null), warning: null };
  if (!Number.isFinite(last.follows)) return { ...stays("entropy_coef", "entropy", last), weight: 0 };
  const value = nextEntropyCoefficient(last.coefficient, controller, last.follows);
  return { value, weight: entropyWeight(value, controller, last.follows), warning: null };
}

function stays(name: string, what: string, { coefficient, follows }: LastRow): Coefficient {
  return { value: coefficient, warning: `${name} stays ${coefficient}: the ${what} that it follows was ${follows}` };
}

interface LastRow {
  readonly coefficient: number;
  readonly follows: number;
}

/** The last row that has a coefficient. A value that is missing there is NaN. */
function lastRow(table: ColumnTable, coefficient: string, follows: string): LastRow | null {
  if (!table.numRows() || !table.column(coefficient)) return null;
  const coefficients = columnArray(table, coefficient) as ArrayLike<number | null>;
  const values = table.column(follows) ? columnArray(table, follows) as ArrayLike<number | null> : [];
  for (let row = coefficients.length - 1; row >= 0; row--) {
    const value = coefficients[row];
    if (value === null || value === undefined) continue;
    return { coefficient: value, follows: values[row] ?? NaN };
  }
  return null;
}
