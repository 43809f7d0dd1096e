import assert from "node:assert/strict";
import { PRECISION_RULES } from "../../../../workflows/preflight/foreign/precision_rules.ts";
import { launchesOf } from "../../../../workflows/preflight/foreign/read_launch.ts";
import { firesWith, testRules } from "./cases.ts";

testRules(PRECISION_RULES);

Deno.test("overflow_in_fp16 knows float16 by any name, and bfloat16 for another format", async () => {
  const typed = (type: string) => firesWith("overflow_in_fp16", "fp16: true", `torch_dtype: ${type}`);
  assert.deepEqual(await Promise.all(["float16", "half", "bfloat16", "float32"].map(typed)), [
    true,
    true,
    false,
    false,
  ]);
});

const overflow = (text: string) => PRECISION_RULES.overflow_in_fp16.check(launchesOf("run.sh", text)[0]!);

Deno.test("overflow_in_fp16 knows models with images of bfloat16 too, and not those of text alone", () => {
  const swift = (model: string) => `swift rlhf --rlhf_type grpo --model ${model} --torch_dtype float16\n`;
  for (const model of ["Qwen/Qwen2.5-VL-7B-Instruct", "Qwen/Qwen2-VL-2B-Instruct", "Qwen/Qwen2.5-Omni-7B"]) {
    assert(overflow(swift(model)) !== null, model);
    assert.equal(overflow(swift(model).replace("float16", "bfloat16")), null, model);
  }
  assert.equal(overflow(swift("Qwen/Qwen2.5-7B-Instruct")), null);
});
