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

/** The line that proves, from 1, where the record begins on the first. */
const provenLine = (texts: readonly string[], proof: Proof) => {
  const within = proofsWithin(new Map([[1, [proof]]]), 1, texts);
  return [...within].find(([, some]) => some.length > 0)![0];
};

Deno.test("proofsWithin() takes whole names, within the record alone: the value tells where the name does not stand", () => {
  const reward = { name: "reward", value: 0.5 }, entropy = { name: "entropy", value: 0.9 };
  assert.equal(provenLine(["step 5", "frac_reward_zero_std: 0.5", "reward: 0.5"], reward), 3);
  assert.equal(provenLine(["{", '  "frac_reward_zero_std": 1,', '  "mean": 0.5', "}", '"reward": 0.5'], reward), 3);
  assert.equal(provenLine(["{'loss': 0.1, 'entropy_loss': 0.9}", "entropy 0.9"], entropy), 1);
  const tables = ["| 100 | 0.9 |", "| 200 | 0.8 |", "", "| step | entropy |", "| --- | --- |", "| 1 | 0.9 |"];
  assert.equal(provenLine(tables, entropy), 1);
  const bare = ["1 | nan | 0.9", "2 | nan | No Log", "", "Step | kl | entropy", "-- | -- | --", "1 | nan | 0.9"];
  assert.equal(provenLine(bare, entropy), 1);
  assert.equal(provenLine(["100 0.9", "200 0.8", "```", "the entropy: 0.9"], entropy), 1);
  assert.equal(provenLine(["熵 0.9 → 0.12", "and the entropy of another"], entropy), 1);
  assert.equal(provenLine(["step 9", "other: 1", "", "entropy: 0.9"], entropy), 1);
});

Deno.test("proofsWithin() reads a table of names to its end, and a text that is quoted in part", () => {
  const table = ["| step | 7 |", "| kl | 7 |", "| loss | 0.2 |", "-----", "loss 0.2"];
  assert.equal(provenLine(table, { name: "kl", value: 7 }), 2);
  assert.equal(provenLine(table, { name: "loss", value: 0.2 }), 3);
  assert.equal(provenLine(["one", "it says no more words"], { name: "error", value: "it says no…" }), 2);
});
