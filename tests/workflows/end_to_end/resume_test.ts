/** A run stopped anywhere and resumed ends as the run that was not stopped, to the bit. */
import assert from "node:assert/strict";
import { withFolder } from "../engine/fake_runs.ts";
import { ONE_LAYER } from "../../steps/contexts/training_run.ts";
import { StopAtPoint, TINY, type TinyOptions, tinyRun as run, traces } from "./tiny_runs.ts";
import { same } from "../../same.ts";

/** Where a run stops is no matter of its layers. */
const text = TINY.replace("model: tiny_qwen2", `model: ${JSON.stringify(ONE_LAYER.model)}`);
const tinyRun = (options: TinyOptions) => run({ text, ...options });

Deno.test("a run stopped at every kind of safe point and resumed gives bitwise the same weights and rows", () =>
  withFolder(async (runs) => {
    // Safe points of the same step and train step: sampling has one per token, the first and the last are tried; of the
    // first rollout those that the second does not have again: before it and between its updates.
    const points = new Map<string, number[]>();
    let step = "start";
    const counter = new StopAtPoint(Infinity, (point) => points.set(step, [...points.get(step) ?? [], point]));
    const onEvent = (event: Record<string, unknown>) => {
      if (event["event"] === "step_started") step = `${event["step"]} ${event["train_step"]}`;
    };
    const whole = await tinyRun({ runs, runId: "whole", stop: counter, onEvent });
    assert.equal(whole.status, "ok", whole.reason ?? "");
    const want = traces(whole.folder);
    same(traces((await tinyRun({ runs, runId: "again" })).folder), want, "the same seed, the same run");
    assert.deepEqual(Object.keys(want.rows).sort(), [
      "completions",
      "evaluations",
      "findings",
      "gradients",
      "metrics",
      "prompts",
      "settings",
      "updates",
    ]);
    assert.equal(want.rows["metrics"]!.length, 5);
    assert.equal(want.rows["updates"]!.length, 3 + 4);
    assert.equal(want.rows["completions"]!.length, 32);
    const places = new Set<string>();
    const tried = [...points].filter(([place]) => !/ 4$/.test(place) || /^(?:sample_groups|apply_update) /.test(place));
    for (const point of new Set(tried.flatMap(([, all]) => [all[0]!, all.at(-1)!]))) {
      const id = `stop_${point}`;
      const first = await tinyRun({ runs, runId: id, stop: new StopAtPoint(point) });
      if (first.status === "ok") continue;
      assert.deepEqual([first.status, first.exitCode], ["interrupted", 130], first.reason ?? "");
      const place = `${
        first.events.findLast(({ event }) => event === "step_started")?.step ?? "start"
      } ${first.checkpoint}`;
      places.add(place);
      const last = await tinyRun({ runs, resume: id });
      assert.equal(last.status, "ok", `stopped in ${place}: ${last.reason}`);
      const got = traces(last.folder);
      assert.equal(got.weights, want.weights, `weights after a stop in ${place}`);
      for (const table of Object.keys(want.rows)) {
        same(got.rows[table], want.rows[table], `${table} after a stop in ${place}`);
      }
      assert.deepEqual(last.evaluations, whole.evaluations, `evaluations after a stop in ${place}`);
      Deno.removeSync(last.folder, { recursive: true });
    }
    // Between steps, between train steps of the warm start, while sampling, and between the updates of one rollout.
    for (const place of ["load_model 0.0", "fine_tune 1.1", "sample_groups 5.0", "apply_update 5.1", "after 5.2"]) {
      assert(places.has(place), `no stop in ${place}: ${[...places].join(", ")}`);
    }
  }));
