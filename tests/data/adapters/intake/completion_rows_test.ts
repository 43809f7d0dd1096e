import assert from "node:assert/strict";
import { CompletionRows, hasCompletion } from "../../../../data/adapters/intake/completion_rows.ts";
import { Intake } from "../../../../data/adapters/intake/intake.ts";

Deno.test("hasCompletion() wants a text under a completion's name; a lone text needs company", () => {
  assert(hasCompletion({ completion: "x" }) && hasCompletion({ output: "x", input: "y" }));
  assert(hasCompletion({ text: "x", prompt: "y" }));
  assert(!hasCompletion({ text: "x" }) && !hasCompletion({ loss: 1 }) && !hasCompletion({ output: 3 }));
});

Deno.test("CompletionRows takes a single reward function's value for the reward, several for none", () => {
  const intake = new Intake();
  intake.openSource("x.jsonl", "completions", 0);
  const rows = new CompletionRows(intake, 3);
  rows.add({ prompt: "p", completion: "a", accuracy: 1, epoch: 5 }, 1);
  rows.add({ prompt: "p", completion: "b", accuracy: 0, format: 1 }, 2);
  assert.deepEqual(intake.completions.map(({ reward, train_step }) => [reward, train_step]), [[1, 3], [null, 3]]);
  assert.deepEqual([...intake.completions[1]!.rewards], [["accuracy", 0], ["format", 1]]);
});
