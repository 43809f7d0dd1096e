import assert from "node:assert/strict";
import { modelConfig } from "../../../gpu/models/config.ts";
import { parameterLayout } from "../../../gpu/models/parameters.ts";
import { adapterPlan } from "../../../steps/options/adapter_plan.ts";
import { beyondReach, HIGHEST_RANK } from "../../../steps/options/adapter_rank.ts";
import { LORA } from "../../../steps/options/lora.ts";
import { readJson } from "../../gpu/safetensors.ts";

/** Width 64, MLP 128 wide; k and v are [32,64]. */
const QWEN = parameterLayout(modelConfig(readJson("models/qwen2/config.json")));
const plan = (given: Record<string, unknown>) => adapterPlan(QWEN, LORA.parse(given));

Deno.test("a rank is at most what the widest of its matrices has, by itself or by a pattern", () => {
  assert.equal(plan({ rank: 64 }).rank, 64);
  assert.throws(() => plan({ rank: 65 }), /of rank 65: q_proj is \[64,64\], .* above 64; want at most 64$/);
  assert.throws(() => plan({ rank: 33, target_modules: ["k_proj", "v_proj"] }), /k_proj is \[32,64\], .* at most 32$/);
  assert.throws(() => plan({ rank_pattern: { v_proj: 65 } }), /of rank 65: v_proj is \[32,64\], .* at most 32$/);
});

Deno.test("beyondReach() names one matrix of each kind that is too narrow for its rank", () => {
  const kinds = (given: Record<string, unknown>) =>
    beyondReach(QWEN, plan(given)).map(({ kind, rank, most }) => [kind, rank, most]);
  assert.deepEqual(kinds({ rank: 33, target_modules: "all_linear" }), [["k_proj", 33, 32], ["v_proj", 33, 32]]);
  assert.deepEqual(kinds({ rank: 32, target_modules: "all_linear" }), []);
  assert.deepEqual(kinds({ rank: 33, rank_pattern: { v_proj: 8 } }), []);
});

Deno.test("a rank above that of every model is refused before the model is known", () => {
  assert.equal(LORA.safeParse({ rank: HIGHEST_RANK }).success, true);
  for (const given of [{ rank: HIGHEST_RANK + 1 }, { rank_pattern: { q_proj: 1e8 } }]) {
    assert.equal(LORA.safeParse(given).success, false);
  }
});
