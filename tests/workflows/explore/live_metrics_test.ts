import assert from "node:assert/strict";
import { join } from "node:path";
import { openRunFolder } from "../../../data/open_run_folder.ts";
import { metricsOf, withEvents } from "../../../workflows/explore/live_metrics.ts";
import { fabricateRun, RUN_A, withRuns } from "../cli/fabricated_run.ts";

const EVENTS = [
  { event: "run_started", run: RUN_A },
  { event: "train_step", time: "t", train_step: 2, reward: 9, phase: "rollout" },
  { event: "train_step", time: "t", train_step: 3, reward: 0.875, phase: "rollout", step_id: "update", loss: null },
  { event: "step_finished", step: "x", train_step: 4 },
].map((event) => JSON.stringify(event) + "\n").join("");

Deno.test("withEvents() adds train steps of a running run that no segment holds, and of one that ended none", () =>
  withRuns((runs) => {
    const steps = (status: "running" | "ok") => {
      const folder = fabricateRun(runs, RUN_A, { status, finished: null });
      Deno.writeTextFileSync(join(folder, "events.jsonl"), EVENTS);
      const table = withEvents(openRunFolder(folder));
      return [Array.from(table.array("train_step")), Array.from(table.array("reward"))];
    };
    assert.deepEqual(steps("running"), [[1, 2, 3], [0.25, 0.75, 0.875]]);
    assert.deepEqual(steps("ok"), [[1, 2], [0.25, 0.75]]);
  }));

Deno.test("metricsOf() keeps what is a metric", () => {
  assert.deepEqual(metricsOf({ event: "train_step", time: "t", train_step: 3, reward: 1 }), {
    train_step: 3,
    reward: 1,
  });
});
