import assert from "node:assert/strict";
import { proofsOf, proofsWithin } from "../../../../workflows/doctor_page/app/proofs.ts";
import type { Proof } from "../../../../workflows/doctor_page/app/marked_parts.ts";
import { pageRun } from "../../../../workflows/doctor/page_run.ts";
import { oneExamined } from "../../doctor/one_examined.ts";

Deno.test("proofsOf() has the words of each line that evidence stands in, and none of what stands in no line", () => {
  const run = pageRun(oneExamined(), false);
  assert.deepEqual([...proofsOf(run)].map(([file, lines]) => [file, [...lines]]), [["log.txt", [[3, [
    { name: "actor/entropy", value: 0.01 },
  ]]]]]);
});

Deno.test("proofsOf() has every word of a line that proves by several", () => {
  const evidence = ["kl", "loss"].map((name) => ({ source: "a.log", line: 3, name, value: 1, train_step: 1 }));
  const finding = { ...pageRun(oneExamined(), false).findings[0]!, evidence };
  assert.deepEqual(proofsOf({ findings: [finding] }).get("a.log")!.get(3), [{ name: "kl", value: 1 }, {
    name: "loss",
    value: 1,
  }]);
});

Deno.test("proofsWithin() finds a word in the lines behind the one in which its record begins, and nothing out of sight", () => {
  const [kl, loss, gone] = ["kl", "loss", "gone"].map((name) => ({ name })) as [Proof, Proof, Proof];
  const proofs = new Map([[10, [kl, loss]], [12, [gone]], [99, [{ name: "x" }]]]);
  const texts = ["step 5", "loss: 1", "other", "kl: 2"];
  assert.deepEqual([...proofsWithin(proofs, 10, texts)], [[10, []], [13, [kl]], [11, [loss]], [12, [gone]]]);
  assert.deepEqual([...proofsWithin(proofs, 50, texts)], []);
});
