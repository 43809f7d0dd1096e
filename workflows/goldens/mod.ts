/** The topics of goldens: which formulas of other systems are ours, one file each. @module */
import type { FormulaTopic, TorchTopic } from "./topic.ts";
import { chatTemplate } from "./topics/chat_template.ts";
import { clipGradNorm } from "./topics/clip_grad_norm.ts";
import { forward } from "./topics/forward.ts";
import { klControllers } from "./topics/kl_controllers.ts";
import { klEstimates } from "./topics/kl_estimates.ts";
import {
  openrlhfAdvantages,
  openrlhfNormalize,
  openrlhfReturns,
  openrlhfTokenRewards,
} from "./topics/openrlhf_advantages.ts";
import { openrlhfKlLoss, openrlhfPolicyLoss } from "./topics/openrlhf_policy_loss.ts";
import { openrlhfPreferences } from "./topics/openrlhf_preferences.ts";
import { optimizers } from "./topics/optimizers.ts";
import { sampling } from "./topics/sampling.ts";
import { schedules } from "./topics/schedules.ts";
import { tokenization } from "./topics/tokenization.ts";
import { trainGrpo } from "./topics/train_grpo.ts";
import { trainKtoDpo } from "./topics/train_kto_dpo.ts";
import { trainReward } from "./topics/train_reward.ts";
import { trainSft } from "./topics/train_sft.ts";
import { trlAdaptiveEntropy } from "./topics/trl_adaptive_entropy.ts";
import { trlAdvantages } from "./topics/trl_advantages.ts";
import { trlDpo } from "./topics/trl_dpo.ts";
import { trlConfig } from "./topics/trl_config.ts";
import { trlGroups } from "./topics/trl_groups.ts";
import { trlGrpoLosses } from "./topics/trl_grpo_losses.ts";
import { trlKto } from "./topics/trl_kto.ts";
import { trlRlooLoss } from "./topics/trl_rloo_loss.ts";
import { trlVllm } from "./topics/trl_vllm.ts";
import { valueLoss } from "./topics/value_loss.ts";
import { verlAdvantages, verlWhitening } from "./topics/verl_advantages.ts";
import { verlKlPenalty } from "./topics/verl_kl_penalty.ts";
import { verlPolicyLosses } from "./topics/verl_policy_losses.ts";
import { verlRolloutCorrection } from "./topics/verl_rollout_correction.ts";
import { visualRftRewards } from "./topics/visual_rft_rewards.ts";

export const FORMULA_TOPICS = {
  kl_controllers: klControllers,
  kl_estimates: klEstimates,
  openrlhf_advantages: openrlhfAdvantages,
  openrlhf_normalize: openrlhfNormalize,
  openrlhf_kl_loss: openrlhfKlLoss,
  openrlhf_policy_loss: openrlhfPolicyLoss,
  openrlhf_preferences: openrlhfPreferences,
  openrlhf_returns: openrlhfReturns,
  openrlhf_token_rewards: openrlhfTokenRewards,
  trl_adaptive_entropy: trlAdaptiveEntropy,
  trl_advantages: trlAdvantages,
  trl_dpo: trlDpo,
  trl_config: trlConfig,
  trl_groups: trlGroups,
  trl_grpo_losses: trlGrpoLosses,
  trl_kto: trlKto,
  trl_rloo_loss: trlRlooLoss,
  trl_vllm: trlVllm,
  value_loss: valueLoss,
  verl_advantages: verlAdvantages,
  verl_kl_penalty: verlKlPenalty,
  verl_policy_losses: verlPolicyLosses,
  verl_rollout_correction: verlRolloutCorrection,
  verl_whitening: verlWhitening,
  visual_rft_rewards: visualRftRewards,
} as const satisfies Record<string, FormulaTopic>;

export const TORCH_TOPICS = {
  chat_template: chatTemplate,
  clip_grad_norm: clipGradNorm,
  forward,
  optimizers,
  sampling,
  schedules,
  tokenization,
  train_grpo: trainGrpo,
  train_kto_dpo: trainKtoDpo,
  train_reward: trainReward,
  train_sft: trainSft,
} as const satisfies Record<string, TorchTopic>;
