import assert from "node:assert/strict";
import { join } from "node:path";
import { boxUnitOf, boxUnitOfRun } from "../../../workflows/run/box_unit.ts";

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

Deno.test("boxUnitOf() answers the parameters of the workflow", () => {
  const of = (unit: string) =>
    boxUnitOf(`params: { unit: ${unit} }
steps:
  - uses: load_prompts
    with: { file: a, box_unit: { from: pixels, to: "\${{ params.unit }}" } }
  - repeat: 2
    steps:
      - uses: score_rewards
        with: { rewards: [{ uses: visual/giou, with: { box_unit: "\${{ params.unit }}", answer_unit: "\${{ params.unit }}" } }] }
`);
  assert.equal(of("pixels"), "pixels");
  assert.equal(of("thousandths"), "thousandths");
});

Deno.test("boxUnitOf() takes the units of the reward that pictures show, else of the first", () => {
  const rewards = (...names: string[]) =>
    `{ rewards: [${
      names.map((name, i) =>
        `{ uses: ${name}, with: { box_unit: ${["thousandths", "pixels"][i]}, answer_unit: ${
          ["thousandths", "pixels"][i]
        } } }`
      ).join(", ")
    }] }`;
  const of = (...names: string[]) => boxUnitOf(`steps:\n  - uses: score_rewards\n    with: ${rewards(...names)}\n`);
  assert.equal(of("visual/giou", "visual/iou"), "pixels");
  assert.equal(of("visual/iou", "visual/giou"), "thousandths");
  assert.equal(of("visual/giou", "./mine.ts"), "thousandths");
});

Deno.test("boxUnitOfRun() reads the run's own workflow; thousandths where it has none", () => {
  const folder = Deno.makeTempDirSync({ prefix: "nonzero_unit_" });
  try {
    assert.equal(boxUnitOfRun(folder), "thousandths");
    const text =
      'params: { unit: pixels }\nsteps:\n  - { uses: load_prompts, with: { detection: { box_unit: "${{ params.unit }}" } } }\n';
    Deno.writeTextFileSync(join(folder, "workflow.yaml"), text);
    assert.equal(boxUnitOfRun(folder), "pixels");
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
