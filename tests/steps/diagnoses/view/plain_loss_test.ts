/** Logs whose loss is 0 on policy but for its KL. */
import assert from "node:assert/strict";
import { cancelsInLoss, EACH_OVER_ITS_OWN } from "../../../../steps/diagnoses/view/plain_loss.ts";
import { viewOf } from "../synthetic.ts";

Deno.test("the advantages of a group cancel in the loss that is named after the estimator, and in no other", () => {
  assert.equal(cancelsInLoss(viewOf({ settings: { loss_type: EACH_OVER_ITS_OWN } })), true);
  assert.equal(cancelsInLoss(viewOf({ settings: { loss_type: "dr_grpo" } })), false);
  assert.equal(cancelsInLoss(viewOf({ algorithm: "rloo", settings: { loss_type: "grpo" } })), false);
  assert.equal(cancelsInLoss(viewOf({})), false);
});
