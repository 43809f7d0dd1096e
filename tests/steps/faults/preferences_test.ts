import assert from "node:assert/strict";
import { faulty, seenParams } from "./fault_context.ts";

Deno.test("faults of labels: one class, or each label turned round", async () => {
  const rows = { preference_id: [0, 1, 2], completion: ["2", "5", "7"], label: [true, false, false] };
  assert.deepEqual((await faulty("kto_one_class", "preferences", rows))("label"), [true, true, true]);
  assert.deepEqual((await faulty("kto_flipped_labels", "preferences", rows))("label"), [false, true, true]);
});

Deno.test("faults of pairs: swapped, or the same twice", async () => {
  const rows = { preference_id: [0, 1], chosen: ["2", "4"], rejected: ["3", "5"] };
  const swapped = await faulty("flipped_labels", "preferences", rows);
  assert.deepEqual([swapped("chosen"), swapped("rejected")], [["3", "5"], ["2", "4"]]);
  const same = await faulty("identical_pairs", "preferences", rows);
  assert.deepEqual([same("chosen"), same("rejected")], [["2", "4"], ["2", "4"]]);
});

Deno.test("preference_learning_rate_zero sets the learning rate", async () => {
  const seen = await seenParams("preference_learning_rate_zero", { loss: "dpo", learning_rate: 1e-4 });
  assert.deepEqual(seen, { loss: "dpo", learning_rate: 0 });
});

Deno.test("margin_blowup sets the learning rate, to 10 or to what it is given", async () => {
  assert.deepEqual(await seenParams("margin_blowup", { loss: "dpo", learning_rate: 1e-4 }), {
    loss: "dpo",
    learning_rate: 10,
  });
  assert.deepEqual(await seenParams("margin_blowup", { learning_rate: 1e-4 }, { learning_rate: 2 }), {
    learning_rate: 2,
  });
});

Deno.test("likelihood_left_out leaves sigmoid alone, without a weight", async () => {
  const seen = await seenParams("likelihood_left_out", {
    loss: "dpo",
    dpo_loss: ["sigmoid", "sft"],
    loss_weights: [1, 1],
  });
  assert.deepEqual(seen, { loss: "dpo", dpo_loss: "sigmoid", loss_weights: undefined });
});
