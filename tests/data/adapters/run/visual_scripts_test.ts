import assert from "node:assert/strict";
import { entryScript, launchOf, visualScript } from "../../../../data/adapters/run/visual_scripts.ts";

const SETTING = { type: "string", source: "run.sh", line: 1, column: 1, option: null, system: null };
const settings = (values: Readonly<Record<string, unknown>>) =>
  Object.entries(values).map(([name, value]) => ({ ...SETTING, name, value })) as unknown as Parameters<
    typeof launchOf
  >[0];

function told(values: Readonly<Record<string, unknown>>, around: readonly string[] = []): string | null {
  const found = visualScript(launchOf(settings(values), around));
  return found === null ? null : `${found.system} ${found.trainer}`;
}

Deno.test("visualScript() goes by the script's name and its options, whatever words its path has", () => {
  const pixels = { max_pixels: 200704, dataset_name: "data_config/rec.yaml" };
  assert.equal(told({ script: "src/open_r1/grpo_rec.py", ...pixels }), "vlm-r1 grpo_rec");
  assert.equal(told({ script: "src/virft/src/open_r1/grpo_rec.py" }), "vlm-r1 grpo_rec");
  assert.equal(told({ script: "VLM-R1/grpo_classification.py", ...pixels }), "visual-rft grpo_classification");
  assert.equal(told({ script: "r1-v/grpo_gui_grounding_lisa.py" }), "visual-rft grpo_lisa");
  assert.equal(told({ script: "ViRFT/own.py", data_file_paths: "a.jsonl" }), "vlm-r1 grpo_jsonl");
  assert.equal(told({ script: "virft/sft.py", ...pixels }), null);
  assert.equal(told({ script: "train_grpo.py", ...pixels }), null);
});

Deno.test("visualScript() asks the words where several have the script, and where none is named", () => {
  const grpo = (values: Readonly<Record<string, unknown>>, around: readonly string[] = []) =>
    told({ script: "src/open_r1/grpo.py", ...values }, around);
  assert.equal(grpo({ max_pixels: 1 }), "visual-rft grpo");
  assert.equal(grpo({ max_pixels: 1 }, ["cd src/r1-v"]), "r1-v-family grpo");
  assert.equal(grpo({ max_pixels: 1 }, ["cd VLM-R1"]), "vlm-r1 grpo_rec");
  assert.equal(grpo({ dataset_name: "AI-MO/NuminaMath-TIR" }), null);
  assert.equal(told({ max_pixels: 1, dataset_name: "x" }), "visual-rft grpo");
  assert.equal(told({ max_pixels: 1, train: "GEOQA_8K" }), "r1-v-family grpo");
  assert.equal(told({ DATA_PATH: "./ViRFT_COCO" }), "visual-rft grpo");
  assert.equal(told({ max_pixels: 1 }), null);
});

Deno.test("entryScript() finds the script by itself or behind a flag of the launcher, and takes no other file for it", () => {
  const path = (values: Readonly<Record<string, unknown>>) => entryScript(settings(values))?.path ?? null;
  assert.equal(path({ standalone: "train.py" }), "train.py");
  assert.equal(path({ nproc_per_node: [8, "a/grpo_rec.py"], output_dir: "out" }), "a/grpo_rec.py");
  assert.equal(path({ script: "prepare.py", nnodes: [1, "grpo.py"] }), "grpo.py", "the one that trains");
  assert.equal(path({ external_plugins: "plugin.py", reward: 1 }), null);
});
