/** A complaint that is firm is what the run is called; a bare cry, a complaint that numbers answer, and what explains it are not. */
import assert from "node:assert/strict";
import { diagnoseRun } from "../../../../steps/diagnoses/diagnose_run.ts";
import { complaintFinding, COMPLAINTS } from "../../../../steps/diagnoses/told/complaints.ts";
import { alarmsOf } from "./diagnosed.ts";
import { viewOfPost } from "./view_of_post.ts";

/** Posts whose complaint is the one of that place in COMPLAINTS, and posts that look like it. */
const POSTS: readonly { readonly told: readonly string[]; readonly silent: readonly string[] }[] = [
  {
    told: [
      "GRPO, in the later stage: lr=0, grad_norm=NaN, kl=NaN. Should I stop the run?",
      "GRPO：训练后期 kl 变成 nan，grad_norm 也是 nan，请问怎么办？",
      "GRPO: at step 90 entropy and loss turn NaN.",
      "GRPO: grad_norm is NaN from step 40 on.",
    ],
    silent: [
      "GRPO: is it a problem if the KL is NaN?",
      "GRPO without beta runs fine. With beta the loss would be NaN.",
    ],
  },
  {
    told: [
      "Val and training loss NaN.\n\n```bash\nmlx_lm.lora --model a/b --train --batch-size 4 --num-layers 16\n```\n",
      "DPO train loss nan\n\n{'loss': nan, 'learning_rate': 1e-8}\n",
      "SFT：几步之后 loss 就变成 nan 了，lr 已经很小，从第 3 步开始就这样。",
      "GRPO: the loss is NaN after step 40, in every run.",
      "GRPO : à partir du pas 40 la perte est NaN à chaque fois.",
    ],
    silent: [
      "My loss is NaN, what can it be? I use a custom dataset.",
      "KTO: from step 3 on the loss is NaN, batch size 4, lr 1e-6. Why?",
    ],
  },
  {
    told: ["SFT with LoRA: from step 40 on grad_norm is NaN. I tried three seeds."],
    silent: ["SFT: grad_norm is sometimes nan, and the loss falls from 2.1 to 0.9 after 300 steps."],
  },
  {
    told: ["SFT: val loss nan at iteration 1, with `--iters 5`. Why?"],
    silent: ["SFT: val loss nan at iteration 400. Why?", "SFT: the val loss is nan. Why?"],
  },
  {
    told: ["PPO with TRL: the KL is negative all the time, from the very first step."],
    silent: [
      "PPO with TRL: the KL is negative now and then, is it a problem?",
      "PPO with TRL: the KL is negative at step 40. Is it a problem?",
    ],
  },
  {
    told: ["GRPO 训练出现熵坍塌，从第 80 步开始，lr 1e-6。"],
    silent: ["GRPO: how do I avoid entropy collapse?", "GRPO: entropy falls from 1.2 to 1.1 over 300 steps."],
  },
  {
    told: ["GRPO: at step 120 the KL explodes. What should I change?"],
    silent: ["GRPO: how do I keep the KL from exploding?"],
  },
  {
    told: [
      "Sudden drop in reward during GRPO training. Nothing was changed.",
      "GRPO: from step 60 on the reward falls.",
    ],
    silent: ["GRPO: the reward falls from 0.60 at step 10 to 0.58 at step 300.", "SFT: the reward falls. Why?"],
  },
  {
    told: ["GRPO training collapses after 200 steps, every time."],
    silent: ["Does GRPO training often collapse?"],
  },
  {
    told: ["全量 SFT 训练到第 500 步就会训崩，换成 LoRA 就正常。"],
    silent: ["SFT：怎么避免训崩？"],
  },
  {
    told: [
      "PPO 训练，第一次推理的样例里就有很多乱码。\n\n--rollout_batch_size 32 --lora_rank 8 --actor_learning_rate 4e-7\n",
    ],
    silent: ["How do I keep the outputs of PPO from being garbage?", "GRPO: the outputs are garbage. Why?"],
  },
  {
    told: ["GRPO: loss and grad_norm are 0 all the time, why?\n\n> The advantages are zero in your run.\n"],
    silent: [
      "GRPO: loss and grad_norm are 0 all the time, why?\n\n> Same here.\n",
      "GRPO: why are groups dropped?\n\n> The advantages are zero in your run.\n",
    ],
  },
  {
    told: [
      "用 longlora 微调，eval_loss 不断上升",
      "Fine-tuning over 40 epochs: it is best at epoch 6, then the eval_loss rises.",
      "Das Modell hat seinen Höhepunkt bei Epoche 6, danach steigt der eval_loss. Fine-Tuning über 40 Epochen.",
    ],
    silent: [
      "Fine-tuning: eval_loss rose at step 100 and fell again.",
      "Fine-tuning: my eval_loss rises. Is the data bad?",
    ],
  },
  {
    told: [
      "PPO on math: the reward is always -5, across all steps.",
      "GRPO で報酬がずっと -1 のままです。",
      "Bei GRPO ist der Reward in jedem Schritt -1.",
    ],
    silent: ["GRPO: a wrong answer gets -1, a right one 1.", "PPO: the reward of the first step is -5, then it rises."],
  },
  {
    told: ["GRPO: the accuracy reward is always 1, from the first step on."],
    silent: ["GRPO: the accuracy reward is 1 at step 900.", "GRPO: the accuracy reward is always 0.5."],
  },
  {
    told: ["GRPO 训练全程 format reward 都是 0，用的 Qwen3-VL-Instruct"],
    silent: ["GRPO: the format reward rises.", "GRPO: is it bad if the format reward is 0?"],
  },
];

for (const [i, { told, silent }] of POSTS.entries()) {
  const { cause, message } = COMPLAINTS[i]!;
  Deno.test(`a complaint that is firm is ${cause} (${message}), and its twin is not`, async () => {
    for (const post of told) {
      const found = complaintFinding(await viewOfPost(post));
      assert.equal(found?.result.message, `${message}, as it is told`, post);
      assert.equal((await alarmsOf(post))[0], cause, post);
    }
    for (const post of silent) assert.equal(complaintFinding(await viewOfPost(post)), null, post);
  });
}

Deno.test("each complaint has its posts", () => assert.equal(POSTS.length, COMPLAINTS.length));

Deno.test("a complaint is named only where no rule says why", async () => {
  const post =
    "GRPO: the loss turns NaN after 40 steps.\n\n```bash\npython grpo.py --fp16 true --learning_rate 1e-6 --beta 0.1\n```\n";
  assert.deepEqual(await alarmsOf(post), ["fp16_overflow"]);
});

Deno.test("a complaint says what it rests on, as a claim, with the line and the first train step", async () => {
  const { findings, verdict, differential } = diagnoseRun(
    await viewOfPost("Hi,\n\nGRPO: from step 60 on the KL explodes."),
  );
  assert.equal(verdict, "faulty");
  assert.deepEqual(findings[0]!.train_steps, [60]);
  assert.deepEqual(findings[0]!.evidence.map(({ line, note }) => [line, note]), [[3, "a claim"]]);
  assert(findings[0]!.confirm !== undefined);
  const [first, second] = differential;
  assert.equal(first!.cause, "kl_explosion");
  assert.equal(second!.cause, "learning_rate_too_high", "what looks the same stays possible");
  assert(first!.probability < 0.8 && second!.probability > 0.1, "words alone are not sure");
});

Deno.test("nothing is named after words alone where an answer says that it is as it should be", async () => {
  for (const post of ["DPO 训练，loss 没有下降反上升，请问为什么？", "GRPO: from step 60 on the reward falls. Why?"]) {
    assert.notDeepEqual(await alarmsOf(post), [], post);
    for (const answer of ["优化方向就是让正例的目标函数上升，这没有错。", "This is expected behavior."]) {
      assert.deepEqual(await alarmsOf(`${post}\n\n**maintainer** replied: ${answer}\n`), [], answer);
    }
    assert.notDeepEqual(await alarmsOf(`${post}\n\n**user2** replied: same here.\n`), [], post);
    // What is normal by now was not.
    assert.notDeepEqual(await alarmsOf(`${post}\n\n> 正常了\n`), [], post);
  }
});
