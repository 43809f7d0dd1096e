import assert from "node:assert/strict";
import { brokenMarks, brokenText } from "../../../notebooks/charts/broken.ts";
import { CHARTS } from "../../../notebooks/charts/mod.ts";
import { PALETTE } from "../../../notebooks/charts/palette.ts";
import { chartSpec, toSvg } from "../../../notebooks/draw.ts";

const rows = (values: readonly number[], phase?: string) =>
  values.map((loss, i) => ({ train_step: i + 1, loss, ...phase ? { phase } : {} }));
const marks = (svg: string) =>
  [...svg.matchAll(/<path aria-label="[^"]*" role="graphics-symbol" aria-roledescription="tick"[^>]*>/g)]
    .filter(([mark]) => mark.includes(PALETTE.bad) && !/opacity="0"/.test(mark)).length;

Deno.test("a chart marks the train steps whose value is not finite, on its axis, and says so", async () => {
  const metrics = rows([1, NaN, 2, Infinity, 3]);
  const spec = chartSpec(CHARTS.loss, { metrics });
  assert.equal(marks(await toSvg(spec, (text) => assert.fail(text))), 2);
  assert.match(String(spec["description"]), /Red marks on the axis: not finite there\./);
  const sound = chartSpec(CHARTS.loss, { metrics: rows([1, 2]) });
  assert.equal(marks(await toSvg(sound)), 0);
  assert.doesNotMatch(String(sound["description"]), /Red marks/);
});

Deno.test("a chart of nothing but NaN is no empty one, and one phase's NaN is no mark in the other", async () => {
  assert.equal(marks(await toSvg(chartSpec(CHARTS.loss, { metrics: rows([NaN]) }))), 1);
  const metrics = [
    ...rows([1, 2], "sft"),
    ...rows([NaN, 1], "rollout").map((r) => ({ ...r, train_step: r.train_step + 2 })),
  ];
  assert.equal(marks(await toSvg(chartSpec(CHARTS.loss, { metrics }), (text) => assert.fail(text))), 1);
});

Deno.test("brokenText() is empty where every value of the columns is finite or absent", () => {
  assert.equal(brokenText([{ a: 1, b: NaN }, { a: null }], ["a"]), "");
  assert.notEqual(brokenText([{ a: 1, b: NaN }], ["a", "b"]), "");
  assert.notEqual(brokenText([{ a: 1 }, { a: -Infinity }], ["a"]), "");
  assert.equal((brokenMarks()["encoding"] as { y: { value: string } }).y.value, "height");
});
