import assert from "node:assert/strict";
import { LISTED } from "../../../../data/listed_train_steps.ts";
import { whenText } from "../../../../notebooks/pages/where.ts";
import { EN, stepName, whenSaid, ZH } from "../../../../workflows/doctor_page/language/mod.ts";

const FINDINGS: readonly (Parameters<typeof whenText>[0] & { readonly counts?: "records" })[] = [
  { began: 12, train_steps: [12, 13] },
  { train_steps: [3] },
  { train_steps: [3, 4, 5] },
  { train_steps: [3, 9] },
  { train_steps: [] },
  { train_steps: Array.from({ length: LISTED }, (_, i) => i + 4) },
  { train_steps: [3, 4], counts: "records" },
];

Deno.test("whenSaid() says in English what every report says", () => {
  for (const finding of FINDINGS) assert.equal(whenSaid(finding, EN), whenText(finding, finding));
});

Deno.test("whenSaid() says it in Chinese", () => {
  assert.deepEqual(FINDINGS.map((finding) => whenSaid(finding, ZH)), [
    "自训练步 12 起",
    "训练步 3",
    "训练步 3 至 5",
    "训练步 3, 9",
    "",
    "从训练步 4 开始",
    "记录 3 至 4",
  ]);
  assert.equal(stepName({}, ZH), "训练步");
});
