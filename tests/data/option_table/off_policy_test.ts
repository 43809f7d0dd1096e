import assert from "node:assert/strict";
import { OFF_POLICY_OPTIONS } from "../../../data/option_table/off_policy.ts";
import { STEPS } from "../../../steps/mod.ts";
import { CONTROLLER_PARAMS } from "../../../steps/training/coefficients.ts";
import { SAMPLER_PARAMS } from "../../../steps/training/sampler_correction.ts";

/** Options of filter_groups go by the names they have in the table `settings`. */
const FILTER = {
  filter_groups: "keep",
  filter_metric: "metric",
  filter_range: "range",
  max_generation_batches: "max_batches",
};

Deno.test("every option of the table is one of ours, and every one of the corrections and controllers is in it", () => {
  const steps = { ...SAMPLER_PARAMS, ...CONTROLLER_PARAMS };
  const own = Object.keys(OFF_POLICY_OPTIONS).filter((name) => !Object.hasOwn(FILTER, name));
  assert.deepEqual(own.sort(), Object.keys(steps).sort());
  for (const name of Object.values(FILTER)) assert(Object.hasOwn(STEPS.filter_groups.params.shape, name), name);
});
