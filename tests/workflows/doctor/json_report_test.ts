import assert from "node:assert/strict";
import { DIAGNOSIS_SCHEMA, jsonReport } from "../../../workflows/doctor/json_report.ts";
import { oneExamined } from "./one_examined.ts";

Deno.test("jsonReport() follows its schema, names NaN, and keeps after-effects by cause", () => {
  const report = JSON.parse(JSON.stringify(jsonReport(oneExamined())));
  assert.deepEqual(DIAGNOSIS_SCHEMA.parse(report), report);
  assert.deepEqual(report.findings[0].evidence.map(({ value }: { value: unknown }) => value), [0.01, "NaN"]);
  assert.deepEqual(report.after_effects, ["mode_collapse"]);
  assert(!("part" in report));
  assert.equal(jsonReport(oneExamined({ part: "2 of 3" })).part, "2 of 3");
});

Deno.test("DIAGNOSIS_SCHEMA refuses unknown keys and verdicts", () => {
  const report = jsonReport(oneExamined());
  assert(!DIAGNOSIS_SCHEMA.safeParse({ ...report, more: 1 }).success);
  assert(!DIAGNOSIS_SCHEMA.safeParse({ ...report, verdict: "healthy" }).success);
});

Deno.test("jsonReport() tells the first, the last and the number of train steps of a list that is cut", () => {
  const { diagnosis, ...rest } = oneExamined(), [first, ...others] = diagnosis.findings;
  const told = (finding: Partial<typeof first>) => {
    const report = jsonReport({
      ...rest,
      diagnosis: { ...diagnosis, findings: [{ ...first!, ...finding }, ...others] },
    });
    const { train_steps_count, since, until } = report.findings[0]!;
    return [train_steps_count, since, until];
  };
  assert.deepEqual(told({ train_steps: [7, 8, 9], cut: { count: 300, until: 306 } }), [300, 7, 306]);
  assert.deepEqual(told({ train_steps: [7, 8, 9] }), [3, 7, 9]);
  assert.deepEqual(told({ train_steps: [] }), [0, null, null]);
});
