/** A model that reads images, written and read again by ourselves: whole, merged, and as an adapter alone. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { isThere } from "../../data/file_system.ts";
import { readModel } from "../gpu/safetensors.ts";
import { writeSafetensors } from "../../data/hub/safetensors_write.ts";
import { moduleName } from "../../data/hub/visual_names.ts";
import { readTensors } from "../../steps/resources/model_source.ts";
import { editJson, modelFolder } from "./contexts/model_folders.ts";
import { lists, type TrainingRun } from "./contexts/training_run.ts";
import { visualRollout, withVisual } from "./contexts/visual_run.ts";

const LORA = { rank: 2, target_modules: "all-linear", modules_to_save: ["merger.ln_q"] };

/** Log-probs of what was sampled, by the policy as it is now. */
async function logprobs(run: TrainingRun): Promise<number[]> {
  const table = run.tables.table("completions"), prompts = run.column<string>("completions", "prompt");
  const { policy } = run, completions = lists(table, "token_ids");
  const sequences = { prompts: prompts.map((prompt) => policy.encodePrompt(prompt, 0)), group: 1, completions };
  return (await policy.logprobs(sequences, 1)).flatMap((row) => Array.from(row));
}

const gap = (a: readonly number[], b: readonly number[]) => Math.max(...a.map((x, i) => Math.abs(x - b[i]!)));
const trained = async (run: TrainingRun) => {
  await run.run("fine_tune", { max_updates: 2, batch_size: 4, learning_rate: 1e-2 });
  await visualRollout(run);
  return await logprobs(run);
};

Deno.test("export_model of a model that reads images is read again bit by bit, with its image processor", () =>
  withVisual(async (run) => {
    const want = await trained(run), weights = run.weights(), { processor } = run.policy.images!;
    const folder = String((await run.run("export_model")).outputs!["folder"]);
    assert.deepEqual([...readTensors(folder).keys()].sort(), [...readModel("qwen2_vl").keys()].sort());
    await run.run("load_model", { model: folder });
    assert.deepEqual(run.weights(), weights);
    assert.deepEqual(run.policy.images!.processor, processor);
    assert.deepEqual(await logprobs(run), want);
  }, { min_pixels: 6272, max_pixels: 25088 }));

Deno.test("export_model of an adapter on text, tower and merger is read again merged and apart, with the same log-probs", () =>
  withVisual(async (run) => {
    const want = await trained(run), base = join(run.folder, "qwen2_vl");
    const [apart, merged] = ["apart", "merged"].map((name) => join(run.folder, name));
    await run.run("export_model", { folder: apart, merge: false });
    await run.run("export_model", { folder: merged });
    for (
      const [load, most] of [
        [{ model: base, adapter: apart }, 0],
        [{ model: apart }, 1e-4],
        [{ model: base, adapter: apart, merge: true }, 1e-4],
        [{ model: merged }, 1e-4],
      ] as const
    ) {
      await run.run("load_model", load);
      const off = gap(await logprobs(run), want);
      assert(off <= most, `${JSON.stringify(load)}: off by ${off}`);
    }
    await run.run("load_model", { model: base });
    assert(gap(await logprobs(run), want) > 1e-3, "the adapter does something");
  }, { lora: LORA }));

Deno.test("a folder with the names of transformers' modules is the same model as one with those of published files", () =>
  withVisual(async (run) => {
    await visualRollout(run);
    const want = await logprobs(run),
      weights = run.weights(),
      folder = modelFolder(run.folder, "qwen2_vl", { tokenizer: false, as: "newer" });
    const tensors = new Map([...readModel("qwen2_vl")].map(([name, tensor]) => [moduleName(name), tensor]));
    assert([...tensors.keys()].every((name) => /^model\.(?:language_model|visual)\./.test(name)));
    Deno.removeSync(join(folder, "model.safetensors"));
    writeSafetensors(join(folder, "model.safetensors"), tensors);
    // What transformers 5 writes beside them.
    editJson(join(folder, "config.json"), (json) => {
      const { vision_config, ...text } = json, own = ["architectures", "model_type", "tie_word_embeddings"];
      for (const key of Object.keys(json)) if (!own.includes(key) && !key.endsWith("_token_id")) delete json[key];
      json["text_config"] = { ...text, model_type: "qwen2_vl_text" };
      json["vision_config"] = {
        ...vision_config as object,
        model_type: "qwen2_vl_vision",
        rope_parameters: { rope_theta: 10000, rope_type: "axial" },
      };
    });
    const cut = join(folder, "preprocessor_config.json"), image_processor = JSON.parse(Deno.readTextFileSync(cut));
    Deno.removeSync(cut);
    Deno.writeTextFileSync(join(folder, "processor_config.json"), JSON.stringify({ image_processor }));
    await run.run("load_model", { model: folder });
    assert.deepEqual(run.weights(), weights);
    assert.deepEqual(await logprobs(run), want);
    // What is written has the names that every transformers reads.
    const again = String((await run.run("export_model")).outputs!["folder"]);
    assert.deepEqual([...readTensors(again).keys()].sort(), [...readModel("qwen2_vl").keys()].sort());
    const { max_pixels } = JSON.parse(Deno.readTextFileSync(join(again, "preprocessor_config.json")));
    assert.equal(max_pixels, image_processor.max_pixels);
    assert(!isThere(join(again, "processor_config.json")), "it would win, with bounds that are not the run's");
  }));

Deno.test("an adapter that PEFT saved under the names of transformers' modules is read, and written back so", () =>
  withVisual(async (run) => {
    await visualRollout(run);
    const plain = await logprobs(run), from = modelFolder(run.folder, "qwen2_vl_lora", { tokenizer: false });
    await run.run("load_model", { model: join(run.folder, "qwen2_vl"), adapter: from });
    assert.equal(run.policy.model.adapted!.adapter.targets.size, 8);
    const want = await logprobs(run);
    assert(gap(want, plain) > 1e-3);
    const folder = join(run.folder, "again");
    await run.run("export_model", { folder, merge: false });
    const config = JSON.parse(Deno.readTextFileSync(join(folder, "adapter_config.json")));
    // An end of the module's name in every transformers.
    assert(
      config.target_modules.includes("layers.0.self_attn.q_proj") &&
        config.target_modules.includes("visual.blocks.1.attn.qkv"),
    );
    await run.run("load_model", { model: join(run.folder, "qwen2_vl"), adapter: folder });
    assert.deepEqual(await logprobs(run), want);
  }));
