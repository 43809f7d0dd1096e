import assert from "node:assert/strict";
import { bareRate } from "../../../../../data/adapters/post/numbers/bare_rate.ts";
import { readPost, settingsOf } from "../read_post.ts";

Deno.test("bareRate() takes the one small number of a sentence on training for its rate", () => {
  for (
    const [text, raw] of [
      ["we train with batch 256 at 5e-4", "5e-4"],
      ["Fine-tuned for two epochs with AdamW @ 2e-5", "2e-5"],
      ["Wir trainieren mit 1e-3", "1e-3"],
      ["全参训练，用 5e-4", "5e-4"],
    ] as const
  ) assert.equal(bareRate(text)?.raw, raw, text);
});

Deno.test("bareRate() leaves numbers of other things, of no training, and several alone", () => {
  for (
    const text of [
      "training with weight decay at 1e-2",
      "the KL is at 1e-4 in training",
      "we trained with 1e-4 and with 1e-5",
      "a value of 5e-4",
      "we train at step 500",
    ]
  ) assert.equal(bareRate(text), null, text);
});

Deno.test("a rate that is told by its number alone is an option of the run", async () => {
  assert.deepEqual(settingsOf(await readPost("GRPO: we train with batch 256 at 5e-4.")), ["1 learning_rate=0.0005"]);
  assert.deepEqual(settingsOf(await readPost("GRPO. lr 1e-6. We train with batch 256 at 5e-4.")).length, 2);
});
