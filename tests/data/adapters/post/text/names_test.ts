import assert from "node:assert/strict";
import { Intake } from "../../../../../data/adapters/intake/intake.ts";
import { readNames } from "../../../../../data/adapters/post/text/names.ts";

function named(...lines: string[]) {
  const intake = new Intake();
  for (const line of lines) readNames(intake, line);
  return { systems: [...intake.marks.keys()], algorithms: Object.fromEntries(intake.spoken) };
}

for (
  const [line, system] of [
    ["I use TRL 0.15 here", "trl"],
    ["GRPOTrainer gives me nothing", "trl"],
    ["用 verl 训练", "verl"],
    ["with OpenRLHF and ray", "openrlhf"],
    ["ms-swift の学習", "ms-swift"],
    ["LLaMA-Factory で", "llamafactory"],
    ["unsloth notebook", "unsloth"],
    ["Visual-RFT on my data", "visual-rft"],
    ["VLM-R1 的结果", "vlm-r1"],
    ["NeMo-RL job", "nemo-rl"],
  ] as const
) {
  Deno.test(`readNames() knows ${system} by "${line}"`, () => assert(named(line).systems.includes(system)));
}

Deno.test("readNames() counts algorithms; the first one named twice, a stage before it half", () => {
  assert.deepEqual(named("GRPO run", "DPO").algorithms, { grpo: 2, dpo: 1 });
  assert.deepEqual(named("after SFT I run GRPO").algorithms, { grpo: 2, sft: 0.5 });
  assert.deepEqual(named("I run GRPO on an SFT checkpoint").algorithms, { grpo: 2, sft: 0.5 });
  assert.deepEqual(named("微调").algorithms, { sft: 2 });
  assert.deepEqual(named("examples/summarize_rlhf: I train this reward model").algorithms, { sft: 3.8 });
  assert.deepEqual(named("GRPO", "with GRPO I train the policy; before, I trained a reward model").algorithms, {
    grpo: 3,
    sft: 1.9,
  });
});

Deno.test("readNames() takes no metric, option or program of verl for the algorithm", () => {
  for (
    const line of [
      "step:80 - actor/ppo_kl:0.000 - actor/pg_loss:0.000",
      "actor_rollout_ref.actor.ppo_mini_batch_size=64",
      "python3 -m verl.trainer.main_ppo",
    ]
  ) assert.deepEqual(named(line).algorithms, {}, line);
  assert.deepEqual(named("PPO/GRPO with verl, ppo-max").algorithms, { grpo: 2, ppo: 1 });
});

Deno.test("readNames() finds no name within a word", () => {
  assert.deepEqual(named("control overload verlicht softer kdposx supporter"), { systems: [], algorithms: {} });
});

Deno.test("readNames() takes a project that trains on rewards alone for such a run", () => {
  assert(Object.keys(named("I reproduce DeepScaleR").algorithms).includes("grpo"));
});
