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

const ROLLOUT = { train_steps: 1, prompts_per_step: 2, group_size: 2, max_new_tokens: 4 };
/** What makes each a matter of seconds on a folder. */
const ON_A_FOLDER = {
  gsm8k_grpo: ROLLOUT,
  lora_grpo: { ...ROLLOUT, learning_rate: 1e-4 },
  lora_kto: { updates: 1, batch_size: 4, learning_rate: 1e-4 },
} as const;

for (const [name, params] of Object.entries(ON_A_FOLDER)) {
  Deno.test(`${name}.yaml runs end to end on a model's folder: no warm start, an adapter that PEFT reads`, async () => {
    const runs = await Deno.makeTempDir(), started: string[] = [];
    const model = new URL("../../models/warm_addition", import.meta.url).pathname;
    const given = { ...params, model, chat_template: false, evaluate_limit: 4, on_error: "warn" };
    try {
      const file = new URL(`../../../workflows/library/${name}.yaml`, import.meta.url).pathname;
      const onEvent = ({ event, ...more }: { event: string }) =>
        void (event === "step_started" && started.push(String((more as Record<string, unknown>)["uses"])));
      const run = await runWorkflow(file, { runs, params: given, onEvent });
      assert.equal(run.status, "ok", run.reason ?? "");
      assert(!started.includes("fine_tune") && started.filter((uses) => uses === "load_model").length === 1);
      const files = [...Deno.readDirSync(`${runs}/${run.runId}/model`)].map(({ name }) => name);
      assert(["adapter_config.json", "adapter_model.safetensors"].every((name) => files.includes(name)), `${files}`);
      assert.equal(files.includes("model.safetensors"), false);
    } finally {
      await Deno.remove(runs, { recursive: true });
    }
  });
}
