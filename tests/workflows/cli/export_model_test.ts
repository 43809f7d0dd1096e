import assert from "node:assert/strict";
import { join } from "node:path";
import { isFile } from "../../../data/file_system.ts";
import { openRunFolder } from "../../../data/open_run_folder.ts";
import { merged, readAdapter } from "../../../data/hub/peft_adapter.ts";
import { readTensors } from "../../../steps/resources/model_source.ts";
import { openPolicy } from "../../../workflows/cli/open_policy.ts";
import { editJson, modelFolder } from "../../steps/contexts/model_folders.ts";
import { same } from "../../same.ts";
import { withTinyRun } from "./tiny_run.ts";
import { inProcess } from "./in_process.ts";

Deno.test("export --format hf and peft of a checkpoint upon int4 weights write what export_model would: exact weights, a card, the source's keys", async () => {
  const models = Deno.makeTempDirSync();
  try {
    const base = modelFolder(models, "warm_addition", { tokenizer: false });
    editJson(join(base, "config.json"), (config) => config["use_mrope"] = false);
    const given = `model: ${JSON.stringify(base)}, weights: int4, lora: { target_modules: all_linear }`;
    await withTinyRun(
      async ({ folder }, runs) => {
        const write = async (format: string) => {
          const out = join(runs, "out", format);
          const { code, out: said, err } = await inProcess(["export", folder, "--format", format, "--out", out]);
          assert.equal(code, 0, err);
          return { out, said, card: Deno.readTextFileSync(join(out, "README.md")) };
        };
        const hf = await write("hf"), peft = await write("peft");
        assert.match(
          hf.said,
          /upon weights of int4; it is merged into those of .*warm_addition, which are not rounded/,
        );
        assert.match(hf.said, /from checkpoint 2\./);
        const written = readTensors(hf.out);
        for (const [name, { data }] of merged(readTensors(base), readAdapter(peft.out))) {
          same(written.get(name)!.data, data, name);
        }
        assert.equal(JSON.parse(Deno.readTextFileSync(join(hf.out, "config.json")))["use_mrope"], false);
        assert.match(hf.card, /library_name: transformers[^]*A model \(policy\), trained by the workflow `tiny`/);
        assert.match(hf.card, /\* Train steps: 2; seed 3;[^]*\| learning_rate \| 0\.0001 \|/);
        assert.match(peft.card, /library_name: peft[^]*A LoRA adapter \(policy\)/);
      },
      (text) => text.replace("model: tiny_qwen2", given).replace("  - { uses: export_model }\n", ""),
    );
  } finally {
    Deno.removeSync(models, { recursive: true });
  }
});

Deno.test("export --format hf of a run that has exported keeps that export's card", () =>
  withTinyRun(async ({ folder }, runs) => {
    const out = join(runs, "out", "hf"), own = join(folder, "model", "README.md");
    const card = Deno.readTextFileSync(own).replace("\ntags:", "\nbase_model: org/tiny\ntags:");
    Deno.writeTextFileSync(own, card);
    const { code, err } = await inProcess(["export", folder, "--format", "hf", "--out", out]);
    assert.equal(code, 0, err);
    assert.equal(Deno.readTextFileSync(join(out, "README.md")), card);
    const opened = await openPolicy(openRunFolder(folder));
    opened.policy.release();
    assert.equal(opened.trainStep, 2);
  }));

Deno.test("export --format peft of a run whose export is merged takes the adapter of its newest checkpoint", () =>
  withTinyRun(async ({ folder }, runs) => {
    const out = join(runs, "out", "peft");
    const { code, out: said, err } = await inProcess(["export", folder, "--format", "peft", "--out", out]);
    assert.equal(code, 0, err);
    assert.match(said, /from checkpoint 2\./);
    const whole = readTensors(join(folder, "model")), { pairs } = readAdapter(out);
    assert(pairs.size > 0);
    for (const name of pairs.keys()) assert(whole.has(name), name);
    Deno.removeSync(join(folder, "checkpoints"), { recursive: true });
    const gone = await inProcess(["export", folder, "--format", "peft", "--out", join(runs, "out", "no")]);
    assert.match(gone.err, /its export is merged, and there is no checkpoint, which would have the adapter apart/);
    assert.equal(isFile(join(runs, "out", "no", "adapter_config.json")), false);
  }, (text) => text.replace("model: tiny_qwen2", "model: tiny_qwen2, lora: { target_modules: all_linear }")));

Deno.test("export --format peft says so where all weights train", () =>
  withTinyRun(async ({ folder }, runs) => {
    const { code, err } = await inProcess(["export", folder, "--format", "peft", "--out", join(runs, "out")]);
    assert.match(
      err,
      /Cannot export run .* as peft: all of its weights train, and there is no adapter; want --format hf/,
    );
    assert.equal(code, 2);
  }));
