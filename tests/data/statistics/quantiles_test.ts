import assert from "node:assert/strict";
import { Quantiles } from "../../../data/statistics/quantiles.ts";

Deno.test("Quantiles are exact of few numbers and near of many, and know both ends", () => {
  const few = new Quantiles(), many = new Quantiles();
  for (let i = 1; i <= 100; i++) few.add(i);
  assert.deepEqual(few.end(), { least: 1, median: 51, p95: 96, most: 100 });
  // 7919 is prime to the count: every number once, in no order.
  for (let i = 0; i < 300_000; i++) many.add((i * 7919) % 300_000);
  const { least, median, p95, most } = many.end();
  assert.deepEqual([least, most], [0, 299_999]);
  assert(Math.abs(median - 150_000) < 3000 && Math.abs(p95 - 285_000) < 3000, `${median} ${p95}`);
  assert.equal(new Quantiles().at(0.5), null);
});
