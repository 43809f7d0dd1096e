import assert from "node:assert/strict";
import { labelledBatch } from "../../../steps/preferences/batches.ts";
import type { Example } from "../../../steps/preferences/examples.ts";
import { METRIC_COLUMNS, preferenceRow } from "../../../steps/preferences/metrics_row.ts";

Deno.test("preferenceRow() fills every column it declares, means over all batches of the update", () => {
  const example = (label: 0 | 1): Example => ({
    row: 0,
    prompt: Int32Array.of(1),
    completions: [Int32Array.of(2, 3)],
    label,
  });
  const part = (label: 0 | 1, kl: number) => {
    const examples = [example(label)];
    return { examples, batch: labelledBatch(examples, { own: [[-1, -2]], mismatched: null }, kl), kl };
  };
  const update = {
    result: {
      loss: 0.5,
      tokens: 4,
      logprobs: [[-1, -1], [-2, -2]].map((row) => Float32Array.from(row)),
      metrics: { chosen_logits: 1, rejected_logits: 2, entropy: 3 },
    },
    row: {
      entropy: 3,
    },
    nonFinite: null,
  } as unknown as Parameters<typeof preferenceRow>[0];
  const facts = {
    beta: 0.5,
    ldAlpha: null,
    epoch: 1.5,
    measured: { accuracy: 0.75, margin: 2 },
  };
  const row = preferenceRow(update, [part(1, 1), part(0, 2)], facts);
  assert.deepEqual(Object.keys(row), [...METRIC_COLUMNS]);
  assert.deepEqual(
    [row.kl, row.chosen_reward, row.rejected_reward, row.reward_margin, row.chosen_logits, row.completion_length],
    [1.5, 0.5, -0.5, 1, 2, 2],
  );
  assert.deepEqual([row.validation_accuracy, row.token_accuracy, row.loss_tokens], [0.75, null, 4]);
});
