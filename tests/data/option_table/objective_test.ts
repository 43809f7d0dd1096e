import assert from "node:assert/strict";
import { OBJECTIVE_OPTIONS } from "../../../data/option_table/objective.ts";
import { LOSS_PARAMS } from "../../../steps/training/loss_form.ts";

Deno.test("every option of the table is one that makes the loss of apply_update", () => {
  const strange = Object.keys(OBJECTIVE_OPTIONS).filter((name) => !Object.hasOwn(LOSS_PARAMS, name));
  assert.deepEqual(strange, []);
});
