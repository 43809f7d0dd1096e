import assert from "node:assert/strict";
import { philoxWords } from "../../../data/random.ts";
import { freshValues, keepBy, named, ofFolder } from "../../../steps/resources/adapter_values.ts";

const LAYOUT = {
  parameters: [["a.weight", [6, 4]], ["b.weight", [2, 4]], ["norm.weight", [4]]].map(([name, shape]) => ({
    name: name as string,
    shape: shape as number[],
    offset: 0,
    size: 0,
  })),
};
const PLAN = { rank: 3, alpha: 3, rslora: false, scaling: 1, dropout: 0 };

Deno.test("freshValues() draws A per matrix, stream and seed, has B at 0, and copies what trains whole", () => {
  const norm = { shape: [4], data: Float32Array.of(1, 2, 3, 4) };
  const draw = (seed: number, stream: string, init: "kaiming_uniform" | false = "kaiming_uniform") =>
    freshValues(
      LAYOUT,
      { ...PLAN, targets: new Set(["a.weight", "b.weight"]), saved: new Set(["norm.weight"]) },
      new Map([["norm.weight", norm]]),
      { init, seed, stream },
    );
  const values = draw(1, "x"),
    a = (of: ReturnType<typeof draw>, name: string) => [...of.get(`${name}.lora_A.weight`)!.data];
  assert.deepEqual([...values].map(([name, { shape }]) => [name, shape]), [
    ["a.lora_A.weight", [3, 4]],
    ["a.lora_B.weight", [6, 3]],
    ["b.lora_A.weight", [3, 4]],
    ["b.lora_B.weight", [2, 3]],
    ["norm.weight", [4]],
  ]);
  assert(values.get("a.lora_B.weight")!.data.every((x) => x === 0));
  assert.equal(values.get("norm.weight"), norm);
  assert(a(values, "a").every((x) => Math.abs(x) <= 0.5 && x !== 0));
  const b = draw(1, "x", false).get("a.lora_B.weight")!.data;
  assert(b.every((x) => x !== 0 && Math.abs(x) <= 1 / Math.sqrt(3)) && b.some((x) => Math.abs(x) > 0.45));
  assert.deepEqual(a(draw(1, "x"), "a"), a(values, "a"));
  for (const other of [a(values, "b"), a(draw(2, "x"), "a"), a(draw(1, "y"), "a")]) {
    assert.notDeepEqual(other, a(values, "a"));
  }
});

Deno.test("keepBy() draws apart for each adapter, and nothing without dropout", () => {
  const kept = (who: string) => {
    const keep = new Uint8Array(400);
    keepBy(1, 0.5, who)!({ trainStep: 1, stream: "x", row: 0, token: 0 }, keep);
    return keep;
  };
  assert.equal(keepBy(1, 0), null);
  assert.deepEqual(kept("critic."), kept("critic."));
  assert.notDeepEqual(kept("critic."), kept(""));
});

Deno.test("keepBy() decides of every input by 16 bits of its own", () => {
  for (const [length, token] of [[400, 0], [12, 3], [7, 5]] as const) {
    const keep = new Uint8Array(length);
    keepBy(4, 0.3)!({ trainStep: 2, stream: "x", row: 1, token }, keep);
    const words = philoxWords(4, "x", 2, 1, token * Math.ceil(length / 8), Math.ceil(length / 2));
    const halves = Array.from(words).flatMap((word) => [word & 0xffff, word >>> 16]);
    assert.deepEqual(Array.from(keep), halves.slice(0, length).map((half) => Number(half >= 19_661)));
  }
});

Deno.test("ofFolder() plans what a folder of PEFT holds; named() says which folder does not fit", () => {
  const { plan, values } = ofFolder("tests/models/qwen2_lora");
  assert.equal(plan.targets.size, 14);
  assert.equal(values.size, 2 * plan.targets.size + plan.saved.size);
  assert.throws(() =>
    named("./x", () => {
      throw new RangeError("why");
    }), /^RangeError: Cannot load the adapter in \.\/x: is it another model's\? why$/);
});
