import assert from "node:assert/strict";
import { Intake } from "../../../../data/adapters/intake/intake.ts";
import { OwnMetrics } from "../../../../data/adapters/intake/own_metrics.ts";

Deno.test("OwnMetrics makes a row per train step and phase, and passes over what is no metric", () => {
  const intake = new Intake(), own = new OwnMetrics();
  intake.openSource("a", "wandb", 0);
  own.add(2, "rollout/reward", 0.5);
  own.add(1, "sft/loss", NaN);
  own.add(2, "rollout/step_id", "apply_update");
  for (const name of ["evaluations/after.greedy", "rollout/reward.verifier", "gradients/grad_norm", "_runtime"]) {
    own.add(2, name, 1);
  }
  own.finish(intake);
  const [table] = intake.tables.get("metrics")!;
  const rows = table!.objects() as Record<string, unknown>[];
  assert.deepEqual(
    rows.map(({ train_step, phase, loss, reward, step_id }) => [train_step, phase, loss, reward, step_id]),
    [
      [1, "sft", NaN, null, null],
      [2, "rollout", null, 0.5, "apply_update"],
    ],
  );
  assert.deepEqual(table!.columnNames().filter((name) => name.includes(".") || name === "grad_norm"), []);
});
