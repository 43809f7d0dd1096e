import assert from "node:assert/strict";
import { join } from "node:path";
import { STEPS } from "../../../steps/mod.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { pathsFromCaller } from "../../../workflows/plan/caller_paths.ts";

const LOADED = parseWorkflow(
  `
name: paths
params:
  { file: a.jsonl, model: tiny_qwen2, adapter: x, reference: none, template: t.jinja, reward: ./r.ts, out: out, dir: data,
    text: prompt, n: 1 }
steps:
  - { uses: load_prompts, with: { file: "\${{ params.file }}", prompt_column: "\${{ params.text }}" } }
  - { uses: load_preferences, with: { file: "\${{ params.dir }}/rows.jsonl" } }
  - uses: load_model
    with: { model: "\${{ params.model }}", adapter: "\${{ params.adapter }}", reference: "\${{ params.reference }}",
      chat_template: "\${{ params.template }}" }
  - repeat: 1
    steps:
      - { uses: score_rewards, with: { rewards: [{ uses: verifier }, { uses: "\${{ params.reward }}" }] } }
  - { uses: export_model, with: { folder: "\${{ params.out }}" } }
`,
  "paths.yaml",
  { kinds: STEPS },
);

Deno.test("pathsFromCaller() makes absolute what a step takes for a path, and leaves names, addresses and other texts", () => {
  const caller = Deno.makeTempDirSync();
  const read = (given: Record<string, string>) => pathsFromCaller(LOADED, STEPS, given, caller);
  const here = (path: string) => join(caller, path);
  try {
    for (const name of ["mine", "tiny_qwen2", "copy", "verifier", "org/name"]) {
      Deno.mkdirSync(here(name), { recursive: true });
    }
    const moved = {
      file: "b.jsonl",
      dir: "d",
      model: "mine",
      adapter: "../far/away",
      reference: "org/name",
      template: "t",
      reward: "./zero.ts",
      out: "o",
    };
    assert.deepEqual(
      read(moved),
      Object.fromEntries(Object.entries(moved).map(([key, path]) => [key, here(path)])),
    );
    for (
      const kept of [
        {
          file: "hf:datasets/org/name",
          model: "tiny_qwen2",
          adapter: "20260101-run",
          reference: "copy",
          reward: "verifier",
        },
        { file: here("b.jsonl"), model: "hf:org/name", reference: "adapter_off", text: "mine", n: "2" },
        { model: "absent/here" },
        { model: "" },
      ]
    ) assert.deepEqual(read(kept as unknown as Record<string, string>), kept);
  } finally {
    Deno.removeSync(caller, { recursive: true });
  }
});
