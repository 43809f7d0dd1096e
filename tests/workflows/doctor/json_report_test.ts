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
