import assert from "node:assert/strict";
import { column, readText } from "../read_text.ts";

Deno.test("NEMO_RL reads bulleted results under step headings", async () => {
  const block = (step: number, reward: string) =>
    `========================= Step ${step}/100 =========================\n\n📊 Training Results:\n  • Loss: -0.0012\n` +
    `  • Generation KL Error: 0.0018\n  • Avg Reward: ${reward}\n  • Mean Generation Length: 345.6789\n\n⏱️  Timing:\n` +
    "  • Total step time: 45.50s\n  • generation: 20.10s (44.2%)\n";
  const run = await readText(block(1, "0.25") + block(2, "nan"));
  assert.deepEqual(run.metrics.train_step, [1, 2]);
  assert.deepEqual(column(run, "loss"), [-0.0012, -0.0012]);
  assert.deepEqual(column(run, "reward"), [0.25, NaN]);
  assert.deepEqual(column(run, "step_ms"), [45500, 45500]);
  assert.equal(run.system, "nemo-rl");
});
