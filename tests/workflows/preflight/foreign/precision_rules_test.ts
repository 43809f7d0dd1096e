import assert from "node:assert/strict";
import { PRECISION_RULES } from "../../../../workflows/preflight/foreign/precision_rules.ts";
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
