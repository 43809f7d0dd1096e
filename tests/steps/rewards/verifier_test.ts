import assert from "node:assert/strict";
import { verifier } from "../../../steps/rewards/verifier.ts";
import { rewardBatch } from "./batch.ts";

const ROW = { verifier: "countdown", operands: "3,5,8", target: 23, answer: "3*5+8" };

Deno.test("verifier.score() asks the verifier that the prompt names", () => {
  const batch = rewardBatch(["8+5*3", "23"], { rows: [ROW, ROW] });
  assert.deepEqual(verifier.score(verifier.params.parse({}), batch), [1, 0]);
  assert.deepEqual(verifier.score(verifier.params.parse({ right: 2, wrong: -1 }), batch), [2, -1]);
});

Deno.test("verifier.score() judges the text in the answer tag only", () => {
  const tagged = { ...ROW, answer_tag: "answer" };
  const batch = rewardBatch(["<think>3*5</think><answer>3*5+8</answer>", "3*5+8"], { rows: [tagged, tagged] });
  assert.deepEqual(verifier.score(verifier.params.parse({}), batch), [1, 0]);
});

Deno.test("verifier.score() refuses prompts without a verifier", () => {
  const batch = rewardBatch(["1"], { rows: [{ verifier: "none" }] });
  assert.throws(
    () => verifier.score(verifier.params.parse({}), batch),
    /the prompts name none; set verifier in load_prompts/,
  );
});
