/** The topics of goldens: which formulas of other systems are ours, one file each. @module */
import type { FormulaTopic, TorchTopic } from "./topic.ts";
import { klControllers } from "./topics/kl_controllers.ts";
import { trlAdvantages } from "./topics/trl_advantages.ts";
import { trlGrpoLosses } from "./topics/trl_grpo_losses.ts";
import { valueLoss } from "./topics/value_loss.ts";
import { verlRolloutCorrection } from "./topics/verl_rollout_correction.ts";

export const FORMULA_TOPICS = {
  kl_controllers: klControllers,
  trl_advantages: trlAdvantages,
  trl_grpo_losses: trlGrpoLosses,
  value_loss: valueLoss,
  verl_rollout_correction: verlRolloutCorrection,
} as const satisfies Record<string, FormulaTopic>;

export const TORCH_TOPICS = {} as const satisfies Record<string, TorchTopic>;
