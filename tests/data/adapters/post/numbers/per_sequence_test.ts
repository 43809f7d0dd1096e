/** KL that is summed over a completion. */
import assert from "node:assert/strict";
import { perSequence } from "../../../../../data/adapters/post/numbers/per_sequence.ts";
import { alarmsOf } from "../../../../steps/diagnoses/told/diagnosed.ts";

Deno.test("perSequence() names a KL that a sentence sums, and leaves all else", () => {
  for (
    const text of [
      "KL 0 → 9 nats/sequence",
      "a KL of 9 nats per completion",
      "KL summed over the sequence",
      "每条序列的 KL",
    ]
  ) {
    assert.equal(perSequence("kl", text), "objective/kl", text);
  }
  assert.equal(perSequence("kl", "KL 0 → 9 nats per token"), "kl");
  assert.equal(perSequence("loss", "the loss, summed over the sequence"), "loss");
});

Deno.test("a KL of 9 is no explosion where it is one of a sequence", async () => {
  const post = (unit: string) => `PPO: the KL goes from 0 to 9 nats per ${unit}. The reward rises from 1.2 to 3.0.\n`;
  assert(!(await alarmsOf(post("sequence"))).includes("kl_explosion"));
});
