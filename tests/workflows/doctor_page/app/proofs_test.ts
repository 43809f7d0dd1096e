import assert from "node:assert/strict";
import { proofsOf } from "../../../../workflows/doctor_page/app/proofs.ts";
import { pageRun } from "../../../../workflows/doctor/page_run.ts";
import { oneExamined } from "../../doctor/one_examined.ts";

Deno.test("proofsOf() has the words of each line that evidence stands in, and none of what stands in no line", () => {
  const run = pageRun(oneExamined(), false);
  assert.deepEqual([...proofsOf(run)].map(([file, lines]) => [file, [...lines]]), [["log.txt", [[3, [
    "actor/entropy",
  ]]]]]);
});
