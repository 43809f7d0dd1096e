import assert from "node:assert/strict";
import { column, readText } from "../read_text.ts";

Deno.test("DEEPSPEED_CHAT joins the losses and the average reward of a step", async () => {
  const run = await readText(
    "epoch: 0|step: 10|ppo_ep: 1|act_loss: 0.5|cri_loss: 0.25|unsuper_loss: 0.0\naverage reward score: -1.5\n" +
      "-----\nepoch: 0|step: 11|ppo_ep: 1|act_loss: nan|cri_loss: inf|unsuper_loss: 0.0\naverage reward score: 2.5\n",
  );
  assert.deepEqual(run.metrics.train_step, [10, 11]);
  assert.deepEqual(column(run, "policy_loss"), [0.5, NaN]);
  assert.deepEqual(column(run, "value_loss"), [0.25, Infinity]);
  assert.deepEqual(column(run, "reward"), [-1.5, 2.5]);
  assert.equal(run.system, "deepspeed-chat");
});

Deno.test("DEEPSPEED_CHAT takes no value that the end of the file may have cut", async () => {
  const run = await readText(
    "epoch: 0|step: 10|act_loss: 0.5|cri_loss: 0.25\nepoch: 0|step: 11|act_loss: 0.75|cri_loss: 0.2",
  );
  assert.deepEqual(column(run, "policy_loss"), [0.5, 0.75]);
  assert.deepEqual(column(run, "value_loss"), [0.25, null]);
});

Deno.test("DEEPSPEED_CHAT reads the later wording", async () => {
  const run = await readText(
    "Epoch: 0 | Step: 3 | PPO Epoch: 1 | Actor Loss: 0.5 | Critic Loss: nan | Unsupervised Loss: 0.0\n" +
      "End-to-End => Latency: 6.2s\nAverage reward score: -1.25\n",
  );
  assert.deepEqual(run.metrics.train_step, [3]);
  assert.deepEqual(column(run, "policy_loss"), [0.5]);
  assert.deepEqual(column(run, "value_loss"), [NaN]);
  assert.deepEqual(column(run, "reward"), [-1.25]);
});
