/** Lines of a metric with its values in a row. */
import assert from "node:assert/strict";
import { Intake } from "../../../../../data/adapters/intake/intake.ts";
import { readSeriesLine } from "../../../../../data/adapters/post/blocks/series_line.ts";

function read(text: string) {
  const intake = new Intake();
  intake.openSource("post.md", "post", 0);
  const behind = readSeriesLine(intake, { text, number: 7, ended: true });
  return { behind, told: intake.told.map(({ name, values, relation, line }) => ({ name, values, relation, line })) };
}

Deno.test("readSeriesLine() tells the values in their order, and gives back what stands behind them", () => {
  assert.deepEqual(read("- eval_loss：1.29 → 1.24 → 1.47；还在涨"), {
    behind: "；还在涨",
    told: [{ name: "eval_loss", values: [1.29, 1.24, 1.47], relation: "series", line: 7 }],
  });
  assert.deepEqual(read("grad norm, 2 → 15 → 140").told[0]?.values, [2, 15, 140]);
  assert.deepEqual(read("train loss per epoch: 2.1, 1.4, 0.9, 0.6").told[0]?.values, [2.1, 1.4, 0.9, 0.6]);
});

Deno.test("readSeriesLine() leaves sentences, versions and rows of several metrics", () => {
  for (
    const text of [
      "loss 0.5 (0-100), 0.4, 0.3, 0.2",
      "torch 2.1, 2.2, 2.3, 2.4",
      "loss and reward: 1, 2, 3, 4",
      "loss: 0.4, 0.3",
      "loss at 50% of it: 1, 2, 3, 4",
      "the loss is fine; loss: 1, 2, 3, 4",
    ]
  ) assert.deepEqual(read(text), { behind: null, told: [] }, text);
});
