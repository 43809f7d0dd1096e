/** Keys of a config.json that are not read: harmless ones pass and change nothing, any other is refused by name. */
import assert from "node:assert/strict";
import { modelConfig, READ } from "../../../gpu/models/config.ts";
import { FAMILIES, type Family, type ModelType } from "../../../gpu/models/families.ts";
import { refuseUnknown } from "../../../gpu/models/harmless.ts";
import { plainConfig, SIZES } from "./plain_config.ts";
import { COMMON, PUBLISHED } from "./published.ts";
import { WRITTEN } from "./written.ts";

/** What nobody knows, and may be part of the mathematics. */
const UNKNOWN: Readonly<Record<string, unknown>> = {
  residual_scale: 2,
  mlp_multipliers: [2, 0.5],
  made_up_multiplier: 3,
  scale_of_nothing: 0,
  a_switch: true,
  text_config: { hidden_size: 4 },
  quantization: { group_size: 64, bits: 4 },
  max_window_layer: 5,
};

for (const type of Object.keys(FAMILIES) as ModelType[]) {
  const { vision }: Family = FAMILIES[type];
  for (const [key, value] of Object.entries(UNKNOWN)) {
    if (vision && key === "text_config") continue; // where such a family keeps the sizes of its text
    Deno.test(`modelConfig() of ${type} refuses "${key}", which nobody knows`, () => {
      assert.throws(() => modelConfig({ ...plainConfig(type), [key]: value }), {
        name: "TypeError",
        message: new RegExp(`^Cannot read config.json: "${key}" is .*, which is not known for "model_type": "${type}"`),
      });
    });
  }
}

Deno.test("refuseUnknown() names the key that was meant, or says what to do", () => {
  const known = new Set(["rms_norm_eps", "head_dim"]);
  assert.throws(() => refuseUnknown({ model_type: "llama", rms_norm_ep: 1 }, new Set([...known, "model_type"])), {
    message: 'Cannot read config.json: "rms_norm_ep" is 1, which is not known for "model_type": "llama", want it ' +
      'absent; did you mean "rms_norm_eps"?',
  });
  assert.throws(() => refuseUnknown({ model_type: "llama", other: 1 }, known), {
    message: 'Cannot read config.json: "other" is 1, which is not known for "model_type": "llama", want it null, ' +
      "false or absent; remove it from the file if it changes no number",
  });
});

Deno.test("refuseUnknown() takes no name of every object's for a known one", () => {
  for (const key of ["constructor", "toString", "__proto__"]) {
    const json = JSON.parse(`{"model_type": "llama", "${key}": 1}`);
    assert.throws(() => refuseUnknown(json, new Set()), new RegExp(`"${key}" is 1`));
  }
});

Deno.test("refuseUnknown() lets pass what says nothing", () => {
  refuseUnknown({ a: null, b: false, c: "a note", d: [], e: {}, image_token_id: 3, mlp_dropout: 0.1 }, new Set());
});

for (const [writer, [file, keys]] of Object.entries(WRITTEN)) {
  Deno.test(`modelConfig() reads what ${writer} writes into the file of ${file}`, () => {
    modelConfig({ ...COMMON, ...PUBLISHED[file], ...keys });
  });
}

Deno.test("modelConfig() makes the same model of a file with every harmless key and without", () => {
  const plain = { ...COMMON, ...PUBLISHED["Llama-3.2-1B"] };
  for (const writer of ["transformers 4, in full", "unsloth", "vicuna", "Falcon 3"]) {
    assert.deepEqual(modelConfig({ ...plain, ...WRITTEN[writer]?.[1] }), modelConfig(plain));
  }
});

/** Another value of what is read of every file: another model, or a refusal. */
const OTHER: Readonly<Record<(typeof READ)[number], unknown>> = {
  architectures: ["LlamaForSequenceClassification"],
  head_dim: 4,
  hidden_act: "relu",
  hidden_activation: "relu",
  hidden_size: 64,
  id2label: { 0: "a", 1: "b" },
  initializer_range: 0.5,
  intermediate_size: 8,
  max_position_embeddings: 8,
  model_type: "granite",
  num_attention_heads: 8,
  num_hidden_layers: 3,
  num_key_value_heads: 4,
  num_labels: 2,
  rms_norm_eps: 0.5,
  rope_parameters: { rope_theta: 5 },
  rope_scaling: { type: "linear", factor: 2 },
  rope_theta: 5,
  tie_word_embeddings: true,
  vocab_size: 11,
};

for (const key of READ) {
  Deno.test(`modelConfig() reads "${key}"`, () => {
    const labels = key === "id2label" || key === "num_labels";
    const json = { ...SIZES, model_type: "llama", ...(labels ? { architectures: OTHER.architectures } : {}) };
    const read = (given: Record<string, unknown>) => {
      try {
        return modelConfig(given);
      } catch (error) {
        return String(error);
      }
    };
    assert.notDeepEqual(read({ ...json, [key]: OTHER[key] }), read(json));
  });
}
