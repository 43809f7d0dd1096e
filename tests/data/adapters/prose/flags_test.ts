import assert from "node:assert/strict";
import { writtenValue } from "../../../../data/adapters/prose/flags.ts";
import { readFiles } from "../read_text.ts";

for (
  const [raw, value, type] of [
    ["1e-6", 1e-6, "number"],
    ["'1e-6'", "1e-6", "string"],
    ["true", true, "boolean"],
    ["False", false, "boolean"],
    ["None", null, "null"],
    ["1,024", 1024, "number"],
    ["[1, a]", [1, "a"], "list"],
    ["q_proj,v_proj", "q_proj,v_proj", "string"],
  ] as const
) {
  Deno.test(`writtenValue() of ${raw} is a ${type}`, () => assert.deepEqual(writtenValue(raw), { value, type }));
}

Deno.test("writtenValue() leaves a list in too many lists a text", () => {
  assert.equal(writtenValue("[".repeat(10_000) + "]".repeat(10_000)).type, "list");
});

Deno.test("readFlags() keeps the script of a command line", async () => {
  const run = await readFiles({
    "config.txt": "torchrun --nproc_per_node=8 src/virft/src/open_r1/grpo_classification.py \\\n --num_generations 8\n",
  });
  assert(run.settings.some(({ name, value }) => name === "script" && String(value).endsWith("grpo_classification.py")));
});

Deno.test("readKeyValue() reads a configuration's lines, comments and a dict value", async () => {
  const run = await readFiles({
    "config.txt":
      "learning_rate: 1e-5   # tuned\ngeneration_kwargs: {'temperature': 0.9}\nTRL 0.15.2\nsome free words here\n",
  });
  assert.deepEqual(run.settings.map(({ name, value }) => [name, value]), [
    ["learning_rate", 1e-5],
    ["generation_kwargs.temperature", 0.9],
    ["version.trl", "0.15.2"],
  ]);
  assert.deepEqual(run.messages.map(({ kind, text }) => [kind, text]), [["note", "some free words here"]]);
});

Deno.test("readFlags() takes only known options from a Python script", async () => {
  const run = await readFiles({
    "train.py": "config = GRPOConfig(learning_rate=1e-6, num_generations=2, foo=3)\nx = 5\n",
  });
  assert.deepEqual(run.settings.map(({ name, value }) => [name, value]), [["learning_rate", 1e-6], [
    "num_generations",
    2,
  ]]);
  assert.equal(run.messages.length, 0);
});

Deno.test("readFlags() reads a printed Namespace and training arguments", async () => {
  const run = await readFiles({
    "log.txt": "Namespace(actor_learning_rate=3e-07, n_samples_per_prompt=16, advantage_estimator='group_norm')\n" +
      "GRPOConfig(\nlearning_rate=1e-06,\nmax_completion_length=256,\n)\n",
  });
  assert.deepEqual(run.settings.map(({ option, value }) => [option, value]), [
    ["learning_rate", 3e-7],
    ["group_size", 16],
    ["algorithm", "group_norm"],
    ["learning_rate", 1e-6],
    ["max_new_tokens", 256],
  ]);
});

Deno.test("readKeyValue() gives pasted YAML the names of its parents", async () => {
  const run = await readFiles({
    "config.txt":
      "algorithm:\n  adv_estimator: grpo\n  kl_ctrl:\n    kl_coef: 0.001\ntrainer:\n  nnodes: 2\nrollout.n=5\n",
  });
  assert.deepEqual(run.settings.map(({ name, option, value }) => [name, option, value]), [
    ["algorithm.adv_estimator", "algorithm", "grpo"],
    ["algorithm.kl_ctrl.kl_coef", "kl_coef", 0.001],
    ["trainer.nnodes", "nodes", 2],
    ["rollout.n", "group_size", 5],
  ]);
});

Deno.test("readFlags() reads pasted Python: spaces around the sign, lists, comments that are no messages", async () => {
  const run = await readFiles({
    "config.txt":
      "args = GRPOConfig(\n  learning_rate = 5e-6, beta = 0.04,\n  num_generations = 6, # Decrease if out of memory\n)\n" +
      'model = get_peft_model(model, r = 16, target_modules = ["q_proj", "k_proj"], lora_alpha = 32)\n',
  });
  const values = Object.fromEntries(
    run.settings.filter(({ option }) => option !== null).map(({ option, value }) => [option, value]),
  );
  assert.deepEqual(values, {
    learning_rate: 5e-6,
    kl_coef: 0.04,
    group_size: 6,
    lora_target_modules: ["q_proj", "k_proj"],
    lora_rank: 16,
    lora_alpha: 32,
  });
  assert(!run.messages.some(({ kind }) => kind === "out_of_memory"));
});
