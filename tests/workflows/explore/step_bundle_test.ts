import assert from "node:assert/strict";
import { tableOfRows } from "../../../data/tables/mod.ts";
import { stepBundle, stepsBundle } from "../../../workflows/explore/step_bundle.ts";

Deno.test("stepBundle() shows what a step said and the first rows of the tables that it wrote", () => {
  const rows = Array.from({ length: 10 }, (_, sample) => ({ train_step: 2, sample, text: `t${sample}` }));
  const tables = { completions: tableOfRows("completions", rows), metrics: tableOfRows("metrics", []) };
  const bundle = stepBundle({ step: "draw", trainStep: 2, outputs: { reward: 0.123456, kept: true }, tables });
  const text = String(bundle["text/plain"]);
  assert.match(text, /^draw · train step 2\nreward 0\.1235, kept true\ncompletions\n/);
  assert.doesNotMatch(text, /metrics/);
  assert.match(
    String(bundle["text/html"]),
    /<b>draw · train step 2<\/b>.*t7.*10 rows × 3 columns; the first 8 are shown/,
  );
});

Deno.test("stepsBundle() shows the steps and which comes next", () => {
  const text = (next: string | null) => stepsBundle("w", ["a", "b"], next, 3)["text/plain"];
  assert.equal(text("b"), "w · train step 3 · next b\n  a → b");
  assert.equal(text(null), "w · train step 3 · at its end\n  a → b");
});
