/** Each cause of pairs, weights and the machine is named from a post that shows it, and not from its twin. */
import assert from "node:assert/strict";
import { PAIR_PATTERNS } from "../../../../steps/diagnoses/told/pair_patterns.ts";
import { alarmsOf, type Pairs, testPatterns } from "./diagnosed.ts";

const log = (...records: readonly string[]) => `DPO, why is it so?\n\n${records.map((one) => `{${one}}`).join("\n")}\n`;

const POSTS: Pairs = {
  likelihood_displacement: [[
    "I train with DPO. rewards/chosen keeps falling, rewards/rejected falls even faster, and the answers got worse. Why?",
    "I train with DPO. rewards/chosen keeps falling, rewards/rejected falls even faster. Is it right?",
  ]],
  preference_margin_blowup: [
    [
      log(
        "'loss': 0.01, 'rewards/accuracies': 0.98, 'rewards/margins': 14.0",
        "'loss': 0.0001, 'rewards/accuracies': 1.0, 'rewards/margins': 63.0",
      ),
      log(
        "'loss': 0.61, 'rewards/accuracies': 0.68, 'rewards/margins': 0.3",
        "'loss': 0.48, 'rewards/accuracies': 0.77, 'rewards/margins': 0.9",
      ),
    ],
    [
      "DPO 训练，rewards/margins 一直上升，但是模型输出全是乱码，请问为什么？",
      "DPO 训练，rewards/margins 一直上升，模型输出正常，请问需要担心吗？",
    ],
    [
      "DPO: the loss quickly drops to 0 and the accuracy to 1, but the evaluation shows no improvement. Why?",
      "DPO: the loss quickly drops to 0 and the accuracy to 1, and the eval score improves. Is it right?",
    ],
  ],
  overfitting: [[
    "SFT : la perte baisse, mais la perte de validation augmente. Pourquoi ?",
    "SFT : la perte baisse, et la perte de validation baisse aussi. Est-ce bon ?",
  ]],
  invalid_config_value: [[
    "I train with DPO and beta=0.0. The loss does not move. Why?",
    "I train with DPO and beta=0.1. The loss does not move. Why?",
  ]],
  kto_vanilla_loss_nan: [[
    "KTO loss is nan, why?\n\n```\ndeepspeed train_kto.py \\\n  --micro_train_batch_size 2 \\\n  --vanilla_loss\n```\n",
    "KTO loss is nan, why?\n\n```\ndeepspeed train_kto.py \\\n  --micro_train_batch_size 2 \\\n  --packing_samples\n```\n",
  ]],
  broken_gradient_path: [[
    "LoRA 微调，grad_norm 一直是 0，保存的 adapter 权重没有任何变化，请问为什么？",
    "LoRA fine-tuning: grad_norm is 0, the adapter is unchanged, and there are 0 trainable parameters. Why?",
  ]],
  resource_stall: [[
    "My GRPO training hangs at step 40 and nothing is printed. Why?",
    "My GRPO training hangs at step 40 after the loss became NaN. Why?",
  ]],
};

testPatterns("PAIR_PATTERNS", PAIR_PATTERNS, POSTS);

Deno.test("overfitting is named of a training loss that drops at each epoch while the held-out loss rises", async () => {
  const drops = "SFT：训练 loss 每到一个新的 epoch 就骤降一截，eval_loss 却";
  assert.deepEqual(await alarmsOf(`${drops}稳定地往上升，怎么解决？`), ["overfitting"]);
  assert.deepEqual(await alarmsOf(`${drops}也在下降，正常吗？`), []);
});
