import assert from "node:assert/strict";
import { nameInfo } from "../../../../data/adapters/intake/name_info.ts";

for (
  const [printed, column, mapped] of [
    ["train/loss", "loss", true],
    ["eval_reward", "reward", true],
    ["rewards/format_reward", "reward.format_reward", true],
    ["rewards/format_reward/mean", "reward.format_reward", true],
    ["rewards / format_reward / std", "reward_std.format_reward", true],
    ["rewards/chosen", "chosen_reward", true],
    ["Training Loss", "loss", true],
    ["val-core/openai/gsm8k/acc/mean@1", "openai/gsm8k/accuracy", true],
    ["eval/gsm8k/accuracy", "gsm8k/accuracy", true],
    ["eval_rewards/format_reward/mean", "reward.format_reward", true],
    ["eval_gsm8k_reward", "gsm8k_reward", false],
    ["critic/math_acc/mean", "reward.math_acc", true],
    ["critic/math_acc/std", "reward_std.math_acc", true],
    ["critic/advantages/max", "advantage_max", true],
    ["critic/rewards/std", "critic/rewards/std", false],
    ["reward_extra/xml_format/mean", "reward.xml_format", true],
    ["correctness_reward_func", "reward.correctness_reward_func", true],
    ["format_reward", "reward.format_reward", true],
    ["max_reward", "max_reward", false],
    ["rollout_mean_reward", "rollout_mean_reward", false],
    ["val/ratio", "ratio_mean", true],
    ["actor/lr(1e-4)", "learning_rate", true],
    ["Total rewards mean", "reward", true],
    ["zero_spread_fraction", "zero_spread_fraction", true],
    ["my/own/metric", "my/own/metric", false],
    ["__proto__", "__proto__", false],
    ["constructor", "constructor", false],
  ] as const
) {
  Deno.test(`nameInfo("${printed}") is column ${column}`, () => {
    const info = nameInfo(printed);
    assert.deepEqual([info.column, info.mapped], [column, mapped]);
  });
}

Deno.test("nameInfo() tells steps, evaluations and options apart", () => {
  assert(nameInfo("training/global_step").isStep);
  assert(!nameInfo("step_time").isStep);
  assert(nameInfo("eval_loss").isEval && !nameInfo("loss").isEval);
  assert(!nameInfo("val/ratio").isEval);
  assert(nameInfo("num_generations").isOption && !nameInfo("grad_norm").isOption);
  assert(nameInfo("grad_norm").isStrong && !nameInfo("learning_rate").isStrong);
});
