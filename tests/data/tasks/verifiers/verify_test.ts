import assert from "node:assert/strict";
import { TASKS } from "../../../../data/tasks/mod.ts";
import { sameAnswer } from "../../../../data/tasks/verifiers/same_answer.ts";
import { verify, wantsAnswerItself } from "../../../../data/tasks/verifiers/verify.ts";

Deno.test("verify() asks the verifier the row names", () => {
  assert.equal(verify("85", { verifier: "addition", answer: "85" }), true);
  assert.equal(verify("4+4", { verifier: "countdown", answer: "2*4", operands: "4,4", target: 8 }), true);
  assert.equal(verify("about 85", { verifier: "numeric", answer: "85" }), true);
  assert.equal(verify("about 85", { verifier: "exact", answer: "85" }), false);
});

Deno.test("verify() is null without a verifier and refuses an unknown one", () => {
  for (const verifier of [null, undefined, "none"]) assert.equal(verify("85", { verifier, answer: "85" }), null);
  assert.throws(() => verify("", { verifier: "guess" }), /"guess" is no verifier; want exact, numeric, .*, addition/);
});

Deno.test("verify() judges what stands in the row's answer tag", () => {
  const row = { verifier: "addition", answer: "85", answer_tag: "answer" };
  assert.equal(verify("<think>80+5</think><answer>85</answer>", row), true);
  assert.equal(verify("85", row), false);
  assert.equal(verify("85", { ...row, answer_tag: null }), true);
});

Deno.test("wantsAnswerItself() is true of every task whose verifier is sameAnswer, and of plain equality", () => {
  for (const [name, task] of Object.entries(TASKS)) assert.equal(wantsAnswerItself(name), task.verify === sameAnswer);
  const names = ["addition", "exact", "countdown", "numeric", "none", "toString"];
  assert.deepEqual(names.filter(wantsAnswerItself), ["addition", "exact"]);
});
