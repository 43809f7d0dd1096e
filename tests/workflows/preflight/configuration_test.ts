/** Configurations of other systems: what is wrong, where, and what a configuration does not tell. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { checkConfiguration, type CheckedConfiguration } from "../../../workflows/preflight/configuration.ts";

/** Checks a text as a file of that name. */
async function check(name: string, text: string): Promise<CheckedConfiguration> {
  const folder = Deno.makeTempDirSync({ prefix: "nonzero_configuration_" });
  try {
    Deno.writeTextFileSync(join(folder, name), text);
    const [found] = await checkConfiguration([join(folder, name)]);
    return found!;
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

const messages = ({ problems }: CheckedConfiguration) => problems.map(({ message }) => message).join("\n");
const alarms = ({ problems }: CheckedConfiguration) => problems.filter(({ severity }) => severity !== "info");

const TRL = `model_name_or_path: Qwen/Qwen2-0.5B
learning_rate: 1.0e-6
num_generations: 8
temperature: 1.0
beta: 0.04
per_device_train_batch_size: 8
`;
const VERL = (more: string) =>
  `python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo \\
    data.train_batch_size=1024 actor_rollout_ref.rollout.n=8 \\
    actor_rollout_ref.rollout.temperature=1.0 actor_rollout_ref.actor.optim.lr=1e-6 \\
    ${more} $@
`;
const KTO = (batch: number) =>
  `python kto.py --model_name_or_path=x --per_device_train_batch_size ${batch} --learning_rate=5e-7 --beta 0.1\n`;

const CASES: readonly { what: string; file: string; fires: string; says: RegExp; line: number; silent: string }[] = [
  {
    what: "a learning rate that PyYAML reads as text",
    file: "grpo.yaml",
    fires: TRL.replace("1.0e-6", "1e-6"),
    says: /learning_rate "1e-6" is no number/,
    line: 2,
    silent: TRL,
  },
  {
    what: "a key set twice",
    file: "grpo.yaml",
    fires: `${TRL}beta: 0.1\n`,
    says: /beta is set twice/,
    line: 5,
    silent: `${TRL}beta: 0.04\n`,
  },
  {
    what: "a misspelt key",
    file: "grpo.yaml",
    fires: TRL.replace("learning_rate", "learing_rate"),
    says: /unknown key "learing_rate"; did you mean "learning_rate"\?/,
    line: 2,
    silent: `${TRL}learning_rate_end: 0.0\nnum_generations_eval: 2\n`,
  },
  {
    what: "near-greedy sampling",
    file: "grpo.yaml",
    fires: TRL.replace("temperature: 1.0", "temperature: 0.01"),
    says: /near-greedy: temperature 0.01/,
    line: 4,
    silent: TRL.replace("temperature: 1.0", "temperature: 0.6"),
  },
  {
    what: "a KTO micro-batch of one",
    file: "kto.sh",
    fires: KTO(1),
    says: /KTO needs a micro-batch above 1/,
    line: 1,
    silent: KTO(4),
  },
  {
    what: "a group of one",
    file: "run.sh",
    fires: VERL("").replace("rollout.n=8", "rollout.n=1"),
    says: /rollout\.n is 1: one completion has nothing to be compared with/,
    line: 2,
    silent: VERL("").replace("grpo", "reinforce_plus_plus").replace("rollout.n=8", "rollout.n=1"),
  },
  {
    what: "KL that is computed and not used",
    file: "run.sh",
    fires: VERL("actor_rollout_ref.actor.use_kl_loss=True actor_rollout_ref.actor.kl_loss_coef=0.0"),
    says: /use_kl_loss is on and .*kl_loss_coef is 0/,
    line: 4,
    silent: VERL("actor_rollout_ref.actor.use_kl_loss=True actor_rollout_ref.actor.kl_loss_coef=0.001"),
  },
  {
    what: "KL that is charged twice",
    file: "run.sh",
    fires: VERL("actor_rollout_ref.actor.use_kl_loss=True algorithm.use_kl_in_reward=True"),
    says: /KL is charged twice/,
    line: 4,
    silent: VERL("actor_rollout_ref.actor.use_kl_loss=True algorithm.use_kl_in_reward=False"),
  },
  {
    what: "an engine that is too short",
    file: "run.sh",
    fires: VERL(
      "data.max_prompt_length=512 data.max_response_length=1024 actor_rollout_ref.rollout.max_model_len=1024",
    ),
    says: /need 1536, and actor_rollout_ref\.rollout\.max_model_len is 1024/,
    line: 4,
    silent: VERL(
      "data.max_prompt_length=512 data.max_response_length=1024 actor_rollout_ref.rollout.max_model_len=1536",
    ),
  },
  {
    what: "a minibatch larger than the batch",
    file: "run.sh",
    fires: VERL("actor_rollout_ref.actor.ppo_mini_batch_size=2048"),
    says: /ppo_mini_batch_size 2048 is larger than data\.train_batch_size 1024/,
    line: 4,
    silent: VERL("actor_rollout_ref.actor.ppo_mini_batch_size=256"),
  },
];

for (const { what, file, fires, says, line, silent } of CASES) {
  Deno.test(`checkConfiguration() finds ${what}, with its place, and is silent on its look-alike`, async () => {
    const found = await check(file, fires);
    const hit = found.problems.find(({ message }) => says.test(message));
    assert(hit !== undefined, messages(found));
    assert.equal(hit.line, line);
    assert(hit.column >= 1 && hit.file.endsWith(file));
    assert.equal(found.examined.diagnosis.verdict, "faulty");
    const other = await check(file, silent);
    assert.deepEqual(alarms(other), [], messages(other));
    assert.equal(other.examined.diagnosis.verdict, "benign");
  });
}

Deno.test("checkConfiguration() says what a configuration does not tell", async () => {
  const lora = await check("grpo.yaml", `${TRL}lora_target_modules: [q_proj]\n`);
  assert.deepEqual(lora.cannotTell, [
    "whether lora_target_modules matches anything: cannot tell without the model",
    "whether the batch holds whole groups: cannot tell without the number of processes",
  ]);
  assert.deepEqual(
    (await check("kto.sh", KTO(4))).cannotTell[0],
    "whether both classes occur: cannot tell without the data",
  );
});

Deno.test("checkConfiguration() asks for the sampling of the model's folder of trainers that sample alone", async () => {
  const told = async (command: string) =>
    (await check("run.sh", `${command} --model_name_or_path m --beta 0.1\n`)).cannotTell.join("\n");
  for (const trainer of ["sft", "dpo", "kto", "reward"]) {
    assert.doesNotMatch(await told(`trl ${trainer}`), /generation_config/, trainer);
  }
  for (const trainer of ["grpo", "online_dpo"]) {
    assert.match(await told(`trl ${trainer}`), /generation_config/, trainer);
  }
});

Deno.test("whether a batch holds whole groups is not told without the processes, in each system that asks for it", async () => {
  const options = "--num_generations 6 --per_device_train_batch_size 4 --gradient_accumulation_steps 2";
  const swift = `swift rlhf --rlhf_type grpo --model m --dataset a --reward_funcs accuracy ${options}\n`;
  const trl = `trl grpo --model_name_or_path m --dataset_name a --reward_funcs accuracy_reward ${options}\n`;
  const said = async (text: string) => {
    const { cannotTell, problems } = await check("run.sh", text);
    return [cannotTell.some((line) => line.startsWith("whether the batch holds whole groups")), problems.length > 0];
  };
  for (const text of [swift, trl]) assert.deepEqual(await said(text), [true, false], text);
  assert.deepEqual(await said(`NPROC_PER_NODE=3 ${swift}`), [false, false]);
  assert.deepEqual(await said(`NPROC_PER_NODE=4 ${swift}`), [false, true]);
  assert.deepEqual(await said(swift.replace("rlhf --rlhf_type grpo", "sft").replace(/--reward.*/, "")), [false, false]);
});

Deno.test("a number that the environment, a loop or the program alone knows is told as not told, no other is", async () => {
  const told = async (name: string, text: string) =>
    (await check(name, text)).cannotTell.filter((line) => /cannot tell what/.test(line));
  const command = (rate: string) => `python -m trl.scripts.grpo --learning_rate ${rate} --num_generations 8\n`;
  assert.deepEqual(await told("run.sh", command("1e-6")), []);
  assert.match((await told("run.sh", command("$LR"))).join(), /^--learning_rate: cannot tell what \$LR is/);
  const loop = `lr=0\nfor lr in $RATES; do\n${command("$lr")}done\n`;
  assert.match((await told("run.sh", loop)).join(), /^--learning_rate: cannot tell what \$lr is/);
  assert.equal((await check("run.sh", loop)).problems.length, 0);
  assert.deepEqual(await told("run.sh", `lr=1e-6\n${command("$lr")}`), []);
});

Deno.test("every problem has a rule, and one mistake is one problem", async () => {
  const command = (more: string) => `python grpo.py --model_name_or_path m --num_generations 8 ${more}\n`;
  const rules = async (more: string) => (await check("run.sh", command(more))).problems.map(({ rule }) => rule);
  assert.deepEqual(await rules("--learning_rate 0"), ["rate_zero"]);
  assert.deepEqual(await rules("--learning_rate 1e-6 --max_grad_norm 1e-7"), ["crushed_gradient"]);
  assert.deepEqual(await rules("--learning_rate 1e-6"), []);
});

Deno.test("a value that is nested deeper than it is read is told, with its line", async () => {
  const nested = (depth: number) => `${TRL}extra: ${"[".repeat(depth)}0${"]".repeat(depth)}\n`;
  const told = async (depth: number) =>
    (await check("grpo.yaml", nested(depth))).cannotTell.filter((line) => /nested deeper/.test(line));
  assert.match((await told(40)).join(), /^line 7: a value at column \d+, nested deeper than 30 is not read$/);
  assert.deepEqual(await told(2), []);
});

Deno.test("every round of a loop is judged, by rules and by diagnoses, and said once", async () => {
  const loop = (values: string, option = "learning_rate") =>
    `for x in ${values}; do\n  python -m trl.scripts.grpo --${option} $x --num_generations 8 --model_name_or_path m\ndone\n`;
  const rules = async (text: string) => (await check("run.sh", text)).problems.map(({ rule }) => rule);
  assert.deepEqual(await rules(loop("0 1e-6")), ["rate_zero"]);
  assert.deepEqual(await rules(loop("1e-6 0")), ["rate_zero"]);
  assert.deepEqual(await rules(loop("0.9 1.2", "top_p")), ["number_out_of_range"]);
  assert.deepEqual(await rules(loop("1e-6 2e-6")), []);
});
