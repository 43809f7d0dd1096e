import assert from "node:assert/strict";
import { table } from "arquero";
import { z } from "zod";
import { emptyTable } from "../../../data/tables/mod.ts";
import {
  CONTROLLER_PARAMS,
  controllerProblems,
  entropyCoefficient,
  klCoefficient,
} from "../../../steps/training/coefficients.ts";

const given = (written: Record<string, unknown> = {}) => ({
  ...z.strictObject(CONTROLLER_PARAMS).parse(written),
  kl_coef: 0.1,
  entropy_coef: 0.02,
});

Deno.test("klCoefficient() starts at kl_coef and moves by the KL of the last train step that had one", () => {
  const adaptive = given({ kl_target: 0.05, kl_horizon: 100 });
  assert.equal(klCoefficient(adaptive, emptyTable("metrics"), 16).value, 0.1);
  const metrics = table({ kl_coef: [0.1, 0.3, null], kl: [0.05, 0.04, 9] });
  assert.equal(klCoefficient(adaptive, metrics, 16).value, 0.3 * (1 - 0.2 * 16 / 100));
  assert.equal(klCoefficient(given(), metrics, 16).value, 0.1);
});

Deno.test("entropyCoefficient() moves once per update, and is used only where the last entropy was at the target or below", () => {
  const adaptive = given({ entropy_target: 0.5, entropy_coef_step: 0.01, entropy_coef_max: 0.025 });
  const at = (entropy: number | null) =>
    entropyCoefficient(adaptive, table({ entropy_coef: [0.02], entropy: [entropy] }));
  assert.deepEqual(entropyCoefficient(adaptive, emptyTable("updates")), { value: 0.02, weight: 0, warning: null });
  assert.deepEqual(at(0.4), { value: 0.025, weight: 0.025, warning: null });
  assert.deepEqual(at(0.6), { value: 0.01, weight: 0, warning: null });
  assert.deepEqual(entropyCoefficient(given(), emptyTable("updates")), { value: 0.02, weight: 0.02, warning: null });
});

Deno.test("a coefficient stays, and says so, where what it follows is not finite or missing", () => {
  const metrics = table({ kl_coef: [0.3], kl: [NaN] }), updates = table({ entropy_coef: [0.3], entropy: [null] });
  assert.deepEqual(klCoefficient(given({ kl_target: 1 }), metrics, 16), {
    value: 0.3,
    warning: "kl_coef stays 0.3: the KL that it follows was NaN",
  });
  const stays = entropyCoefficient(given({ entropy_target: 1 }), updates);
  assert.deepEqual([stays.value, stays.weight], [0.3, 0]);
  assert.match(stays.warning!, /entropy_coef stays 0.3: the entropy that it follows was NaN/);
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
