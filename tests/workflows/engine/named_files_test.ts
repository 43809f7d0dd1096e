/** The content of the files that a workflow names. @module */
import assert from "node:assert/strict";
import { join } from "node:path";
import { STEPS } from "../../../steps/mod.ts";
import { namedFiles } from "../../../workflows/engine/named_files.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { planWorkflow } from "../../../workflows/plan/plan_workflow.ts";
import { withCached } from "../../data/hub/remote/cached.ts";
import { withFolder } from "./fake_runs.ts";

const TEXT = `
name: own
steps:
  - { uses: load_prompts, with: { file: data/prompts.jsonl } }
  - { uses: load_model, with: { model: ./model, adapter: ./adapter } }
  - repeat: 1
    steps:
      - { uses: sample_groups, with: { prompts_per_step: 2, group_size: 2, max_new_tokens: 2 } }
      - { uses: score_rewards, with: { rewards: [{ uses: ./reward.ts }, { uses: verifier }] } }
      - { uses: compute_advantages, with: { estimator: grpo } }
      - { uses: apply_update, with: { learning_rate: 1.0e-4 } }
  - { uses: export_model, with: { folder: out } }
`;

const FILES = {
  "data/prompts.jsonl": '{"prompt":"a","answer":"b"}\n',
  "model/config.json": "{}",
  "model/model.safetensors": "weights",
  "adapter/adapter_config.json": '{"lora_alpha":8}',
  "adapter/adapter_model.safetensors": "weights",
  "reward.ts":
    'import { one } from "./lib/one.ts";\nexport const score = (b: { texts: string[] }) => b.texts.map(one);\n',
  "lib/one.ts": 'export { one } from "./deep.ts";\n',
  "lib/deep.ts": "export const one = () => 1;\n",
  "verifier/notes.txt": "a folder that has the name of a reward",
  "out/config.json": "{}",
};

Deno.test("namedFiles() sees each byte of prompts, rewards with their imports, models and adapters; not what a run writes", () =>
  withFolder((folder) => {
    for (const [file, text] of Object.entries(FILES)) {
      Deno.mkdirSync(join(folder, file, ".."), { recursive: true });
      Deno.writeTextFileSync(join(folder, file), text);
    }
    const kinds = { ...STEPS, load_model: { ...STEPS.load_model, check: undefined } };
    const plan = planWorkflow(parseWorkflow(TEXT, "own.yaml", { folder }), kinds as typeof STEPS);
    const before = namedFiles(plan);
    assert.deepEqual(Object.keys(before).sort(), [
      "./adapter",
      "./model",
      "./reward.ts",
      "data/prompts.jsonl",
    ]);
    const changes = {
      "data/prompts.jsonl": "data/prompts.jsonl",
      "model/model.safetensors": "./model",
      "adapter/adapter_config.json": "./adapter",
      "adapter/adapter_model.safetensors": "./adapter",
      "reward.ts": "./reward.ts",
      "lib/deep.ts": "./reward.ts",
      "verifier/notes.txt": null,
      "out/config.json": null,
    };
    for (const [file, named] of Object.entries(changes)) {
      const path = join(folder, file), text = Deno.readTextFileSync(path);
      Deno.writeTextFileSync(path, text + " ");
      const after = namedFiles(plan);
      const changed = Object.keys(before).filter((name) => before[name] !== after[name]);
      assert.deepEqual(changed, named === null ? [] : [named], file);
      Deno.writeTextFileSync(path, text);
    }
    assert.deepEqual(namedFiles(plan), before);
    Deno.removeSync(join(folder, "reward.ts"));
    assert.equal(namedFiles(plan)["./reward.ts"], undefined);
  }));

Deno.test("namedFiles() sees the commit that a model of the Hub is at", () =>
  withCached({ "org/tiny": "tests/models/qwen2" }, () => {
    const text = "name: own\nsteps:\n  - { uses: load_prompts, with: { task: addition } }\n" +
      "  - { uses: load_model, with: { model: hf:org/tiny, reference: hf:org/other } }\n";
    const plan = planWorkflow(parseWorkflow(text, "/nowhere/own.yaml"), STEPS);
    assert.deepEqual(namedFiles(plan), { "hf:org/tiny": "1".repeat(40) });
  }));

Deno.test("namedFiles() sees rows and descriptions of a folder of data, and a large file's size, time and ends", () =>
  withFolder((folder) => {
    const text = `
name: own
steps:
  - { uses: load_prompts, with: { file: rows } }
`;
    Deno.mkdirSync(join(folder, "rows/data"), { recursive: true });
    const write = (name: string, content: string) => Deno.writeTextFileSync(join(folder, "rows", name), content);
    const row = '{"prompt":"a","answer":"b"}\n', large = join(folder, "rows/data/test.jsonl");
    write("data/train.jsonl", row);
    write("README.md", "of rows");
    write("notes.txt", "no rows");
    const digest = () => namedFiles(planWorkflow(parseWorkflow(text, "own.yaml", { folder }), STEPS))["rows"];
    const seen = [digest()];
    assert.notEqual(seen[0], undefined);
    write("notes.txt", "still none");
    assert.equal(digest(), seen[0]);
    write("data/train.jsonl", `${row}${row}`);
    seen.push(digest());
    write("README.md", "of more rows");
    seen.push(digest());
    Deno.renameSync(join(folder, "rows/data/train.jsonl"), join(folder, "rows/data/test.jsonl"));
    seen.push(digest());
    Deno.truncateSync(large, 80e6); // Sparse: no bytes are written.
    Deno.utimeSync(large, 1, 1);
    seen.push(digest());
    Deno.utimeSync(large, 1, 2);
    seen.push(digest());
    assert.equal(new Set(seen).size, 6);
    assert.equal(digest(), seen.at(-1));
  }));
