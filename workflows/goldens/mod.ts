/** The topics of goldens: which formulas of other systems are ours, one file each. @module */
import type { FormulaTopic, TorchTopic } from "./topic.ts";
import { trlAdvantages } from "./topics/trl_advantages.ts";
import { trlGrpoLosses } from "./topics/trl_grpo_losses.ts";

export const FORMULA_TOPICS = {
  trl_advantages: trlAdvantages,
  trl_grpo_losses: trlGrpoLosses,
} as const satisfies Record<string, FormulaTopic>;

export const TORCH_TOPICS = {} as const satisfies Record<string, TorchTopic>;
