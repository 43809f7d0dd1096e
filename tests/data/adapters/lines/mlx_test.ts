import assert from "node:assert/strict";
import { column, readText } from "../read_text.ts";

Deno.test("MLX reads train and validation lines", async () => {
  const run = await readText(
    "Iter 1: Val loss 2.500, Val total_rewards_mean 0.125, Val took 12.0s\n" +
      "Iter 10: Train loss 0.500, Total rewards mean 0.250, Grouped rewards std 0.100, KL 0.010, Learning Rate 1.000e-05, " +
      "It/sec 0.500, Tokens/sec 100.000, Peak mem 5.3 GB\n",
  );
  assert.deepEqual(run.metrics.train_step, [10]);
  assert.deepEqual(column(run, "loss"), [0.5]);
  assert.deepEqual(column(run, "reward"), [0.25]);
  assert.deepEqual(column(run, "group_reward_std"), [0.1]);
  assert.deepEqual(column(run, "kl"), [0.01]);
  assert.deepEqual(column(run, "tokens_per_second"), [100]);
  assert.deepEqual(run.evaluations.columns.get("reward"), [0.125]);
  assert.equal(run.system, "mlx");
});

Deno.test("MLX knows by its first line which loss of pairs it trains", async () => {
  const run = await readText("Starting ORPO training..., iters: 500\nIter 10: Train loss 0.061, Accuracy 0.600\n");
  const plain = await readText("Starting training..., iters: 500\nIter 10: Train loss 0.061\n");
  const losses = (one: typeof run) => one.settings.filter(({ name }) => name === "loss_type").map(({ value }) => value);
  assert.deepEqual([losses(run), losses(plain)], [["orpo"], []]);
});
