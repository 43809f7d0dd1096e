import assert from "node:assert/strict";
import type { Severity } from "../../../../data/severity.ts";
import { Patience } from "../../../../workflows/doctor/follow/patience.ts";
import { oneFinding } from "../one_examined.ts";

type Holds = (record: number) => Severity | null;
const finding = (severity: Severity | null, cause = "a") => severity === null ? [] : [oneFinding({ cause, severity })];

/** What is told at a number of records of a cause that holds where `holds` says so. */
const tell = (patience: Patience, holds: Holds, records: number, part = 1) =>
  patience.tell({
    findings: finding(holds(records)),
    records,
    part,
    before: (less) => finding(holds(records - less)),
  });

/** At which records it is told, looked at after each. */
function toldAt(holds: Holds): number[] {
  const patience = new Patience();
  return Array.from({ length: 200 }, (_, i) => i + 1).filter((record) => tell(patience, holds, record).length > 0);
}

Deno.test("Patience tells nothing on the first record, a fatal finding on the next, another after two more", () => {
  assert.deepEqual(toldAt(() => "fatal"), [2]);
  assert.deepEqual(toldAt(() => "error"), [3]);
  assert.deepEqual(toldAt((record) => record === 1 ? "fatal" : null), []);
});

Deno.test("Patience waits for ten records before a warning: many a healthy run has no reward at first", () => {
  assert.deepEqual(toldAt(() => "warning"), [11]);
  assert.deepEqual(toldAt((record) => record <= 10 ? "warning" : null), []);
});

Deno.test("Patience waits for a sixth of the records that were there, at most twenty", () => {
  assert.deepEqual(toldAt((record) => record >= 60 ? "error" : null), [70]);
  assert.deepEqual(toldAt((record) => record >= 150 ? "warning" : null), [170]);
  assert.deepEqual(toldAt((record) => record >= 60 && record < 69 ? "error" : null), []);
});

Deno.test("Patience tells at the first look what has held for long enough: the end of a log may come at once", () => {
  assert.equal(tell(new Patience(), (record) => record >= 15 ? "fatal" : null, 17).length, 1);
  assert.equal(tell(new Patience(), (record) => record >= 15 ? "error" : null, 17).length, 0);
  assert.equal(tell(new Patience(), (record) => record >= 15 ? "error" : null, 18).length, 1);
});

Deno.test("Patience tells a cause once, and again when it is more severe", () => {
  assert.deepEqual(toldAt((record) => record >= 100 ? "fatal" : record >= 20 ? "error" : "warning"), [11, 24, 101]);
  assert.deepEqual(toldAt((record) => record < 20 ? "error" : "warning"), [3]);
});

Deno.test("Patience tells at once what is there before the first record, and starts again with another run", () => {
  const patience = new Patience();
  assert.equal(tell(patience, () => "error", 0).length, 1);
  assert.equal(tell(patience, () => "error", 6).length, 0);
  assert.equal(tell(patience, () => "error", 6, 2).length, 1);
  assert.equal(tell(patience, () => "error", 5, 2).length, 1);
});

Deno.test("Patience says what it did not tell, and what was told and is over", () => {
  const patience = new Patience();
  tell(patience, () => "fatal", 2);
  const end = [...finding("error", "b"), ...finding("warning", "c")];
  assert.deepEqual(patience.untold([...finding("error"), ...end]).map(({ cause }) => cause), ["b", "c"]);
  assert.deepEqual(patience.over(end), ["a"]);
});
