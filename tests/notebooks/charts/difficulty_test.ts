import assert from "node:assert/strict";
import { CHARTS } from "../../../notebooks/charts/mod.ts";
import { checkChart } from "./check_chart.ts";

Deno.test("chart difficulty draws its columns and refuses a table without them", async () => {
  assert.match(await checkChart("difficulty"), /train step/);
});

Deno.test("chart difficulty has a row for each of few prompts, the best first, and classes of many", () => {
  const [source] = CHARTS.difficulty.sources;
  const row = (prompt_id: number, correct: boolean) => ({ train_step: 1, prompt_id, prompt: `p${prompt_id}`, correct });
  const few = source.rows!([row(1, false), row(1, true), row(2, true), row(2, true)]);
  assert.deepEqual(few.map(({ prompt, pass_rate }) => [prompt, pass_rate]), [["2 p2", 1], ["1 p1", 0.5]]);
  const many = Array.from({ length: 80 }, (_, i) => [0, 1, 2, 3].map((k) => row(i, k < i % 5))).flat();
  const shares = source.rows!(many);
  assert.deepEqual(shares.map(({ label, share }) => [label, share]), [
    ["always", 0.2],
    ["mostly", 0.4],
    ["sometimes", 0.2],
    ["never", 0.2],
  ]);
});
