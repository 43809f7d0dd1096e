import assert from "node:assert/strict";
import { adapterMisfit } from "../../../data/hub/adapter_fit.ts";
import { modelConfig } from "../../../gpu/models/config.ts";
import { parameterLayout } from "../../../gpu/models/parameters.ts";
import { editJson, modelFolder } from "../../steps/contexts/model_folders.ts";
import { readJson } from "../../gpu/safetensors.ts";

const FOLDER = "tests/models/qwen2_lora", CONFIG = readJson("models/qwen2/config.json") as Record<string, unknown>;
const layout = (more: Record<string, unknown> = {}) => parameterLayout(modelConfig({ ...CONFIG, ...more }));

Deno.test("adapterMisfit() is silent where names and shapes fit, and names the first that does not", () => {
  assert.equal(adapterMisfit(FOLDER, layout()), null);
  assert.match(
    adapterMisfit(FOLDER, layout({ intermediate_size: 96 }))!,
    /^its "base_model.*mlp\.\w+_proj\.lora_[AB]\.weight" is \[\d+,\d+\], and "model.*" of the model is \[\d+,\d+\]$/,
  );
  assert.match(
    adapterMisfit(FOLDER, layout({ num_hidden_layers: 1 }))!,
    /^it changes "model\.layers\.1\..*", which the model has not/,
  );
  assert.throws(() => adapterMisfit("tests/models/qwen2", layout()), /it has no adapter_config\.json/);
});

Deno.test("adapterMisfit() names an embedding that PEFT trained apart from the head that is the same matrix", () => {
  const root = Deno.makeTempDirSync(), folder = modelFolder(root, "qwen2_lora", { tokenizer: false });
  const told = (modules_to_save: string[] | null, ensure_weight_tying: boolean, tie_word_embeddings: boolean) => {
    editJson(`${folder}/adapter_config.json`, (json) => Object.assign(json, { modules_to_save, ensure_weight_tying }));
    return adapterMisfit(folder, layout({ tie_word_embeddings }));
  };
  for (const names of [["embed_tokens"], ["lm_head"], ["norm", "lm_head"], ["model.embed_tokens"]]) {
    assert.match(
      told(names, false, true)!,
      /^it trains \S+ by itself .* are one matrix .*ensure_weight_tying: true, or merge/,
    );
    assert.deepEqual([told(names, true, true), told(names, false, false)], [null, null]);
  }
  assert.deepEqual([told(null, false, true), told(["norm"], false, true)], [null, null]);
  Deno.removeSync(root, { recursive: true });
});
