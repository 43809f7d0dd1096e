import assert from "node:assert/strict";
import { modelConfig } from "../../../gpu/models/config.ts";
import { parameterLayout } from "../../../gpu/models/parameters.ts";
import { adapterPlan, planOf, unmatchedTargets } from "../../../steps/options/adapter_plan.ts";
import { LORA } from "../../../steps/options/lora.ts";
import { readJson } from "../../gpu/safetensors.ts";

/** Two layers, q/k/v biases, tied embeddings. */
const QWEN = parameterLayout(modelConfig(readJson("models/qwen2/config.json")));
/** Two layers, a head of its own. */
const LLAMA = parameterLayout(modelConfig(readJson("models/llama/config.json")));

const plan = (given: Record<string, unknown>, layout = QWEN) => adapterPlan(layout, LORA.parse(given));
const targets = (given: Record<string, unknown>, layout = QWEN) =>
  [...plan(given, layout).targets].map((name) => name.replace(/^model\.layers\.|\.weight$/g, ""));

Deno.test("adapterPlan() has PEFT's defaults: q_proj and v_proj at rank 8, alpha 8, no dropout", () => {
  const { targets, ...rest } = plan({});
  assert.deepEqual(rest, { rank: 8, alpha: 8, rslora: false, scaling: 1, dropout: 0, saved: new Set() });
  assert.deepEqual(
    [...targets],
    [0, 0, 1, 1].map((layer, i) => `model.layers.${layer}.self_attn.${i % 2 === 0 ? "q" : "v"}_proj.weight`),
  );
});

Deno.test("adapterPlan() scales by alpha / rank, with rsLoRA by alpha / √rank", () => {
  assert.equal(plan({ rank: 16, alpha: 32 }).scaling, 2);
  assert.equal(plan({ rank: 16, alpha: 32, rslora: true }).scaling, 8);
});

Deno.test("adapterPlan() matches names, their ends, whole names, a regular expression and all_linear", () => {
  assert.deepEqual(targets({ target_modules: ["mlp.up_proj"] }), ["0.mlp.up_proj", "1.mlp.up_proj"]);
  assert.deepEqual(targets({ target_modules: ["model.layers.1.self_attn.o_proj"] }), ["1.self_attn.o_proj"]);
  assert.deepEqual(targets({ target_modules: String.raw`.*\.1\..*(gate|down)_proj` }), [
    "1.mlp.gate_proj",
    "1.mlp.down_proj",
  ]);
  assert.equal(targets({ target_modules: "all_linear" }).length, 14);
  assert.equal(targets({ target_modules: "all-linear" }, LLAMA).length, 14, "not the head");
  assert.deepEqual(targets({ target_modules: ["lm_head"] }, LLAMA), ["lm_head"]);
  assert.deepEqual(targets({ layers: [1], target_modules: ["k_proj", "k_proj"] }), ["1.self_attn.k_proj"]);
});

Deno.test("adapterPlan() trains modules whole, with their biases, and gives those no adapter", () => {
  const { saved, targets } = plan({
    modules_to_save: ["q_proj", "k_proj", "v_proj", "model.norm"],
    target_modules: "all_linear",
  });
  assert(saved.has("model.layers.0.self_attn.q_proj.bias") && saved.has("model.norm.weight"));
  assert.equal(saved.size, 2 * 6 + 1);
  assert(![...targets].some((name) => /[qkv]_proj/.test(name)));
});

Deno.test("adapterPlan() trains every module whole whose name ends with the text, as PEFT does, and what is in it", () => {
  const saved = (name: string) => [...plan({ modules_to_save: [name] }).saved];
  const norms = [0, 1].flatMap((layer) =>
    ["input_layernorm", "post_attention_layernorm"].map((name) => `model.layers.${layer}.${name}.weight`)
  );
  assert.deepEqual(saved("norm").sort(), [...norms, "model.norm.weight"].sort());
  assert.deepEqual(saved("attention_layernorm").sort(), [norms[1], norms[3]]);
  assert.deepEqual(
    saved("1.mlp").sort(),
    ["down", "gate", "up"].map((name) => `model.layers.1.mlp.${name}_proj.weight`),
  );
});

Deno.test("adapterPlan() names what matches nothing, with what was meant and what there is", () => {
  const kinds = "q_proj, k_proj, v_proj, o_proj, gate_proj, up_proj, down_proj";
  const cases: [Record<string, unknown>, string][] = [
    [
      { target_modules: ["q_prjo"] },
      `Cannot add an adapter to "q_prjo": it matches no module; did you mean "q_proj"? The model has ${kinds}`,
    ],
    [
      { target_modules: ["proj"] },
      `Cannot add an adapter to "proj": it matches no module; did you mean "q_proj"? The model has ${kinds}`,
    ],
    [{ target_modules: ["c_attn"] }, `Cannot add an adapter to "c_attn": it matches no module; The model has ${kinds}`],
    [
      { target_modules: ["embed_tokens"] },
      `Cannot add an adapter to "embed_tokens": "model.embed_tokens" is no linear layer; train it whole by ` +
      `modules_to_save, or take ${kinds}`,
    ],
    [{ layers: [2] }, "Cannot add an adapter to layer 2: the model has layers 0 to 1"],
    [
      { modules_to_save: ["lm_head"] },
      'Cannot train "lm_head" of modules_to_save: it is the embedding itself (tie_word_embeddings); take embed_tokens ' +
      "alone, which trains as both, as PEFT has it with ensure_weight_tying: true",
    ],
    [
      { target_modules: ["up_proj"], modules_to_save: ["up_proj"] },
      'Cannot add an adapter: nothing is left of target_modules ["up_proj"] beside modules_to_save',
    ],
  ];
  for (const [given, message] of cases) assert.throws(() => plan(given), { name: "RangeError", message });
  assert.throws(() => plan({ target_modules: "q_proj" }), {
    message:
      /target_modules "q_proj" matches no linear layer as a regular expression.*; did you mean "q_proj"\? .*a list/s,
  });
});

Deno.test("adapterPlan() gives modules ranks and alphas of their own, by the ends of names and by patterns", () => {
  const { apart, rank } = plan({
    target_modules: "all_linear",
    rank: 4,
    alpha: 6,
    rank_pattern: { q_proj: 2, [String.raw`layers\.1\.mlp\..*`]: 3 },
    alpha_pattern: { "model.layers.0.self_attn.o_proj": 9, q_proj: 6 },
  });
  assert.equal(rank, 4);
  const own = Object.fromEntries([...apart!].map(([name, { rank, alpha }]) => [name.slice(13, -7), [rank, alpha]]));
  assert.deepEqual(own, {
    "0.self_attn.q_proj": [2, 6],
    "0.self_attn.o_proj": [4, 9],
    "1.self_attn.q_proj": [2, 6],
    "1.mlp.gate_proj": [3, 6],
    "1.mlp.up_proj": [3, 6],
    "1.mlp.down_proj": [3, 6],
  });
});

Deno.test("adapterPlan() leaves modules out, and names of a list that the model has not, as PEFT does", () => {
  assert.deepEqual(targets({ target_modules: ["q_proj", "c_attn"], exclude_modules: ["layers.0.self_attn.q_proj"] }), [
    "1.self_attn.q_proj",
  ]);
  assert.deepEqual(unmatchedTargets(QWEN, LORA.parse({ target_modules: ["q_proj", "c_attn"] })), ["c_attn"]);
  assert.throws(() => plan({ target_modules: ["q_proj"], exclude_modules: ".*" }), {
    message: 'Cannot add an adapter: nothing is left of target_modules ["q_proj"] without exclude_modules',
  });
  // A full name is in any layer, an end of names only in those that are given.
  assert.deepEqual(targets({ target_modules: ["k_proj", "model.layers.0.self_attn.q_proj"], layers: [1] }), [
    "0.self_attn.q_proj",
    "1.self_attn.k_proj",
  ]);
});

Deno.test("planOf() has the factor of every matrix: alpha / rank, with rsLoRA alpha / √rank, of its own rank and alpha", () => {
  const apart = new Map([["w", { rank: 16, alpha: 8 }]]),
    names = { targets: new Set(["v", "w"]), saved: new Set<string>() };
  const factors = (rslora: boolean) => {
    const plan = planOf({ rank: 4, alpha: 6, rslora, dropout: 0, apart }, names);
    return [plan.scaling, plan.apart!.get("w")!.scaling];
  };
  assert.deepEqual([factors(false), factors(true)], [[1.5, 0.5], [3, 2]]);
});
