/** The doctor on the development cases: the level reached is the floor; and the scorer against hand counts. */
import assert from "node:assert/strict";
import { report, scoreFolder, tally } from "./diagnoses.ts";
import type { Label } from "./labelled/cases.ts";

const label = (verdict: Label["verdict"], primary: string, more: Partial<Label> = {}): Label => ({
  system: "trl",
  algorithm: "grpo",
  verdict,
  primary,
  causes: [primary],
  must_not: [],
  confidence: "gold",
  ...more,
});

Deno.test("tally() counts as score.py does", () => {
  const labels = new Map([
    ["a", label("faulty", "x")],
    ["b", label("faulty", "x", { causes: ["x", "y"], must_not: ["z"] })],
    ["c", label("benign", "healthy")],
    ["d", label("insufficient", "x")],
    ["e", label("benign", "healthy", { must_not: ["q"] })],
    ["f", label("faulty", "x")],
  ]);
  const count = tally(
    labels,
    new Map([
      ["a", { verdict: "faulty", causes: ["w", "x"] }],
      ["b", { verdict: "faulty", causes: ["y", "z"] }],
      ["c", { verdict: "benign", causes: [] }],
      ["d", { verdict: "insufficient", causes: ["x"] }],
      ["e", { verdict: "faulty", causes: ["q"] }],
    ]),
  );
  assert.deepEqual(count, {
    faulty: 3,
    benign: 2,
    insufficient: 1,
    missing: 1,
    detected: 2,
    named: 1,
    namedFirst: 0,
    accepted: 2,
    slugsGiven: 4,
    falseAlarm: 1,
    saidBenign: 1,
    heldBack: 1,
    guessedRight: 1,
    mustNot: 2,
  });
});

Deno.test("the development cases: all found, all named first, no alarm on benign runs", async () => {
  const { labels, predictions } = await scoreFolder(new URL("../cases", import.meta.url).pathname);
  const count = tally(labels, predictions);
  const text = report(labels, predictions);
  assert.equal(labels.size, 55);
  assert.equal(count.detected, 36, text);
  assert(count.namedFirst >= 36, text);
  assert.equal(count.falseAlarm, 0, text);
  assert.equal(count.saidBenign, 16, text);
  assert.equal(count.heldBack, 3, text);
  assert.equal(count.mustNot, 0, text);
});
