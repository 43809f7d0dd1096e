import assert from "node:assert/strict";
import { CHARTS } from "../../../notebooks/charts/mod.ts";
import { checkChart } from "./check_chart.ts";

Deno.test("chart gradients draws its columns and refuses a table without them", async () => {
  assert.match(await checkChart("gradients"), /train step/);
});

Deno.test("chart gradients sums a layer where parameters are many, marks what is not finite, and keeps 0", () => {
  const [source] = CHARTS.gradients.sources;
  const few = source.rows!([
    { train_step: 1, parameter: "model.layers.0.self_attn.q_proj.weight", grad_norm: 0, non_finite: 0 },
    { train_step: 1, parameter: "model.norm.weight", grad_norm: NaN, non_finite: 2 },
  ]);
  assert.deepEqual(few.map(({ parameter, grad_norm, broken }) => [parameter, grad_norm, broken]), [
    ["layers.0.q_proj", 0, undefined],
    ["norm", undefined, true],
  ]);
  const many = Array.from({ length: 40 }, (_, i) => ({
    train_step: 1,
    parameter: `model.layers.${i % 4}.p${i}.weight`,
    grad_norm: 3,
  }));
  const layers = source.rows!(many);
  assert.deepEqual(layers.map(({ parameter }) => parameter), ["layers.0", "layers.1", "layers.2", "layers.3"]);
  for (const { grad_norm } of layers) assert(Math.abs(Number(grad_norm) - 3 * Math.sqrt(10)) < 1e-12);
});

Deno.test("chart gradients marks a norm that is not finite, also where nothing was counted", () => {
  const [source] = CHARTS.gradients.sources;
  const of = (grad_norm: number | null, non_finite: number | null) =>
    source.rows!([{ train_step: 1, parameter: "a", grad_norm, non_finite }])[0]!["broken"];
  assert.deepEqual([of(NaN, null), of(Infinity, 0), of(1, 3), of(1, 0)], [true, true, true, undefined]);
});
