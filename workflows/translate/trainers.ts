/** Which table and which steps a trainer of another system is here. @module */
import { OPENRLHF_PPO, openrlhfBatch } from "./openrlhf_ppo.ts";
import type { Rules } from "./table.ts";
import { batchSettings } from "./trl_batch.ts";
import { TRL_GRPO } from "./trl_grpo.ts";
import { TRL_RLOO } from "./trl_rloo.ts";
import { VERL_PPO, verlBatch } from "./verl.ts";
import type { ForeignSystem } from "./written.ts";

/** The steps that a kind of training is made of. */
export type Shape = "rollout" | "preferences" | "supervised" | "reward_model";

export interface Trainer extends Rules {
  readonly shape: Shape;
  /** As its people call it. */
  readonly name: string;
}

export const TRAINERS: Readonly<Record<ForeignSystem, Readonly<Record<string, Trainer>>>> = {
  trl: {
    grpo: {
      name: "GRPOTrainer",
      shape: "rollout",
      table: TRL_GRPO,
      fixed: { "compute_advantages.preset": "trl/grpo" },
      base: batchSettings,
    },
    rloo: {
      name: "RLOOTrainer",
      shape: "rollout",
      table: TRL_RLOO,
      fixed: {
        "compute_advantages.preset": "trl/rloo",
        "apply_update.ratio_level": "sequence_sum",
        "apply_update.aggregation": "sequence_mean",
      },
      base: batchSettings,
    },
  },
  verl: { ppo: { name: "main_ppo", shape: "rollout", table: VERL_PPO, base: verlBatch } },
  openrlhf: {
    ppo: { name: "train_ppo_ray", shape: "rollout", table: OPENRLHF_PPO, base: openrlhfBatch },
  },
  "ms-swift": {},
  llamafactory: {},
};
