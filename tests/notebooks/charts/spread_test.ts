import assert from "node:assert/strict";
import { spreadSource } from "../../../notebooks/charts/spread.ts";

Deno.test("spreadSource() gives the quantiles of each train step", () => {
  const source = spreadSource("completions", "completion_tokens", {}, "#000000");
  const rows = [1, 2, 3, 4, 5].map((completion_tokens) => ({ train_step: 2, completion_tokens }));
  assert.deepEqual(source.rows!([...rows, { train_step: 1, completion_tokens: 9 }, { train_step: 3 }]), [
    { train_step: 1, p5: 9, p25: 9, p50: 9, p75: 9, p95: 9, mean: 9, completions: 1 },
    { train_step: 2, p5: 1.2, p25: 2, p50: 3, p75: 4, p95: 4.8, mean: 3, completions: 5 },
  ]);
});
