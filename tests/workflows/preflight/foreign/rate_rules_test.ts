import assert from "node:assert/strict";
import { findForeign } from "../../../../workflows/preflight/foreign/find.ts";
import { RATE_RULES } from "../../../../workflows/preflight/foreign/rate_rules.ts";
import { launchesOf } from "../../../../workflows/preflight/foreign/read_launch.ts";
import { firesWith, testRules } from "./cases.ts";

testRules(RATE_RULES);

Deno.test("adapter_rate_on_all_weights takes a model's size from its name, in millions and in billions", async () => {
  const of = (model: string) => firesWith("adapter_rate_on_all_weights", "meta-llama/Meta-Llama-3-8B-Instruct", model);
  for (
    const [model, fires] of [
      ["HuggingFaceTB/SmolLM2-360M-Instruct", false],
      ["bigscience/bloom-560m", false],
      ["Qwen/Qwen2.5-1.5B-Instruct", false],
      ["Qwen/Qwen2.5-3B-Instruct", true],
      ["models/my-3000m", true],
    ] as const
  ) {
    assert.equal(await of(model), fires, model);
  }
});

/** Whether `rate_far` speaks of a script. */
function isFar(text: string, system: string, name = "run.sh"): boolean {
  const launches = launchesOf(name, text);
  assert(launches.length > 0, text);
  return findForeign({ settings: [], system, algorithm: null } as never, launches).some(({ rule }) =>
    rule === "rate_far"
  );
}

/** A launch of each system on a model of 1.5 billion parameters or so, all weights, with its learning rate left open. */
const LAUNCHES: readonly (readonly [system: string, name: string, text: (model: string, rate: string) => string])[] = [
  ["trl", "run.sh", (m, r) => `trl grpo --model_name_or_path ${m} --learning_rate ${r} --num_generations 8\n`],
  [
    "verl",
    "run.sh",
    (m, r) =>
      `python3 -m verl.trainer.main_ppo actor_rollout_ref.model.path=${m} actor_rollout_ref.actor.optim.lr=${r}\n`,
  ],
  [
    "openrlhf",
    "run.sh",
    (m, r) =>
      `python3 -m openrlhf.cli.train_ppo_ray --pretrain ${m} --actor_learning_rate ${r} --critic_learning_rate 9e-6\n`,
  ],
  [
    "ms-swift",
    "run.sh",
    (m, r) => `swift rlhf --rlhf_type grpo --train_type full --model ${m} --learning_rate ${r}\n`,
  ],
  [
    "vlm-r1",
    "run.sh",
    (m, r) =>
      `torchrun src/open-r1-multimodal/src/open_r1/grpo_jsonl.py --data_file_paths a --image_folders b --model_name_or_path ${m} --learning_rate ${r}\n`,
  ],
  [
    "visual-rft",
    "run.sh",
    (m, r) => `torchrun src/virft/src/open_r1/grpo_classification.py --model_name_or_path ${m} --learning_rate ${r}\n`,
  ],
  [
    "llamafactory",
    "run.yaml",
    (m, r) => `model_name_or_path: ${m}\nstage: dpo\nfinetuning_type: full\ntemplate: qwen\nlearning_rate: ${r}\n`,
  ],
  [
    "unsloth",
    "run.py",
    (m, r) =>
      `from unsloth import FastLanguageModel\nfrom trl import GRPOConfig, GRPOTrainer\n` +
      `model, tokenizer = FastLanguageModel.from_pretrained(model_name="${m}", full_finetuning=True)\n` +
      `trainer = GRPOTrainer(model=model, args=GRPOConfig(learning_rate=${r}), reward_funcs=f)\n`,
  ],
];

for (const [system, name, text] of LAUNCHES) {
  Deno.test(`rate_far names a hundred times the usual rate in ${system}, at one billion parameters as at seven`, () => {
    assert(isFar(text("Qwen/Qwen2.5-1.5B-Instruct", "1.0e-3"), system, name));
    assert(!isFar(text("Qwen/Qwen2.5-1.5B-Instruct", "5.0e-5"), system, name));
    assert(!isFar(text("trl-internal-testing/tiny-Qwen2ForCausalLM-2.5", "1.0e-3"), system, name), "a tiny model");
  });
}

Deno.test("rate_far hears the rate of a script's arguments that stand alone, at what even an adapter does not stand", () => {
  const script = (kind: string, rate: string, before = "") =>
    `from trl import ${kind}\n${before}args = ${kind}(output_dir="out", learning_rate=${rate}, num_train_epochs=1)\n`;
  for (const kind of ["GRPOConfig", "RLOOConfig", "DPOConfig"]) {
    assert(isFar(script(kind, "1e-3"), "trl", "train.py"), kind);
    assert(isFar(script(kind, "0.002"), "trl", "train.py"), kind);
    assert(!isFar(script(kind, "2e-4"), "trl", "train.py"), kind);
    const tiny = 'model = AutoModelForCausalLM.from_pretrained("trl-internal-testing/tiny-Qwen2")\n';
    assert(!isFar(script(kind, "1e-3", tiny), "trl", "train.py"), `${kind} of a tiny model`);
  }
  assert(!isFar(script("SFTConfig", "1e-3"), "trl", "train.py"), "an adapter on given texts");
});

Deno.test("rate_far leaves adapters, other optimizers and the critic their rates, and takes an unknown size for large", () => {
  const trl = LAUNCHES[0]![2]("Qwen/Qwen2.5-1.5B-Instruct", "2e-4").trim();
  assert(!isFar(`${trl} --use_peft\n`, "trl"));
  assert(isFar(`${trl}\n`, "trl"));
  assert(!isFar(`${trl} --optim adafactor\n`, "trl"));
  assert(!isFar(LAUNCHES[2]![2]("Qwen/Qwen2.5-1.5B", "1e-6").replace("9e-6", "1e-3"), "openrlhf"));
  assert(isFar(LAUNCHES[0]![2]("./my_model", "1e-3"), "trl"));
  assert(!isFar(LAUNCHES[0]![2]("./my_model", "2e-4"), "trl"));
});
