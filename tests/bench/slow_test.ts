/** The scorer of slow deaths: its figures, and a run cut where it was. */
import assert from "node:assert/strict";
import { tableOfRows } from "../../data/tables/mod.ts";
import { calibrated, type Judged, report, tally } from "./slow.ts";
import { prefixOf } from "./slow/prefix.ts";

const row = (primary: string, causes: readonly (readonly [string, number])[], more: Partial<Judged> = {}): Judged => ({
  name: primary,
  label: {
    system: "trl",
    algorithm: "grpo",
    verdict: primary === "healthy" ? "benign" : "faulty",
    primary,
    causes: [primary, "also"],
    must_not: [],
    confidence: "gold",
    onset_step: primary === "healthy" ? null : 100,
  },
  verdict: causes.length > 0 ? "faulty" : "benign",
  causes: causes.map(([cause, probability]) => ({ cause, probability })),
  late: null,
  off: null,
  alarmedAt: null,
  ...more,
});

const ALL = [
  row("a", [["a", 0.9], ["b", 0.05]], { late: 0.1, off: 0.1 }),
  row("b", [["a", 0.6], ["b", 0.3]], { late: 0.2, off: -0.2 }),
  row("c", [["also", 0.9]], { late: 0, off: -0.15 }),
  row("d", []),
  row("healthy", [["a", 0.9]]),
  row("healthy", [], { alarmedAt: 0.5 }),
];

Deno.test("slow deaths are counted as detected, first, in two and in time", () => {
  assert.deepEqual(tally(ALL), {
    faulty: 4,
    healthy: 2,
    detected: 3,
    first: 1,
    inTwo: 2,
    firstAccepted: 2,
    alarms: 1,
    alarmsOnTheWay: 1,
    timed: 4,
    inTime: 2,
    dated: 2,
  });
});

Deno.test("a stated probability is right where the first cause is accepted, and wrong on a healthy run", () => {
  const bins = calibrated(ALL);
  assert.deepEqual(bins.map(({ findings, right }) => [findings, right]), [[0, 0], [1, 0], [0, 0], [3, 2], [0, 0]]);
});

Deno.test("the report names what was said otherwise", () => {
  const text = report(ALL, true);
  assert.match(text, /detected +3\/4 75 %/);
  assert.match(text, /b -> a\+b: b/);
  assert.match(text, /d -> benign: d/);
  assert.match(text, /healthy -> a: healthy/);
});

Deno.test("a prefix ends before the first row of a later train step", () => {
  const metrics = tableOfRows("metrics", [1, 2, 5, 3, 9].map((train_step) => ({ train_step, reward: train_step })));
  const cut = prefixOf({ tables: { metrics }, log: null }, 4);
  assert.equal(cut.tables.metrics!.numRows(), 2);
  assert.equal(prefixOf({ tables: { metrics }, log: null }, 9).tables.metrics!.numRows(), 5);
});
