import assert from "node:assert/strict";
import { readRows } from "../../../data/tasks/rows/read_rows.ts";
import { evaluateExpression } from "../../../data/tasks/verifiers/expression.ts";
import { gsm8k } from "../../../data/tasks/verifiers/gsm8k.ts";

const FOLDER = new URL("../../../workflows/library/word_problems/", import.meta.url).pathname;
const OPTIONS = gsm8k.params.parse({});

for (const [name, count] of [["train", 40], ["test", 10]] as const) {
  Deno.test(`every calculation of ${name}.jsonl is right, and its last gives the answer`, async () => {
    const { rows } = await readRows(`${FOLDER}${name}.jsonl`);
    assert.equal(rows.length, count);
    for (const { question, answer } of rows as { question: string; answer: string }[]) {
      const sums = [...answer.matchAll(/([\d(][\d\s()+*/-]*) = (\d+)/g)];
      assert(sums.length > 0, answer);
      for (const [, left, right] of sums) {
        const value = evaluateExpression(left!);
        assert.deepEqual([value?.numerator, value?.denominator], [BigInt(right!), 1n], answer);
      }
      const last = sums.at(-1)![2]!;
      assert(gsm8k.verify!(last, { answer }, OPTIONS), `${question} ${answer}`);
      assert(answer.endsWith(`#### ${Number(last).toLocaleString("en")}`), answer);
    }
  });
}

Deno.test("no held-out problem is among those to train on", async () => {
  const questions = async (name: string) =>
    (await readRows(`${FOLDER}${name}.jsonl`)).rows.map(({ question }) => question);
  const train = new Set(await questions("train"));
  assert.equal(train.size, 40);
  assert((await questions("test")).every((question) => !train.has(question)));
});
