/** What changes come to, and how values are written. */
import assert from "node:assert/strict";
import { parse } from "yaml";
import type { Change, Value } from "../../../../steps/diagnoses/remedies/patch.ts";
import { changeText, valueOf, written } from "../../../../steps/diagnoses/remedies/value.ts";

const USUAL = 3e-4;

for (
  const [change, now, value] of [
    [{ set: 1 }, 0.01, 1],
    [{ set: 1 }, null, 1],
    [{ set: 1 }, 1, null], // it is so already
    [{ set: ["*"] }, ["*"], null],
    [{ set: "copy", where: "none" }, "none", "copy"],
    [{ set: "copy", where: "none" }, "models/base", null],
    [{ least: 0.28 }, 0.2, 0.28],
    [{ least: 0.28 }, null, 0.28],
    [{ least: 0.28 }, 0.4, null], // a remedy does not lower what it wants higher
    [{ mul: 2, max: 400 }, 256, 400],
    [{ mul: 2, max: 400 }, 100, 200],
    [{ mul: 2, max: 400 }, 512, null], // a bound does not turn a factor round
    [{ mul: 0.3, min: 1e-8 }, 1e-9, null],
    [{ mul: 2, min: 0.01, max: 0.5 }, 0, 0.01],
    [{ mul: 2 }, null, null],
    [{ mul: 2 }, "text", null],
    [{ usual: true }, 15, USUAL], // 50,000 times the usual one
    [{ usual: true }, null, USUAL],
    [{ usual: true }, USUAL, null],
    [{ mul: 0.3, usual: true }, 15, USUAL],
    [{ mul: 0.3, usual: true }, 7e-4, 2.1e-4],
    [{ mul: 0.3, usual: true }, 5e-4, null], // about the usual one: it is not what is wrong
    [{ mul: 0.3, usual: true }, 1e-4, null],
    [{ usual: true, share: 0.1 }, 15, 3e-5],
    [{ mul: 0.1, usual: true, share: 0.1 }, 1e-2, 3e-5],
    [{ mul: 0.1, usual: true, share: 0.1 }, 1e-4, 1e-5],
    [{ mul: 3, usual: true, max: 1e-3 }, 1e-9, USUAL],
    [{ mul: 3, usual: true, max: 1e-3 }, 1.2e-4, 3.6e-4],
    [{ mul: 3, usual: true, max: 1e-3 }, 2e-4, null],
    [{ mul: 3, usual: true, max: 1e-3 }, 2e-3, null],
  ] as [Change, Value | null, Value | null][]
) {
  Deno.test(`valueOf(${JSON.stringify(change)}) from ${JSON.stringify(now)} is ${JSON.stringify(value)}`, () => {
    assert.deepEqual(valueOf(change, { now, usual: USUAL }), value);
  });
}

Deno.test("valueOf() offers nobody a default that a silent configuration leaves in force", () => {
  assert.equal(valueOf({ set: "token_mean" }, { now: null, likely: "token_mean", usual: USUAL }), null);
  assert.equal(valueOf({ set: "token_mean" }, { now: "sequence_mean", likely: null, usual: USUAL }), "token_mean");
});

Deno.test("written() gives what YAML 1.1 and 1.2, JSON and Python read back", () => {
  const values: Value[] = [0, 1, 0.28, 256, 3e-4, 1e-6, 1.5e-7, 1e20, true, "copy", "all-linear", "1e-6", ["*"]];
  for (const value of values) {
    assert.deepEqual(parse(written(value)), value);
    // PyYAML takes 1e-6 for text: its numbers have a point.
    assert.deepEqual(parse(written(value), { version: "1.1" }), value);
  }
  assert.deepEqual([3e-4, 1e-6, 1.5e-7].map(written), ["3.0e-4", "1.0e-6", "1.5e-7"]);
});

Deno.test("changeText() says how a value follows from the one in force", () => {
  assert.equal(changeText({ set: "copy", where: "none" }), "= copy where it is none");
  assert.equal(changeText({ least: 0.28 }), "at least 0.28");
  assert.equal(changeText({ mul: 2, max: 64 }), "x 2 (at most 64)");
  assert.equal(changeText({ usual: true }), "= the usual one for the model's size");
  assert.equal(
    changeText({ mul: 0.1, usual: true, share: 0.1 }),
    "x 0.1 (or 0.1 of the usual one for the model's size if that is lower)",
  );
  assert.equal(
    changeText({ mul: 0.3, usual: true, min: 1e-8 }),
    "x 0.3 (or the usual one for the model's size if that is lower, only where it is above 2 times the usual one, at least 1.0e-8)",
  );
});
