/** Forms of launch scripts: what is read of each, with its system, its trainer and the place of an option. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Launch } from "../../../../workflows/preflight/foreign/launch.ts";
import { launchesOf, readLaunches } from "../../../../workflows/preflight/foreign/read_launch.ts";

const FORMS: readonly {
  readonly what: string;
  readonly file: string;
  readonly text: string;
  readonly system: string;
  readonly trainer: string | null;
  readonly option: readonly [name: string, value: unknown, line: number, column: number];
  readonly processes?: number;
}[] = [
  {
    what: "variables, continuations and arithmetic under accelerate",
    file: "run.sh",
    text:
      "GPUS=4\nRATE=${RATE:-1e-6}\naccelerate launch --num_processes $GPUS grpo.py \\\n  --learning_rate $RATE \\\n  --num_generations $((GPUS * 2))\n",
    ...{ system: "trl", trainer: "grpo", option: ["num_generations", 8, 5, 5], processes: 4 },
  },
  {
    what: "an array of arguments under torchrun",
    file: "run.sh",
    text: 'ARGS=(\n  --rlhf_type dpo\n  --beta 0.1 # of DPO\n)\nNPROC_PER_NODE=2 swift rlhf "${ARGS[@]}"\n',
    ...{ system: "ms-swift", trainer: "dpo", option: ["beta", 0.1, 3, 5], processes: 2 },
  },
  {
    what: "Hydra overrides with a plus and quotes",
    file: "run.sh",
    text: "python3 -m verl.trainer.main_ppo \\\n  +trainer.n_gpus_per_node=8 \\\n  'actor_rollout_ref.rollout.n=5'\n",
    ...{ system: "verl", trainer: "ppo", option: ["actor_rollout_ref.rollout.n", 5, 3, 4], processes: 8 },
  },
  {
    what: "deepspeed --module of OpenRLHF",
    file: "run.sh",
    text: "deepspeed --num_gpus 4 --module openrlhf.cli.train_dpo \\\n   --beta 0.1 \\\n   --pretrain m\n",
    ...{ system: "openrlhf", trainer: "dpo", option: ["beta", 0.1, 2, 6], processes: 4 },
  },
  {
    what: "a YAML of LLaMA-Factory",
    file: "a.yaml",
    text: "stage: kto\nfinetuning_type: lora\npref_beta: 0.1\n",
    ...{ system: "llamafactory", trainer: "kto", option: ["pref_beta", 0.1, 3, 1] },
  },
  {
    what: "a JSON of TRL",
    file: "grpo.json",
    text: '{\n  "num_generations": 8,\n  "beta": 0.04\n}\n',
    ...{ system: "trl", trainer: "grpo", option: ["beta", 0.04, 3, 4] },
  },
  {
    what: "GRPOConfig in Python with a nested call and a name",
    file: "a.py",
    text:
      "from trl import GRPOConfig, GRPOTrainer\nG = 8\nt = GRPOTrainer(model='m', args=GRPOConfig(\n  num_generations=G,\n), peft_config=LoraConfig(r=4))\n",
    ...{ system: "trl", trainer: "grpo", option: ["num_generations", 8, 4, 3] },
  },
  {
    what: "a notebook of Unsloth",
    file: "a.ipynb",
    text: JSON.stringify(
      {
        cells: [{
          cell_type: "code",
          source: [
            "from unsloth import FastLanguageModel\n",
            "from trl import SFTConfig, SFTTrainer\n",
            "SFTTrainer(model=m, args=SFTConfig(max_steps=60))",
          ],
        }],
      },
      null,
      1,
    ),
    ...{ system: "unsloth", trainer: "sft", option: ["max_steps", 60, 8, 36] },
  },
];

for (const { what, file, text, system, trainer, option, processes } of FORMS) {
  Deno.test(`launchesOf() reads ${what}`, () => {
    const [launch, ...others] = launchesOf(file, text) as [Launch, ...Launch[]];
    assert.deepEqual([launch.system, launch.trainer, others.length], [system, trainer, 0]);
    const told = launch.told(option[0])!;
    assert.deepEqual([told.name, told.value, told.line, told.column], option);
    assert.equal(launch.processes, processes ?? null);
  });
}

Deno.test("launchesOf() reads every training of a script, and none of a workflow, a log or a model's folder", () => {
  const two = "trl sft --max_steps 10 --model_name_or_path m\ntrl dpo --beta 0.1 --model_name_or_path m\n";
  assert.deepEqual(launchesOf("run.sh", two).map(({ trainer }) => trainer), ["sft", "dpo"]);
  assert.deepEqual(launchesOf("a.yaml", "steps:\n  - uses: load_model\nlearning_rate: 1\n"), []);
  assert.deepEqual(launchesOf("generation_config.json", '{"temperature": 0.1}'), []);
  assert.deepEqual(launchesOf("train.log", "{'loss': 0.1}\n"), []);
  assert.deepEqual(launchesOf("a.ipynb", "{}"), []);
});

Deno.test("readLaunches() reads the configuration that a command names beside it, whose options it overrules", () => {
  const folder = Deno.makeTempDirSync({ prefix: "nonzero_read_launch_" });
  try {
    Deno.writeTextFileSync(join(folder, "grpo.yaml"), "num_generations: 8\nbeta: 0.04\n");
    Deno.writeTextFileSync(join(folder, "ds.json"), '{"train_batch_size": "auto"}');
    Deno.writeTextFileSync(join(folder, "run.sh"), "trl grpo --config grpo.yaml --beta 0.1 --deepspeed ds.json\n");
    const [launch] = readLaunches(join(folder, "run.sh")) as [Launch];
    assert.deepEqual([launch.number("num_generations"), launch.number("beta")], [8, 0.1]);
    assert(launch.told("num_generations")!.source.endsWith("grpo.yaml"));
    assert.deepEqual([...launch.beside.keys()], ["ds.json"]);
    assert.deepEqual(readLaunches(join(folder, "none.sh")), []);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
