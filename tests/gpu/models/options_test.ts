/** No option that changes numbers is passed over: it is read, or at a value that changes nothing, or refused by name. */
import assert from "node:assert/strict";
import { modelConfig, toConfigJson } from "../../../gpu/models/config.ts";
import { FAMILIES, type Family, type ModelType } from "../../../gpu/models/families.ts";
import { type OptionName, OPTIONS, refuseUnread } from "../../../gpu/models/options.ts";
import { plainConfig } from "./plain_config.ts";

/** Two values of every option, which are two models; the first changes numbers where the option is not read. */
const CHANGING: Readonly<Record<OptionName, readonly [unknown, unknown]>> = {
  attention_bias: [true, false],
  mlp_bias: [true, false],
  use_sliding_window: [true, false],
  sliding_window: [3, 2],
  sliding_window_pattern: [2, 1],
  layer_types: [["sliding_attention", "full_attention"], ["full_attention", "full_attention"]],
  no_rope_layers: [[1, 0], [1, 1]],
  rope_local_base_freq: [500, 600],
  partial_rotary_factor: [0.5, 1],
  query_pre_attn_scalar: [3, 4],
  attn_logit_softcapping: [2, null],
  final_logit_softcapping: [2, null],
  embedding_multiplier: [2, 1],
  attention_multiplier: [2, 1],
  residual_multiplier: [2, 1],
  logits_scaling: [2, 1],
};

/** What windows need beside the option that is looked at. */
const WINDOWS = { use_sliding_window: true, sliding_window: 3, max_window_layers: 0, no_rope_layers: [1, 0] };

/** Options that no model here has. */
const FOREIGN: Readonly<Record<string, unknown>> = {
  quantization_config: { quant_method: "gptq" },
  num_experts: 8,
  num_local_experts: 8,
  n_routed_experts: 64,
  mamba_d_state: 16,
  layers_block_type: ["mamba"],
  is_encoder_decoder: true,
  use_bidirectional_attention: true,
  vision_config: {},
  alibi: true,
  rope_interleaved: true,
  attention_chunk_size: 64,
  clip_qkv: 8,
  qk_layernorm: true,
  use_qk_norm: true,
  kv_lora_rank: 4,
  parallel_attn: true,
  use_parallel_residual: true,
  logit_scale: 0.5,
  lm_head_bias: true,
  num_kv_shared_layers: 2,
};

for (const type of Object.keys(FAMILIES) as ModelType[]) {
  const family: Family = FAMILIES[type], json = plainConfig(type);
  const isRead = (name: string) =>
    family.options.some((option) => option === name) || (name === "vision_config" && family.vision !== undefined);
  const windows = Object.fromEntries(Object.entries(WINDOWS).filter(([key]) => isRead(key) || key in family.defaults));
  for (const [name, [value, other]] of Object.entries(CHANGING).filter(([name]) => isRead(name))) {
    Deno.test(`modelConfig() of ${type} reads ${name}, and it is written back`, () => {
      const config = modelConfig({ ...json, ...windows, [name]: value });
      assert.notDeepEqual(config, modelConfig({ ...json, ...windows, [name]: other }));
      assert.deepEqual(modelConfig(toConfigJson(config)), config);
    });
  }
  const unread = Object.entries(CHANGING).map(([name, [value]]) => [name, value] as const);
  const ignored: readonly string[] = family.ignored ?? [];
  for (const [name, value] of [...unread, ...Object.entries(FOREIGN)]) {
    if (isRead(name) || ignored.includes(name)) continue;
    Deno.test(`modelConfig() of ${type} refuses ${name}`, () => {
      const message = new RegExp(`"${name}" is .*, which is not supported for "model_type": "${type}", want `);
      assert.throws(() => modelConfig({ ...json, [name]: value }), { name: "TypeError", message });
    });
  }
}

Deno.test("refuseUnread() lets neutral values pass, also where the option is not read", () => {
  const neutral = Object.fromEntries(Object.entries(OPTIONS).map(([name, { neutral }]) => [name, neutral[0]]));
  refuseUnread({ ...neutral, layer_types: ["full_attention"], quantization_config: null, num_experts: 0 }, []);
  assert.throws(() => refuseUnread({ model_type: "llama", sliding_window: 4 }, []), {
    message: 'Cannot read config.json: "sliding_window" is 4, which is not supported for "model_type": "llama", ' +
      "want null or absent",
  });
});
