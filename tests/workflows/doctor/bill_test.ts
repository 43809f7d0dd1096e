import assert from "node:assert/strict";
import { billOf, priceOf } from "../../../workflows/doctor/bill.ts";
import { oneCost } from "./one_examined.ts";

Deno.test("billOf() multiplies hours, GPUs and price; what a person says goes before the configuration", () => {
  const cost = oneCost({ hours: 6, gpus: 4 });
  assert.deepEqual(billOf(cost, undefined), { gpu_hours: 24, money: null, currency: null });
  assert.deepEqual(billOf(cost, { gpus: 8, hourCost: 2.5, currency: "EUR" }), {
    gpu_hours: 48,
    money: 120,
    currency: "EUR",
  });
  assert.deepEqual(billOf(oneCost({ hours: null, gpus: 4 }), { gpus: 8, hourCost: 2.5, currency: null }), {
    gpu_hours: null,
    money: null,
    currency: null,
  });
});

Deno.test("priceOf() reads a number with its currency on one side", () => {
  assert.deepEqual(priceOf("2.5"), { hourCost: 2.5, currency: null });
  assert.deepEqual(priceOf("2.5EUR"), { hourCost: 2.5, currency: "EUR" });
  assert.deepEqual(priceOf("$ .5"), { hourCost: 0.5, currency: "$" });
  for (const bad of ["", "-1", "much", "2,5", "$2EUR", "1e3"]) assert.equal(priceOf(bad), null, bad);
});
