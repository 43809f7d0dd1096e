import assert from "node:assert/strict";
import { type ColumnTable, table } from "arquero";
import { z } from "zod";
import { emptyTable } from "../../../data/tables/mod.ts";
import {
  CONTROLLER_PARAMS,
  controllerProblems,
  entropyCoefficient,
  klCoefficient,
} from "../../../steps/training/coefficients.ts";
import type { StepEvent } from "../../../steps/step.ts";

const given = (written: Record<string, unknown> = {}) => ({
  ...z.strictObject(CONTROLLER_PARAMS).parse(written),
  kl_coef: 0.1,
  entropy_coef: 0.02,
});

/** Rows of the run so far, in train step 4, and what is told. */
function rowsOf(rows: ColumnTable) {
  const told: unknown[] = [];
  return { trainStep: 4, history: () => rows, emit: ({ text }: StepEvent) => void told.push(text), told };
}

Deno.test("klCoefficient() starts at kl_coef and moves by the last row before the train step that has one", () => {
  const adaptive = given({ kl_target: 0.05, kl_horizon: 100 });
  assert.equal(klCoefficient(adaptive, rowsOf(emptyTable("metrics")), "kl_coef"), 0.1);
  const rows = rowsOf(table({
    train_step: [1, 2, 3, 4],
    kl_coef: [0.1, 0.3, null, 7],
    kl: [0.05, 0.04, 9, 9],
    reward_kl_coef: [0.1, 0.3, 0.5, 7],
    reward_kl: [1, 1, 0.055, 9],
    completions: [8, 16, 20, 32],
  }));
  assert.equal(klCoefficient(adaptive, rows, "kl_coef"), 0.3 * (1 - 0.2 * 16 / 100));
  const inReward = klCoefficient(adaptive, rows, "reward_kl_coef");
  assert(Math.abs(inReward - 0.5 * (1 + 0.1 * 20 / 100)) < 1e-15, `${inReward}`);
  assert.equal(klCoefficient(given(), rows, "kl_coef"), 0.1);
});

Deno.test("entropyCoefficient() moves once per update, and is used only where the last entropy was at the target or below", () => {
  const adaptive = given({ entropy_target: 0.5, entropy_coef_step: 0.01, entropy_coef_max: 0.025 });
  const none = emptyTable("updates");
  const last = (entropy: number | null) => table({ train_step: [3], entropy_coef: [0.02], entropy: [entropy] });
  const at = (entropy: number) => entropyCoefficient(adaptive, rowsOf(last(entropy)), none);
  assert.deepEqual(entropyCoefficient(adaptive, rowsOf(none), none), { value: 0.02, weight: 0 });
  assert.deepEqual(at(0.4), { value: 0.025, weight: 0.025 });
  assert.deepEqual(at(0.6), { value: 0.01, weight: 0 });
  assert.deepEqual(entropyCoefficient(adaptive, rowsOf(last(0.4)), last(0.6)), { value: 0.01, weight: 0 });
  assert.deepEqual(entropyCoefficient(given(), rowsOf(none), none), { value: 0.02, weight: 0.02 });
});

Deno.test("a coefficient stays, and says so, where what it follows is not finite or missing", () => {
  for (const [column, kl] of [["kl_coef", "kl"], ["reward_kl_coef", "reward_kl"]] as const) {
    for (const follows of [NaN, Infinity]) {
      const rows = rowsOf(table({ train_step: [3], [column]: [0.3], [kl]: [follows], completions: [16] }));
      assert.equal(klCoefficient(given({ kl_target: 1 }), rows, column), 0.3);
      assert.deepEqual(rows.told, [`${column} stays 0.3: the KL that it follows was ${follows}`]);
    }
  }
  const rows = rowsOf(table({ train_step: [3], entropy_coef: [0.3], entropy: [null] }));
  const stays = entropyCoefficient(given({ entropy_target: 1 }), rows, emptyTable("updates"));
  assert.deepEqual(stays, { value: 0.3, weight: 0 });
  assert.deepEqual(rows.told, ["entropy_coef stays 0.3: the entropy that it follows was NaN"]);
});

Deno.test("controllerProblems() names what does nothing and what contradicts itself", () => {
  const problems = (written: Record<string, unknown>, more = {}) =>
    controllerProblems({ ...given(written), ...more }).join("\n");
  assert.equal(problems({}), "");
  assert.match(problems({ kl_horizon: 5 }), /Cannot use "kl_horizon": kl_target is not set/);
  assert.match(problems({ entropy_coef_step: 0.1 }), /Cannot use "entropy_coef_step": entropy_target is not set/);
  assert.match(problems({ kl_target: 1 }, { kl_coef: 0 }), /its first value is 0, want it above 0/);
  assert.match(problems({ entropy_target: 1, entropy_coef_min: 2 }), /between 2 and 1: want the smaller first/);
});
