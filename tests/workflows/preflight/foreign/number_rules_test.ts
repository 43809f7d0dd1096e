/** Numbers at their bounds, in the options of several systems and forms. */
import assert from "node:assert/strict";
import { checkConfiguration } from "../../../../workflows/preflight/configuration.ts";
import { FOREIGN_RULES } from "../../../../workflows/preflight/foreign/mod.ts";
import { NUMBER_RULES } from "../../../../workflows/preflight/foreign/number_rules.ts";
import { launchesOf } from "../../../../workflows/preflight/foreign/read_launch.ts";
import type { Hit } from "../../../../workflows/preflight/foreign/rule.ts";
import { testRules } from "./cases.ts";

testRules(NUMBER_RULES);

/** What both rules say of a text, with the change as it is written there. */
function said(path: string, text: string): string {
  return launchesOf(path, text).flatMap((launch) =>
    (["no_number", "number_out_of_range"] as const).flatMap((rule) => {
      const entry = FOREIGN_RULES[rule]!;
      const hits = "check" in entry ? entry.check(launch) as Hit[] : [];
      return hits.map(({ message, change, severity }) =>
        `${severity ?? entry.severity} ${message} -> ${change.map((one) => launch.written(one)).join(" ")}`
      );
    })
  ).join("\n");
}

const trl = (option: string) => said("run.sh", `python grpo.py --num_processes 1 --model_name_or_path m ${option}\n`);
const verl = (option: string) =>
  said("run.sh", `python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo ${option}\n`);
const R = "actor_rollout_ref.rollout.", A = "actor_rollout_ref.actor.";

const TRL: readonly (readonly [wrong: string, says: RegExp, right: string])[] = [
  [
    "--learning_rate -1e-6",
    /error .*is -1e-6, want a number of at least 0.*-> --learning_rate 1\.0e-6$/,
    "--learning_rate 1e-6",
  ],
  ["--learning_rate nan", /"nan" is no number/, "--learning_rate $LR"],
  ["--learning_rate", /has no value/, "--learning_rate 2e-6"],
  ["--temperature 0,7", /"0,7" is no number.*-> --temperature 0\.7$/, "--temperature 0.7"],
  ["--top_p 1.5", /want a number above 0 and at most 1.*-> --top_p 1$/, "--top_p 1"],
  ["--top_p 0", /is 0, want a number above 0/, "--top_p 0.001"],
  ["--epsilon -0.2", /is -0\.2, want/, "--epsilon 0"],
  ["--epsilon 20", /^warning .*no ratio falls by more than 1.*-> --epsilon 0\.2$/, "--epsilon 1"],
  ["--beta -0.04", /is -0\.04, want/, "--beta 0"],
  ["--weight_decay -0.1", /is -0\.1, want/, "--weight_decay 0"],
  ["--gradient_accumulation_steps 0", /a whole number of at least 1/, "--gradient_accumulation_steps 1"],
  ["--adam_beta2 1.0", /below 1.*-> --adam_beta2 0\.999$/, "--adam_beta2 0.999"],
  [
    "--num_generations 8.0",
    /is 8\.0, want a whole number in digits alone.*-> --num_generations 8$/,
    "--num_generations 8",
  ],
  ["--num_generations 7.5", /want a whole number/, "--num_generations 7"],
  ["--num_generations 1e308", /want a whole number/, "--num_generations 1"],
  ["--warmup_ratio 10%", /"10%" is no number.*-> --warmup_ratio 0\.1$/, "--warmup_ratio 0.1"],
  [
    "--vllm_gpu_memory_utilization 90",
    /above 0 and at most 1.*-> --vllm_gpu_memory_utilization 0\.9$/,
    "--vllm_gpu_memory_utilization 0.9",
  ],
  ["--max_steps -2", /of at least -1/, "--max_steps -1"],
];

for (const [wrong, says, right] of TRL) {
  Deno.test(`the rules on numbers name ${wrong}, and not ${right}`, () => {
    assert.match(trl(wrong), says);
    assert.equal(trl(right), "");
  });
}

const VERL: readonly (readonly [wrong: string, right: string])[] = [
  [`${A}optim.lr=-1e-06`, `${A}optim.lr=1e-06`],
  [`${A}kl_loss_coef=-0.001`, `${A}kl_loss_coef=0.001`],
  [`${R}top_p=1.2`, `${R}top_p=1.0`],
  [`${R}gpu_memory_utilization=95`, `${R}gpu_memory_utilization=0.95`],
  [`${R}n=0`, `${R}n=8`],
  ["critic.optim.lr=-1e-5", "critic.optim.lr=1e-5"],
  ["algorithm.gamma=1.01", "algorithm.gamma=1.0"],
  [`${A}clip_ratio_low=10 ${A}policy_loss.loss_mode=vanilla`, `${A}clip_ratio_low=10 ${A}policy_loss.loss_mode=cispo`],
  ["data.max_response_length=0", "data.max_response_length=null"],
];

for (const [wrong, right] of VERL) {
  Deno.test(`the rules on numbers name ${wrong} of verl, and not ${right}`, () => {
    assert.match(verl(wrong), /want|bounds nothing/);
    assert.equal(verl(right), "");
  });
}

Deno.test("a list, a table, a truth value and a text in quotes are no number in a JSON", () => {
  const json = (beta: string) =>
    said(
      "run.json",
      `{\n "model_name_or_path": "m",\n "num_generations": 8,\n "beta": ${beta},\n "learning_rate": 1e-6\n}`,
    );
  assert.match(json("true"), /beta true is no number/);
  assert.match(json('{ "a": 1 }'), /beta \{a: 1\} is no number/);
  assert.match(json('"0.04"'), /^warning beta "0\.04" is no number.*-> beta: 0\.04$/);
  assert.equal(json("0.04"), "");
  assert.equal(json("null"), "");
  assert.match(
    said("run.json", '{\n "num_generations": 8,\n "learning_rate": [1e-6]\n}'),
    /learning_rate \[.*\] is no number/,
  );
});

Deno.test("lists are taken where an option has two bounds, and words where a program fills them in", () => {
  const openrlhf = (option: string) => said("run.sh", `python -m openrlhf.cli.train_ppo_ray --pretrain m ${option}\n`);
  assert.equal(openrlhf("--eps_clip_low_high 0.2 0.28"), "");
  assert.match(openrlhf("--eps_clip_low_high -0.2 0.28"), /want/);
  assert.equal(openrlhf("--lora_rank 0"), "");
  assert.equal(trl("--per_device_train_batch_size auto"), "");
});

Deno.test("a program's numbers are judged by their values, not by how they are written", () => {
  const script = (size: string) =>
    said(
      "a.py",
      `from trl import GRPOConfig, GRPOTrainer\na = GRPOConfig(num_generations=${size})\nGRPOTrainer(args=a)\n`,
    );
  assert.equal(script("4 * 2"), "");
  assert.equal(script("size"), "");
  assert.match(script("4 - 4"), /num_generations is 0/);
});

Deno.test("of numbers that are impossible nothing is computed, and each is said once", async () => {
  const folder = Deno.makeTempDirSync({ prefix: "nonzero_numbers_" });
  try {
    Deno.writeTextFileSync(
      `${folder}/run.sh`,
      "accelerate launch --num_processes 4 grpo.py --model_name_or_path m --learning_rate 1e-6 --num_generations 1e308 " +
        "--per_device_train_batch_size 1e308\n",
    );
    const [{ problems }] = await checkConfiguration([`${folder}/run.sh`]) as [
      Awaited<ReturnType<typeof checkConfiguration>>[0],
    ];
    const all = problems.map(({ rule, change }) => `${rule}: ${change}`);
    assert.deepEqual(all, [
      "number_out_of_range: --num_generations 8",
      "number_out_of_range: --per_device_train_batch_size 8",
    ]);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
