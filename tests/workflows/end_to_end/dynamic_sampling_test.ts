/** Dynamic sampling in real runs: further samplings, replay, pass rates that draw, and the same numbers after a stop. */
import assert from "node:assert/strict";
import { ONE_LAYER } from "../../steps/contexts/training_run.ts";
import { same } from "../../same.ts";
import { rowsOnDisk, withFolder } from "../engine/fake_runs.ts";
import { StopAtPoint, tinyRun, traces } from "./tiny_runs.ts";

const workflow = (filter: string, { sample = "", steps = 2, reward = "length_penalty" } = {}) => `
name: dynamic
seed: 3
device: cpu
threads: 1
checkpoint: { every: 100, keep: 1 }
steps:
  - { uses: load_prompts, with: { task: addition, digits: 1 } }
  - { uses: load_model, with: { model: ${JSON.stringify(ONE_LAYER.model)} } }
  - { uses: fine_tune, with: { max_updates: 8, batch_size: 8, learning_rate: 1.0e-2 } }
  - repeat: ${steps}
    steps:
      - { uses: sample_groups, with: { prompts_per_step: 4, group_size: 2, max_new_tokens: 3${sample} } }
      - { uses: score_rewards, with: { rewards: [{ uses: ${reward} }] } }
      - { uses: filter_groups, with: { ${filter} } }
      - { uses: compute_advantages, with: { estimator: grpo } }
      - { uses: apply_update, with: { learning_rate: 1.0e-3 } }
  - { uses: export_model }
`;
type Row = Record<string, unknown>;
const rows = (folder: string, table: string) =>
  (rowsOnDisk(folder)[table] ?? []).map((line) => JSON.parse(line) as Row);

Deno.test("filter_groups samples until enough groups have spread; metrics are of all that was sampled", () =>
  withFolder(async (runs) => {
    const run = await tinyRun({ runs, runId: "filtered", text: workflow("max_batches: 4") });
    assert.equal(run.status, "ok", run.reason ?? "");
    const groups = rows(run.folder, "groups"),
      metrics = rows(run.folder, "metrics").filter((row) => row["phase"] === "rollout");
    assert.equal(metrics.length, 2);
    for (const { train_step, ...metric } of metrics) {
      const sampled = groups.filter((group) => group["train_step"] === train_step);
      const passed = sampled.filter((group) => group["passed"]);
      assert(passed.length > 0 && passed.length < sampled.length, "the test needs both kinds");
      for (const { reward_spread, passed } of sampled) assert.equal(passed, (reward_spread as number) > 1e-8);
      assert.equal(
        new Set(sampled.map((group) => group["prompt_id"])).size,
        sampled.length,
        "a prompt was sampled twice",
      );
      assert.equal(metric["filtered_fraction"], passed.length / sampled.length);
      assert.equal(metric["zero_spread_fraction"], 1 - passed.length / sampled.length);
      assert.equal(metric["generation_batches"], sampled.length / 4);
      const mean = sampled.reduce((sum, group) => sum + (group["reward"] as number), 0) / sampled.length;
      assert(Math.abs(metric["reward"] as number - mean) < 1e-9);
      const trained = rows(run.folder, "completions").filter((row) => row["train_step"] === train_step);
      assert.deepEqual(
        [...new Set(trained.map((row) => row["prompt_id"]))],
        passed.slice(0, 4).map((group) => group["prompt_id"]),
      );
      assert(trained.every((row) => row["advantage"] !== 0));
    }
    assert.equal(rows(run.folder, "kept").length, 0);
  }));

Deno.test("a run stopped between samplings of one train step and resumed gives bitwise the same", () =>
  withFolder(async (runs) => {
    const text = workflow("max_batches: 3, too_few: replay", { sample: ", draw: pass_rate" });
    const points: number[] = [];
    let started = 0;
    const counter = new StopAtPoint(Infinity, (point) => started > 0 && points.push(point));
    const onEvent = (event: Record<string, unknown>) => {
      if (event["event"] === "step_started" && event["step"] === "filter_groups") started++;
    };
    const whole = await tinyRun({ runs, runId: "whole", text, stop: counter, onEvent });
    assert.equal(whole.status, "ok", whole.reason ?? "");
    const want = traces(whole.folder);
    assert(
      want.rows["completions"]!.some((row) => (row as Row)["replayed_from"] !== undefined),
      "nothing was replayed",
    );
    const places = new Set<unknown>();
    for (const point of points.filter((_, i) => i % 11 === 0)) {
      const id = `stop_${point}`;
      const first = await tinyRun({ runs, runId: id, text, stop: new StopAtPoint(point) });
      if (first.status === "ok") continue;
      places.add(first.events.findLast(({ event }) => event === "step_started")?.step);
      const last = await tinyRun({ runs, resume: id, text });
      assert.equal(last.status, "ok", last.reason ?? "");
      const got = traces(last.folder);
      assert.equal(got.weights, want.weights, `weights after a stop at ${point}`);
      for (const table of Object.keys(want.rows)) {
        same(got.rows[table], want.rows[table], `${table} after a stop at ${point}`);
      }
    }
    assert(places.has("sample_groups"), [...places].join(", "));
  }));

Deno.test("too_few: stop ends the run with the count; draw: pass_rate without filter_groups is an error that names it", () =>
  withFolder(async (runs) => {
    const run = await tinyRun({ runs, text: workflow("max_batches: 1, too_few: stop") });
    assert.equal(run.status, "failed");
    assert.match(run.reason!, /Cannot fill the train step with 4 groups: \d of 4 passed the filter in 1 samplings/);
    const text = workflow("", { sample: ", draw: pass_rate" }).replace(/.*filter_groups.*\n/, "");
    const without = await tinyRun({ runs, text });
    assert.match(without.reason!, /Cannot draw prompts by pass rate: table "groups" is empty; put filter_groups/);
  }));
