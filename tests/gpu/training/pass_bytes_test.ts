/** What a pass is said to hold. */
import assert from "node:assert/strict";
import { modelConfig } from "../../../gpu/models/config.ts";
import { parameterLayout } from "../../../gpu/models/parameters.ts";
import { passBytes } from "../../../gpu/training/pass_bytes.ts";
import { MODEL_PRESETS } from "../../../steps/resources/model_presets.ts";
import { adapterPlan } from "../../../steps/options/adapter_plan.ts";
import { LORA } from "../../../steps/options/lora.ts";
import { adapterOf } from "../../../gpu/weights/adapter.ts";

const CONFIG = modelConfig({ ...MODEL_PRESETS.small_qwen2, vocab_size: 258 });
const SHAPE = { prompts: 4, group: 4, promptTokens: 16, completionTokens: 16 };

Deno.test("passBytes() of what needs no gradient is a fraction of it, and grows with prompts", () => {
  const gradient = passBytes(CONFIG, SHAPE), values = passBytes(CONFIG, SHAPE, { reads: "values" });
  assert(values < 0.5 * gradient, `${values} of ${gradient}`);
  assert(passBytes(CONFIG, { ...SHAPE, prompts: 8 }, { reads: "values" }) > 1.7 * values);
});

Deno.test("passBytes() over a base of 8 bits counts the matrices that are made float32 again", () => {
  const layout = parameterLayout(CONFIG), one = { ...SHAPE, prompts: 1, group: 1 };
  const adapter = adapterOf(layout, adapterPlan(layout, LORA.parse({ rank: 2, target_modules: "all_linear" })));
  const float = passBytes(CONFIG, one, { adapter }), rounded = passBytes(CONFIG, one, { adapter, bits: 8 });
  const largest = Math.max(...layout.packed.map(({ size }) => 4 * size));
  assert(rounded - float > 0.5 * largest && rounded - float < 4 * layout.count, `${float}, ${rounded}, ${largest}`);
});

Deno.test("passBytes() tells adapters apart by ranks of single modules and by dropout", () => {
  const layout = parameterLayout(CONFIG), one = { ...SHAPE, prompts: 1 };
  const bytes = (given: Record<string, unknown>) =>
    passBytes(CONFIG, one, {
      adapter: adapterOf(layout, adapterPlan(layout, LORA.parse({ rank: 2, target_modules: "all_linear", ...given }))),
    });
  const plain = bytes({});
  assert(bytes({ rank_pattern: { down_proj: 128 } }) > plain);
  assert(bytes({ dropout: 0.5 }) > plain);
  assert.equal(bytes({}), plain);
});

Deno.test("passBytes() of an entropy bonus is more, whichever is asked for first", () => {
  const large = modelConfig({ ...MODEL_PRESETS.small_qwen2, vocab_size: 20_000 });
  const entropy = passBytes(large, SHAPE, { entropy: true }), plain = passBytes(large, SHAPE);
  assert(entropy > 1.2 * plain, `${entropy}, ${plain}`);
});
