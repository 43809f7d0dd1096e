import assert from "node:assert/strict";
import type { Cost } from "../../../steps/diagnoses/cost/cost.ts";
import { billOf, moneyText, priceOf, unbilled } from "../../../workflows/doctor/bill.ts";
import { oneCost, oneExamined } from "./one_examined.ts";

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

Deno.test("moneyText() has a sign before the number, a code behind it, and cents of what is less than a hundred", () => {
  assert.deepEqual([moneyText(449.4, "$"), moneyText(5.5, "€"), moneyText(56.18, "EUR"), moneyText(0.092, null)], [
    "$449",
    "€5.50",
    "56.18 EUR",
    "0.09 at that price",
  ]);
});

Deno.test("unbilled() says what a price that was given waits for", () => {
  const machine = { gpus: null, hourCost: 2.5, currency: null }, { diagnosis } = oneExamined();
  const of = (cost: Cost) => unbilled({ diagnosis: { ...diagnosis, cost }, machine });
  assert.deepEqual(of(oneCost()), ["the number of GPUs (--gpus N)"]);
  assert.deepEqual(of(oneCost({ gpus: 8 })), []);
  const blind = { hours: null, of: { tokens: null, hours: null }, gpus: 8 };
  assert.deepEqual(
    of(
      oneCost({
        ...blind,
        missing: ["num_tokens, or completion lengths and their number", "step_ms (of a train step)"],
      }),
    ),
    ["step_ms (of a train step)"],
  );
  // The hours of the run are known, and not which of them were lost.
  assert.deepEqual(of(oneCost({ hours: null, missing: ["truncated_fraction"] })), [
    "truncated_fraction",
    "the number of GPUs (--gpus N)",
  ]);
  assert.match(of(oneCost({ ...blind, waste: "none" })).join(), /^a loss in hours: what was found costs nothing/);
  const bare = unbilled({ diagnosis: { ...diagnosis }, machine });
  assert.deepEqual(bare, ["records of the run, which say how long it took"]);
  assert.deepEqual(unbilled({ diagnosis: { ...diagnosis, verdict: "benign", findings: [] }, machine }), []);
  assert.deepEqual(unbilled({ diagnosis: { ...diagnosis, cost: oneCost() } }), []);
});
