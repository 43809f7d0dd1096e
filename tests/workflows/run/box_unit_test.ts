import assert from "node:assert/strict";
import { boxUnitOf } from "../../../workflows/run/box_unit.ts";

Deno.test("boxUnitOf() is what the workflow says, what it converts to, and thousandths where it says nothing", () => {
  const of = (option: string) => boxUnitOf(`steps:\n  - uses: load_prompts\n    with:\n      path: a\n${option}`);
  assert.equal(of(""), "thousandths");
  const reward = (options: string) =>
    boxUnitOf(`steps:\n  - with: { rewards: [{ uses: visual/iou, with: { ${options} } }] }\n`);
  assert.deepEqual(reward("box_unit: pixels"), { answer: "thousandths", said: "pixels" });
  assert.equal(reward("box_unit: pixels, answer_unit: pixels"), "pixels");
  assert.deepEqual(reward("answer_unit: pixels, box_unit: thousandths"), { answer: "pixels", said: "thousandths" });
  assert.equal(of("      box_unit: { from: pixels, to: thousandths }"), "thousandths");
  assert.equal(of("      box_unit: { from: thousandths, to: pixels }"), "pixels");
  assert.equal(of("      box_unit: inches"), "thousandths");
  assert.equal(of("      detection: { negatives: 1, box_unit: thousandths }"), "thousandths");
  const annotated =
    "      detection: { box_unit: pixels }\n  - with: { rewards: [{ uses: visual/iou, with: { UNITS } }] }\n";
  assert.equal(of(annotated.replace("UNITS", "box_unit: pixels, answer_unit: pixels")), "pixels");
  assert.deepEqual(of(annotated.replace("UNITS", "answer_unit: pixels")), { answer: "pixels", said: "thousandths" });
  assert.equal(boxUnitOf("# box_unit: pixels\n"), "thousandths");
  assert.equal(boxUnitOf("box_unit: [\n"), "thousandths", "a file that cannot be read");
});
