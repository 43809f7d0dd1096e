/** Whether a run prints what a verdict needs, and how that ends. */
import assert from "node:assert/strict";
import { endsNotFinite, isSilent } from "../../../../steps/diagnoses/view/telling.ts";
import { flat, HEALTHY, viewOf } from "../synthetic.ts";

Deno.test("isSilent() is true of a run without any metric that tells how it goes", () => {
  assert.equal(isSilent(viewOf(HEALTHY)), false);
  assert.equal(isSilent(viewOf({ columns: { learning_rate: flat(1e-6) } })), true);
  assert.equal(isSilent(viewOf({ columns: { loss: flat(null) } })), true);
});

Deno.test("endsNotFinite() names a loss or a gradient norm that is not finite in the last record only", () => {
  assert.equal(endsNotFinite(viewOf({ columns: { loss: [NaN, 1] } })), null);
  assert.match(endsNotFinite(viewOf({ columns: { loss: [1, NaN] } }))!, /^loss is NaN in the last record/);
  assert.match(endsNotFinite(viewOf({ columns: { grad_norm: [1, Infinity] } }))!, /^grad_norm is Infinity/);
});
