import assert from "node:assert/strict";
import { join } from "node:path";
import { readForeign } from "../../../workflows/translate/read_options.ts";

/** Reads a text under a name in a folder of its own. */
async function reading(name: string, text: string | Uint8Array, others: Readonly<Record<string, string>> = {}) {
  const folder = await Deno.makeTempDir();
  try {
    for (const [other, held] of Object.entries(others)) await Deno.writeTextFile(join(folder, other), held);
    if (typeof text === "string") await Deno.writeTextFile(join(folder, name), text);
    else await Deno.writeFile(join(folder, name), text);
    return await readForeign(join(folder, name), name);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

for (
  const [what, name, text, system, trainer] of [
    ["a TRL script", "a.py", "GRPOTrainer(args=GRPOConfig(beta=1))", "trl", "grpo"],
    ["a TRL command", "a.sh", "trl kto --beta 0.1", "trl", "kto"],
    ["a TRL YAML", "dpo.yaml", "model_name_or_path: a\nlearning_rate: 1e-6", "trl", "dpo"],
    ["lines of a TRL run", "config.txt", "trainer: KTOTrainer\nmax_steps: 3\n", "trl", "kto"],
    ["an option alone", "config.txt", "max_completion_length=256\n", "trl", "grpo"],
    ["a verl command", "a.sh", "python3 -m verl.trainer.main_ppo a.b=1", "verl", "ppo"],
    ["a verl YAML", "a.yaml", "actor_rollout_ref: {rollout: {n: 4}}", "verl", "ppo"],
    ["an OpenRLHF command", "a.sh", "deepspeed --module openrlhf.cli.train_dpo --model.beta 0.1", "openrlhf", "dpo"],
    ["an ms-swift command", "a.sh", "swift rlhf --rlhf_type grpo --beta 0.1", "ms-swift", "grpo"],
    ["a LLaMA-Factory YAML", "a.yaml", "stage: rm\nfinetuning_type: full", "llamafactory", "reward"],
  ] as const
) {
  Deno.test(`readForeign() knows ${what}`, async () => {
    const read = await reading(name, text);
    assert.deepEqual([read.system, read.trainer], [system, trainer]);
  });
}

Deno.test("readForeign() reads the configuration that a command names, and flags win", async () => {
  const { options } = await reading("a.sh", "trl grpo --config c.yaml --beta 0.2", { "c.yaml": "beta: 0.1\nseed: 3" });
  assert.deepEqual(options.map(({ name, value }) => [name, value]), [["beta", 0.1], ["seed", 3], ["beta", 0.2]]);
  const { notes } = await reading("a.sh", "trl grpo --config gone.yaml --beta 0.2");
  assert.match(notes.join(), /reads "gone.yaml", which is not beside it/);
});

for (
  const [what, name, text, message] of [
    ["an empty file", "a.py", " \n", /it is empty/],
    ["a binary", "a.sh", new Uint8Array([1, 0, 2]), /it is no text/],
    ["bytes that are no UTF-8", "a.txt", new Uint8Array([0xff, 0xfe, 65]), /no UTF-8/],
    ["a TypeScript file", "a.ts", "const a = 1;", /something else/],
    ["a log", "log.txt", "step:1 - loss:2\nstep:2 - loss:1\nsome words here\n", /no command|no option/],
    ["a YAML of something else", "a.yaml", "services:\n  web: {image: x}\n", /no option that is known/],
    ["a workflow of ours", "a.yaml", "steps:\n  - uses: load_model\n", /a workflow already/],
    ["a broken YAML", "a.yaml", "a: [1\nb: }", /no valid YAML/],
    ["a script without a trainer", "a.py", "import os\nprint(1)\n", /makes no trainer/],
    ["a script that parses arguments", "a.py", "p = TrlParser((A, B))\n", /takes its arguments from the command line/],
    [
      "a script whose parser makes the configuration",
      "a.py",
      "a, b = TrlParser((A, GRPOConfig)).parse()\nGRPOTrainer(args=b)\n",
      /takes its arguments from the command line/,
    ],
    ["a YAML that fits several trainers", "a.yaml", "learning_rate: 1e-6\n", /add a line such as "trainer: grpo"/],
  ] as const
) {
  Deno.test(`readForeign() refuses ${what} with a named error`, async () => {
    await assert.rejects(
      reading(name, text),
      (error: Error) =>
        /^Cannot translate "/.test(error.message) && message.test(error.message) && /Syntax|Range/.test(error.name),
    );
  });
}

Deno.test("readForeign() refuses what is not there, a folder, and what is too large", async () => {
  await assert.rejects(readForeign("/no/such.py", "such.py"), /there is no such file/);
  await assert.rejects(readForeign(Deno.cwd(), "here"), /it is a folder/);
  await assert.rejects(reading("a.py", "a = 1\n".repeat(200_000)), /want at most/);
});

Deno.test("readForeign() lists the first of many words that are no option, each in short", async () => {
  const words = Array.from({ length: 5000 }, (_, i) => `=${i}${"x".repeat(100)}`).join(" ");
  const { notes } = await reading("a.sh", `python3 -m verl.trainer.main_ppo data.train_batch_size=8 ${words}\n`);
  assert.match(notes.join("\n"), /^words that are no option: =0x+… .* and 4980 more$/);
  assert(notes.join("").length < 2000);
});
