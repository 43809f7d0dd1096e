import assert from "node:assert/strict";
import { readRows } from "../../../data/datasets/read_rows.ts";
import { runWorkflow } from "../../../workflows/mod.ts";
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

Deno.test("gsm8k_grpo.yaml runs end to end on a model's folder: adapter, reference without it, export", async () => {
  const runs = await Deno.makeTempDir(), heard: string[] = [];
  const model = new URL("../../models/warm_addition", import.meta.url).pathname;
  const small = { untaught: false, model, train_steps: 1, prompts_per_step: 2, group_size: 2, max_new_tokens: 4 };
  try {
    const file = new URL("../../../workflows/library/gsm8k_grpo.yaml", import.meta.url).pathname;
    const run = await runWorkflow(file, { runs, params: small, onEvent: ({ event }) => heard.push(event) });
    assert.equal(run.reason, null);
    assert(heard.filter((event) => event === "train_step").length === 1);
  } finally {
    await Deno.remove(runs, { recursive: true });
  }
});
