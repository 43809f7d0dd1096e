import assert from "node:assert/strict";
import { flagOptions, trainingCommands, valueOf } from "../../../workflows/translate/command_line.ts";

const found = (script: string) =>
  trainingCommands(script).commands.map(({ system, trainer, processes }) => [system, trainer, processes]);

Deno.test("trainingCommands() knows the programs of the systems, whatever launches them", () => {
  assert.deepEqual(found("trl grpo --a 1"), [["trl", "grpo", null]]);
  assert.deepEqual(found("accelerate launch --num_processes 4 --num_machines 2 trl/scripts/dpo.py --beta 0.1"), [[
    "trl",
    "dpo",
    4,
  ]]);
  assert.deepEqual(found("torchrun --nproc_per_node=8 --nnodes=2 src/open_r1/grpo.py --beta 0.1"), [[
    "trl",
    "grpo",
    16,
  ]]);
  assert.deepEqual(found("PYTHONUNBUFFERED=1 python3 -m verl.trainer.main_ppo a.b=1 2>&1 | tee log"), [[
    "verl",
    "ppo",
    null,
  ]]);
  assert.deepEqual(found("ray job submit --address x -- python3 -m openrlhf.cli.train_ppo_ray --a 1"), [[
    "openrlhf",
    "ppo",
    null,
  ]]);
  assert.deepEqual(found("deepspeed --module openrlhf.cli.train_kto --a"), [["openrlhf", "kto", null]]);
  assert.deepEqual(found("NPROC_PER_NODE=2 swift rlhf --rlhf_type grpo"), [["ms-swift", null, 2]]);
  assert.deepEqual(found("llamafactory-cli train a.yaml"), [["llamafactory", null, null]]);
  assert.deepEqual(found("python src/train_bash.py --stage ppo"), [["llamafactory", null, null]]);
  assert.deepEqual(found("--rlhf_type grpo\n--model a\n"), [["ms-swift", null, null]]);
});

Deno.test("trainingCommands() looks into the text that a shell is given, with its lines", () => {
  const script =
    "N=4\nsrun -p x \\\n  bash -c 'torchrun --nproc_per_node $N \\\n  src/open_r1/grpo_lisa.py \\\n  --beta 0.1'\n";
  const [{ system, trainer, processes, words, line }] = trainingCommands(script).commands as [
    ReturnType<typeof trainingCommands>["commands"][0],
  ];
  assert.deepEqual([system, trainer, processes, line], ["visual-rft", "grpo_lisa", 4, 4]);
  assert.deepEqual(words.map(({ text, line }) => [text, line]), [["--beta", 5], ["0.1", 5]]);
  assert.deepEqual(found("bash -c train.sh\nbash -c 'echo trl'"), []);
});

Deno.test("trainingCommands() is silent about commands that train nothing", () => {
  assert.deepEqual(
    found(
      "set -x\npip install trl\ntrl vllm-serve --model a\nswift infer --model b\npython make_data.py --out c\nls -la",
    ),
    [],
  );
});

Deno.test("trainingCommands() tells a script that several systems have by the folder that is entered before", () => {
  const system = (before: string) =>
    trainingCommands(`${before}torchrun src/open_r1/grpo.py --max_pixels 401408 --dataset_name mine\n`).commands[0]!
      .system;
  assert.equal(system("cd R1-V/src/r1-v\n"), "r1-v-family");
  assert.equal(system("cd\n"), "visual-rft");
});

Deno.test("trainingCommands() reads the sizes of images that ms-swift takes from the environment, unless they are written", () => {
  const sizes = (script: string) =>
    flagOptions(trainingCommands(script).commands[0]!.words).options.filter(({ name }) => name.endsWith("_pixels"))
      .map(({ name, value }) => `${name} ${value}`);
  assert.deepEqual(sizes("MAX_PIXELS=1003520 swift rlhf --rlhf_type grpo"), ["max_pixels 1003520"]);
  assert.deepEqual(sizes("export MIN_PIXELS=3136\nswift sft --max_pixels 200704"), [
    "max_pixels 200704",
    "min_pixels 3136",
  ]);
  assert.deepEqual(sizes("MAX_PIXELS=1003520 swift rlhf --max-pixels 200704").length, 0);
  assert.deepEqual(sizes("MAX_PIXELS=1003520 trl grpo --beta 0.1"), []);
});

Deno.test("flagOptions() reads values beside flags, lists, switches, and keeps the rest", () => {
  const [command] =
    trainingCommands('trl grpo x.yaml --a 1 --b=2e-6 --c x "y z" --d -1 --e --f=\'{"g": [1]}\'').commands;
  const { options, rest } = flagOptions(command!.words);
  assert.deepEqual(Object.fromEntries(options.map(({ name, value }) => [name, value])), {
    a: 1,
    b: 2e-6,
    c: ["x", "y z"],
    d: -1,
    e: true,
    f: { g: [1] },
  });
  assert.deepEqual(rest.map(({ text }) => text), ["x.yaml"]);
});

Deno.test("valueOf() reads JSON, and leaves what only looks like it", () => {
  assert.deepEqual(valueOf({ text: "[1, 2]", unknown: false }), [1, 2]);
  assert.deepEqual(valueOf({ text: "[a,b]", unknown: false }), "[a,b]");
  assert.deepEqual(valueOf({ text: "$A", unknown: true }), { unresolved: "$A" });
});
