import assert from "node:assert/strict";
import { answerPost } from "../../../bench/posts/answer_post.ts";
import type { Cause } from "../../../../steps/diagnoses/mod.ts";
import { printedRecords, toldFinding, toldTooLittle } from "../../../../steps/diagnoses/told/told_finding.ts";
import { alarmsOf } from "./diagnosed.ts";
import { viewOfPost } from "./view_of_post.ts";

const HEAD = "Hi, I run GRPO, why is it so?\n\n";
const log = (records: number) =>
  Array.from({ length: records }, (_, i) => `{'loss': 0.01, 'reward': 0.${i + 1}, 'step': ${i + 1}}`).join("\n");
const BANGS = "The outputs are only exclamation marks.\n";

Deno.test("toldFinding() names a cause by symptoms that people tell, with the lines that say so", async () => {
  const found = toldFinding("old_logprob_nan", await viewOfPost(`${HEAD}${BANGS}\nThe KL is NaN from step 3 on.\n`));
  assert(found !== null);
  assert.match(found.message, /Log-probs turned NaN/);
  assert.deepEqual([...new Set(found.evidence.map(({ line }) => line))].sort(), [3, 5]);
  assert.deepEqual(found.trainSteps, [3]);
});

Deno.test("toldFinding() is silent of a symptom alone that shows something else, of a log, and beside ten records", async () => {
  assert.equal(toldFinding("old_logprob_nan", await viewOfPost(`${HEAD}The reward is stuck.\n`)), null);
  assert.equal(toldFinding("old_logprob_nan", await viewOfPost(`${BANGS}${log(3)}`, "run.log")), null);
  const beside = async (records: number) =>
    toldFinding("old_logprob_nan", await viewOfPost(`${HEAD}${BANGS}\n\`\`\`\n${log(records)}\n\`\`\`\n`));
  assert((await beside(9)) !== null);
  assert.equal(await beside(10), null);
});

Deno.test("toldFinding() is silent of what others have, and of another run", async () => {
  assert.equal(toldFinding("old_logprob_nan", await viewOfPost(`${HEAD}It is odd.\n\n**Reply 1:** ${BANGS}`)), null);
  assert.equal(
    toldFinding(
      "old_logprob_nan",
      await viewOfPost(`${HEAD}Without the flag the outputs are only exclamation marks.\n`),
    ),
    null,
  );
});

Deno.test("toldTooLittle() asks for a text and the scale where only a level is told", async () => {
  const zero = await viewOfPost(`${HEAD}The reward is always 0.\n`);
  assert.match(toldTooLittle("all_incorrect_reward_floor", zero)!.because, /all_incorrect_reward_floor/);
  assert.equal(toldTooLittle("kl_explosion", zero), null, "a level says it");
  const read = await viewOfPost(`${HEAD}The reward is always 0. The completions are readable.\n`);
  assert.equal(toldTooLittle("all_incorrect_reward_floor", read), null);
  const tied = await viewOfPost(`${HEAD}The reward is always 0, and the reward std is 0.\n`);
  assert.equal(toldTooLittle("all_incorrect_reward_floor", tied), null, "every completion has it");
  const printed = await viewOfPost(`${HEAD}The reward is 0.\n\n\`\`\`\n${log(2)}\n\`\`\`\n`);
  assert.equal(toldTooLittle("all_incorrect_reward_floor", printed), null);
});

Deno.test("answers without the template of training are held back, and SFT gets no advice on a KL", async () => {
  const sft = "I do SFT with LLaMA-Factory, eval_loss falls from 0.62 to 0.44. The completions repeat without end.";
  const trained = await viewOfPost(`${sft}\n`), bare = `${sft} At inference I do not apply the chat template.\n`;
  const found = toldFinding("repeated_token_degeneration", trained)!;
  assert.match(found.hint!, /template of training/);
  assert.deepEqual(found.remedy, []);
  assert.equal(toldTooLittle("repeated_token_degeneration", trained), null);
  assert.match(toldTooLittle("repeated_token_degeneration", await viewOfPost(bare))!.because, /template/);
  assert.deepEqual(await alarmsOf(bare), []);
  const zh =
    "用 LLaMA-Factory 做 SFT，eval_loss 从 0.62 降到 0.44，但是推理时模型不停地重复。推理时没有加 chat template。\n";
  assert.deepEqual(await alarmsOf(zh), []);
  const grpo = await viewOfPost(`${HEAD}The completions repeat without end.\n`);
  assert.equal(toldFinding("repeated_token_degeneration", grpo)!.hint, undefined);
});

Deno.test("toldFinding() proves by one quotation once", async () => {
  const found = toldFinding(
    "length_collapse",
    await viewOfPost(`${HEAD}Completion length collapses to 3 tokens after step 200 and the reward is stuck at 0.1.\n`),
  );
  assert.equal(found?.evidence.length, 1);
});

Deno.test("printedRecords() counts what a log prints, not what is told", async () => {
  assert.equal(printedRecords(await viewOfPost(`${HEAD}The reward is always 0.\n`)), 0);
  assert.equal(printedRecords(await viewOfPost(`${HEAD}The KL is always 0.\n\n\`\`\`\n${log(4)}\n\`\`\`\n`)), 4);
});

Deno.test("a cause of a course begins where it shows, with what shows it", async () => {
  const rows = [[20, 0.003, 0.41], [40, 0.008, 0.45], [60, 0.02, 0.47], [80, 0.09, 0.46], [100, 1.7, 0.31], [
    120,
    24,
    0.08,
  ], [140, 188, 0.02]];
  const table = ["| step | kl | reward |", "|---|---|---|", ...rows.map((row) => `| ${row.join(" | ")} |`)].join("\n");
  const view = await viewOfPost(`GRPO, lr=5e-5. Why does it break?\n\n${table}\n`);
  const { trainSteps, evidence } = toldFinding("learning_rate_too_high", view)!;
  assert.deepEqual(trainSteps, [100, 120, 140]);
  assert(["learning_rate", "kl", "reward"].every((name) => evidence.some((row) => row.name === name)));
});

const UNPAID = (answer: string) =>
  `GRPO with TRL, reward is 0 all the time, reward_std 0.\n\nA completion looks like this:\n\n\`\`\`\n12 + 30 = 42. The answer is \\boxed{42}.\n\`\`\`\n\nGround truth: ${answer}\n`;

Deno.test("a right answer beside a reward of 0 is the parser's, a wrong one is not", async () => {
  assert.deepEqual(await alarmsOf(UNPAID("42")), ["reward_parser_mismatch"]);
  assert.deepEqual(await alarmsOf(UNPAID("43")), ["all_incorrect_reward_floor"]);
});

/** What is told is enough for a cause; a sentence behind it that tells it from what looks the same takes it back. */
const LOOK_ALIKES = [
  [
    "zero_reward_variance",
    "GRPO: The reward std is zero and grad_norm is 0.",
    "The completions of a group are identical.",
  ],
  [
    "zero_reward_variance",
    "GRPO: The reward std is zero and grad_norm is 0.",
    "All completions are cut off at the length limit.",
  ],
  ["reward_collapse", "GRPO: The gradient explodes and the reward falls.", "The KL explodes."],
  ["reward_collapse", "GRPO: The reward collapses after step 80.", "The eval accuracy rises."],
  ["entropy_collapse", "GRPO: The entropy collapses and the reward does not improve.", "The eval accuracy rises."],
  [
    "all_incorrect_reward_floor",
    "GRPO: The reward is always 0. The completions are readable.",
    "The outputs repeat one phrase over and over.",
  ],
  [
    "reward_parser_mismatch",
    "GRPO: The reward is always 0. The answers are correct.",
    "All completions are cut off at the length limit.",
  ],
  ["rollout_trainer_mismatch", "GRPO: The log-probs of vLLM differ from the trainer's.", "The log-probs are NaN."],
  ["reward_imbalance", "GRPO: The reward rises. The accuracy reward stays at 0.", "The KL explodes."],
  [
    "learning_plateau",
    "GRPO: The reward rose to 0.6. Since then the reward is stuck.",
    "The completions get longer and longer.",
  ],
  ["flat_reward_no_learning", "GRPO: The reward does not improve. The KL is 0.05.", "The entropy collapses."],
  ["gradient_spikes", "GRPO: The grad_norm has spikes, and the reward does not improve.", "The loss becomes NaN."],
  [
    "length_inflation",
    "GRPO: The completions get longer and longer. The eval accuracy does not improve.",
    "All completions are cut off at the length limit.",
  ],
  [
    "length_inflation",
    "GRPO: The completions get longer and longer. The eval accuracy does not improve.",
    "The gradient is 0.",
  ],
  ["reward_imbalance", "GRPO: The reward rises. The accuracy reward stays at 0.", "The eval score improves."],
  [
    "length_collapse",
    "GRPO: The completion length keeps shrinking and the reward does not improve.",
    "The completions are empty.",
  ],
  ["garbled_generation", "GRPO: The completions are gibberish and the reward is always 0.", "The log-probs are NaN."],
  [
    "repeated_token_degeneration",
    "GRPO: The outputs repeat one phrase over and over.",
    "The completions of a group are identical.",
  ],
  [
    "mode_collapse",
    "GRPO: The model gives the same answer for every prompt.",
    "The outputs are only exclamation marks.",
  ],
  [
    "truncated_completions",
    "GRPO: All completions are cut off at the length limit and the reward is always 0.",
    "The KL is NaN.",
  ],
  ["resource_stall", "GRPO: The training hangs.", "The loss is NaN."],
  [
    "fp16_overflow",
    "GRPO with fp16=True: the loss becomes NaN.",
    "{'loss': nan, 'reward': 0.1}\n{'loss': nan, 'reward': 0.1}",
  ],
  [
    "zero_reward_variance",
    "GRPO: The reward std is 0. The reward is 0.4.",
    "All completions are cut off at the length limit.",
  ],
  ["update_too_small", "GRPO with learning_rate=1e-9: The reward does not improve.", "The grad_norm is 0."],
  ["training_divergence", "SFT: The loss rises.", "The validation loss rises."],
  [
    "greedy_sampling",
    "GRPO: The completions of a group are identical. The loss is always 0.",
    "The entropy collapses.",
  ],
  ["garbled_generation", "GRPO: The outputs are gibberish from the very first step.", "The loss is NaN."],
  ["forgetting", "SFT: The model forgot what it could do before.", "The outputs repeat one phrase over and over."],
  ["learning_rate_zero", "SFT: The learning rate is always 0.", "The loss falls."],
  ["kl_nan_isolated", "GRPO: The KL is NaN. The loss is 0.2.", "The grad_norm is NaN."],
  ["broken_gradient_path", "SFT: The grad_norm is always 0.", "The loss is always 0."],
  ["broken_gradient_path", "LoRA: The adapter is unchanged.", "The learning rate is always 0."],
  ["resource_stall", "GRPO: Train steps take longer and longer.", "The loss is NaN."],
  ["resource_stall", "GRPO: The process is killed by the OOM killer.", "The loss is NaN."],
  ["entropy_collapse", "GRPO: The entropy is 0.01 and completions get longer and longer.", "The reward rises."],
  [
    "likelihood_displacement",
    "DPO: rewards/chosen keeps falling, rewards/rejected falls even faster. The answers got worse.",
    "The answers are readable.",
  ],
  [
    "likelihood_displacement",
    "DPO: rewards/chosen keeps falling. The margin rises. The answers got worse.",
    "The answers are readable.",
  ],
  ["broken_gradient_path", "GRPO: The grad_norm is 0. The adapter is unchanged.", "The reward is always 0."],
  [
    "broken_gradient_path",
    "GRPO with freeze_vision_tower=True: The grad_norm is 0.",
    "The completions of a group are identical.",
  ],
  [
    "flipped_preference_labels",
    "RewardTrainer. At step 600: accuracy 0.5, loss 0.693, grad_norm 1.4.",
    "Chosen and rejected are identical.",
  ],
  ["non_finite_weights", "SFT: The weights are NaN.", "The loss falls."],
  ["non_finite_weights", "SFT: The grad_norm is NaN. The loss is 0.", "The log-probs are NaN."],
] as const satisfies readonly (readonly [Cause, string, string])[];

for (const [cause, told, beside] of LOOK_ALIKES) {
  Deno.test(`toldFinding() names ${cause} of "${told}", and not beside "${beside}"`, async () => {
    assert.notEqual(toldFinding(cause, await viewOfPost(`${told}\n`)), null);
    assert.equal(toldFinding(cause, await viewOfPost(`${told}\n\n${beside}\n`)), null);
  });
}

Deno.test("a log of a few records that lie far apart is read as people tell a course, one of neighbours is not", async () => {
  const rows = [[0.31, 0.01], [0.45, 0.01], [0.38, 0.09], [0.11, 5.2], [0.02, 9.1]];
  const log = (apart: number) =>
    rows.map(([reward, kl], i) => `step ${apart * (i + 1)} reward ${reward} kl ${kl}\n`).join("");
  assert.deepEqual((await answerPost("run.log", log(100))).causes[0], "kl_explosion");
  assert.deepEqual((await answerPost("run.log", log(1))).verdict, "benign");
});

const SOUND = [
  "GRPO step 300: reward and KL are 0.7 and 0.03.",
  "GRPO: reward mean and std are 0.6 and 0.2 at step 300.",
  "DPO: chosen and rejected rewards are 0.5 and -1.2, accuracy 0.78.",
  "PPO with OpenRLHF. At step 200, reward and value loss are 1.8 and 0.2, KL is 0.03.",
  "SFT with TRL: train and eval accuracy are 0.95 and 0.85.",
  "GRPO with verl. At step 200 the reward and the entropy are 0.81 and 0.35; reward was 0.2 at step 1.",
  "GRPO with TRL. After 300 steps the reward is at 0.45 and the KL at 0.03.",
  "GRPO results after 300 steps: reward 0.45, KL 0.02.",
  "GRPO mit TRL: nach 300 Schritten liegt der Reward bei 0,45 und die KL bei 0,03.",
  "GRPO: everything fine so far: after 1,200 steps the reward is 0.81, the KL 0.02.",
  "GRPO: reward is 0.3 after 100 steps and 0.7 after 400 steps, KL 0.02",
  "The KL divergence of the policy is computed at every step with the k3 estimator. PPO with OpenRLHF.",
  "SFT. At every step we log the KL divergence to the base model, the loss and the grad norm; loss 1.2.",
  "GRPO: la divergencia KL queda en 0,045 y la pérdida es -0,003",
  "GRPO: Mode collapse, reward collapse and divergence are measured at each step.",
];
const BROKEN: readonly (readonly [post: string, cause: string])[] = [
  ["GRPO: after 300 steps the reward is 0.12, down from 0.71 at step 100.", "reward_collapse"],
  ["GRPO: the policy diverges after 300 steps and the reward falls to 0. Why?", "reward_collapse"],
  ["GRPO with TRL: the reward rises from 0.12 to 0.68 in 400 steps, the KL is 1105 at the end.", "kl_explosion"],
];

Deno.test("numbers side by side, a time that is reached and names of metrics are no alarm", async () => {
  for (const post of SOUND) assert.deepEqual((await answerPost("post.md", `${post}\n`)).causes, [], post);
  for (const [post, cause] of BROKEN) assert.equal((await answerPost("post.md", `${post}\n`)).causes[0], cause, post);
});

Deno.test("a test that a supervised run loses is what it has forgotten, and no reward", async () => {
  const of = async (text: string) => (await answerPost("post.md", `${text}\n`)).causes[0];
  assert.equal(
    await of("After SFT on our medical data GSM8K fell from 55 to 12 and MMLU from 61 to 38."),
    "forgetting",
  );
  assert.equal(await of("PPO with verl. AIME 2024 goes from 53.3% to 36.7% after training. Why?"), "reward_collapse");
  assert.equal(await of("SFT: GSM8K rose from 12 to 55."), undefined);
});
