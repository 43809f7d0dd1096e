import assert from "node:assert/strict";
import { idleProblem, movement } from "../../../steps/options/idle_adapter.ts";

const plan = (saved: string[] = []) => ({
  rank: 2,
  alpha: 2,
  scaling: 1,
  rslora: false,
  dropout: 0,
  targets: new Set(["x.weight", "y.weight"]),
  saved: new Set(saved),
});

/** B x Aᵀ with every mix of zeros and of what trains, against two updates by hand of the scalar y = b · a, dy = 1. */
Deno.test("movement() agrees with two updates by hand, for every mix of zeros and of what trains", () => {
  const choices = [false, true];
  for (const [zeroA, zeroB] of choices.flatMap((p) => choices.map((q) => [p, q] as const))) {
    for (const [trainA, trainB] of choices.flatMap((p) => choices.map((q) => [p, q] as const))) {
      let [a, b] = [zeroA ? 0 : 1, zeroB ? 0 : 1];
      const before = [a, b];
      for (let update = 0; update < 2; update++) {
        [a, b] = [a - (trainA ? 0.3 * b : 0), b - (trainB ? 0.3 * a : 0)];
      }
      const { moves, idle } = movement({ ...plan(), targets: new Set(["x.weight"]) }, {
        trains: (name) => name.includes("lora_A") ? trainA : trainB,
        isZero: (name) => name.includes("lora_A") ? zeroA : zeroB,
      });
      const changed = a !== before[0] || b !== before[1];
      assert.equal(moves, changed, JSON.stringify({ zeroA, zeroB, trainA, trainB }));
      assert.equal(idle.length > 0, !changed && (trainA || trainB));
    }
  }
});

Deno.test("idleProblem() speaks only where nothing at all changes, and says what to add", () => {
  const of = (trained: string[], saved: string[] = [], zero = ["lora_B"]) =>
    idleProblem(movement(plan(saved), {
      trains: (name) => trained.includes(name),
      isZero: (name) => zero.some((end) => name.includes(end)),
    }));
  const [a, b] = ["x.lora_A.weight", "x.lora_B.weight"];
  assert.match(of([a!])!, /^trainable leaves out lora_B of "x\.weight", which is 0.* add "\*\.lora_B\.weight"$/);
  assert.match(of([b!], [], ["lora_A"])!, /leaves out lora_A/);
  assert.match(of([a!, b!], [], ["lora_A", "lora_B"])!, /^lora_A and lora_B of "x\.weight" are both 0/);
  for (const trained of [[b!], [a!, b!], [a!, "y.lora_B.weight"]]) assert.equal(of(trained), null);
  assert.equal(of([a!, "norm.weight"], ["norm.weight"]), null);
});
