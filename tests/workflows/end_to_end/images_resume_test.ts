/** A run with images, stopped anywhere and resumed, ends as the run that was not stopped; its images must be there and be the same. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fromFileUrl } from "@deno/std/path/from_file_url.js";
import { imagesIn } from "../../../data/datasets/prompt_images.ts";
import { openRunFolder } from "../../../data/open_run_folder.ts";
import { goldenImage } from "../../data/images/image_goldens.ts";
import { same } from "../../same.ts";
import { withFolder } from "../engine/fake_runs.ts";
import { StopAtPoint, type TinyOptions, tinyRun as run, traces } from "./tiny_runs.ts";

const MODEL = fromFileUrl(new URL("../../models/qwen2_vl", import.meta.url));
const workflow = (load: Record<string, unknown>) => `
name: tiny_images
seed: 3
device: cpu
backend: ffi
threads: 1
checkpoint: { every: 1, keep: 2 }
steps:
  - { uses: load_prompts, with: { task: visual_detection, train_scenes: 8, validation_scenes: 2, held_out_scenes: 2 } }
  - { uses: load_model, with: ${JSON.stringify({ model: MODEL, reference: "copy", ...load })} }
  - { uses: fine_tune, with: { max_updates: 2, batch_size: 4 } }
  - repeat: 2
    steps:
      - { uses: sample_groups, with: { prompts_per_step: 3, group_size: 2, max_new_tokens: 3 } }
      - { uses: score_rewards, with: { rewards: [{ uses: visual/iou }, { uses: length_penalty, weight: 0.1 }] } }
      - { uses: compute_advantages, with: { estimator: grpo } }
      - { uses: apply_update, with: { learning_rate: 1.0e-3, updates_per_rollout: 2, kl_coef: 0.05, gradients_every: 1 } }
  - { id: after, uses: evaluate, with: { limit: 2, modes: [sampled, greedy] } }
  - { uses: export_model }
`;

for (
  const [what, load] of [
    ["all of it trains", {}],
    ["tower and merger are frozen", { trainable: ["model.*"] }],
    ["an adapter trains", { lora: { rank: 2, target_modules: "all-linear", dropout: 0.25 } }],
  ] as const
) {
  Deno.test(`a run with images, stopped and resumed, gives bitwise the same weights and rows where ${what}`, () =>
    withFolder(async (runs) => {
      const text = workflow(load), tinyRun = (options: TinyOptions) => run({ text, ...options });
      const points = new Map<string, number[]>();
      let step = "start";
      const counter = new StopAtPoint(Infinity, (point) => points.set(step, [...points.get(step) ?? [], point]));
      const onEvent = (event: Record<string, unknown>) => {
        if (event["event"] === "step_started") step = `${event["step"]} ${event["train_step"]}`;
      };
      const whole = await tinyRun({ runs, runId: "whole", stop: counter, onEvent });
      assert.equal(whole.status, "ok", whole.reason ?? "");
      const want = traces(whole.folder), rows = openRunFolder(whole.folder).table("completions").objects();
      assert(rows.every((row) => imagesIn((row as { prompt: string }).prompt).length === 1));
      const tried = [...points].filter(([place]) =>
        /^(?:load_model|fine_tune|sample_groups|apply_update|after) /.test(place)
      );
      assert(tried.length >= 6, [...points.keys()].join("; "));
      for (const [place, all] of tried) {
        const id = `stop_${all[0]}`, first = await tinyRun({ runs, runId: id, stop: new StopAtPoint(all.at(-1)!) });
        if (first.status === "ok") continue;
        const last = await tinyRun({ runs, resume: id });
        assert.equal(last.status, "ok", `stopped in ${place}: ${last.reason}`);
        const got = traces(last.folder);
        assert.equal(got.weights, want.weights, `weights after a stop in ${place}`);
        for (const table of Object.keys(want.rows)) {
          same(got.rows[table], want.rows[table], `${table} after a stop in ${place}`);
        }
      }
    }));
}

/** A run that was stopped in its rollouts, whose image `change` has touched, resumed. */
async function resumed(runs: string, change: (path: string) => void) {
  const text = workflow({}), id = "stopped";
  let isRollout = false;
  const stop = new class extends StopAtPoint {
    override get requested() {
      if (isRollout) this.request("SIGINT");
      return super.requested;
    }
  }(Infinity);
  const onEvent = (event: Record<string, unknown>) =>
    isRollout ||= event["step"] === "sample_groups" && event["event"] === "step_started";
  const first = await run({ runs, text, runId: id, stop, onEvent });
  assert.equal(first.status, "interrupted", first.reason ?? "");
  const images = join(first.folder, "images");
  for (const { name } of [...Deno.readDirSync(images)]) change(join(images, name));
  return await run({ runs, text, resume: id });
}

Deno.test("a resumed run whose images were deleted fails with their name, and what to do", () =>
  withFolder(async (runs) => {
    const last = await resumed(runs, (path) => Deno.removeSync(path));
    assert.equal(last.status, "failed");
    assert.match(
      last.reason!,
      /Cannot find image [0-9a-f]{32}-\d+x\d+\.png: it is not in images, which load_prompts writes; load the prompts in this run/,
    );
  }));

Deno.test("a resumed run notices one changed byte of an image, in its pixels or beside them", () =>
  withFolder(async (runs) => {
    const last = await resumed(runs, (path) => {
      const bytes = Deno.readFileSync(path);
      bytes[bytes.length - 5]! ^= 1; // of the last chunk's check, which no decoder needs
      Deno.writeFileSync(path, bytes);
    });
    assert.equal(last.status, "failed");
    assert.match(
      last.reason!,
      /Cannot read image [0-9a-f]{32}-\d+x\d+\.png: its bytes are others than when it was stored/,
    );
  }));

Deno.test("a run whose images were replaced by others that open names one, and has them back --from-start", () =>
  withFolder(async (runs) => {
    const originals = new Map<string, Uint8Array>();
    const last = await resumed(runs, (path) => {
      originals.set(path, Deno.readFileSync(path));
      Deno.writeFileSync(path, goldenImage("rgb.png"));
    });
    assert.equal(last.status, "failed");
    assert.match(last.reason!, /Cannot read image [0-9a-f]{32}-\d+x\d+\.png: its bytes are others than when/);
    const again = await run({ runs, text: workflow({}), resume: "stopped", fromStart: true });
    assert.equal(again.status, "ok", again.reason ?? "");
    assert(originals.size > 0);
    for (const [path, bytes] of originals) assert.deepEqual(Deno.readFileSync(path), bytes);
  }));
