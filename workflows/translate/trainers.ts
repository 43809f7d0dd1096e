/** Which table and which steps a trainer of another system is here. @module */
import { KTO_LEAST, rowBatch } from "./given_rows.ts";
import {
  LLAMAFACTORY_DPO,
  LLAMAFACTORY_KTO,
  LLAMAFACTORY_PPO,
  LLAMAFACTORY_PPO_FIXED,
  LLAMAFACTORY_RM,
  LLAMAFACTORY_SFT,
  llamafactoryBatch,
  otherPairLoss,
} from "./llamafactory.ts";
import { SWIFT_DPO, SWIFT_GRPO, SWIFT_KTO, SWIFT_RM, SWIFT_SFT, swiftBatch, swiftRows } from "./ms_swift.ts";
import {
  OPENRLHF_DPO,
  OPENRLHF_DPO_FIXED,
  OPENRLHF_KTO,
  OPENRLHF_KTO_FIXED,
  OPENRLHF_RM,
  OPENRLHF_SFT,
} from "./openrlhf_given.ts";
import { OPENRLHF_PPO, openrlhfBatch } from "./openrlhf_ppo.ts";
import { R1V_BATCH, R1V_FIXED, R1V_GRPO, R1V_NOTES } from "./r1_v.ts";
import type { Rules, Settings, Table } from "./table.ts";
import { batchSettings } from "./trl_batch.ts";
import { TRL_GRPO } from "./trl_grpo.ts";
import { DPO_FIXED, KTO_FIXED, TRL_DPO, TRL_KTO } from "./trl_preferences.ts";
import { TRL_RLOO } from "./trl_rloo.ts";
import { REWARD_FIXED, SFT_FIXED, TRL_REWARD, TRL_SFT } from "./trl_supervised.ts";
import { VERL_FIXED, VERL_PPO, verlBatch } from "./verl.ts";
import { type VisualBatch, visualBatch } from "./visual_grpo.ts";
import { RFT_BATCH, RFT_CLASSIFICATION, RFT_DETECTION, RFT_FIXED, RFT_GROUNDING } from "./visual_rft.ts";
import { VLM_BATCH, VLM_FIXED, VLM_JSONL, VLM_NOTES, VLM_REC } from "./vlm_r1.ts";
import type { ForeignSystem, Written } from "./written.ts";

/** The steps that a kind of training is made of. */
export type Shape = "rollout" | "preferences" | "supervised" | "reward_model";

export interface Trainer extends Rules {
  readonly shape: Shape;
  /** As its people call it. */
  readonly name: string;
  /** The method that its options ask for and that is not here; null where it is. */
  readonly elsewhere?: (options: readonly Written[]) => string | null;
  /** What it does besides its options, one sentence each. */
  readonly notes?: readonly string[];
}

/** An entry script with images. */
function visual(name: string, table: Table, fixed: Settings, batch: VisualBatch): Trainer {
  return { name, shape: "rollout", table, fixed, base: visualBatch(batch) };
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
        "apply_update.preset": "trl/rloo",
      },
      base: batchSettings,
    },
    dpo: {
      name: "DPOTrainer",
      shape: "preferences",
      table: TRL_DPO,
      fixed: DPO_FIXED,
      base: rowBatch("train_preferences", 8),
    },
    kto: {
      name: "KTOTrainer",
      shape: "preferences",
      table: TRL_KTO,
      fixed: KTO_FIXED,
      base: rowBatch("train_preferences", 8, 1, KTO_LEAST),
    },
    sft: { name: "SFTTrainer", shape: "supervised", table: TRL_SFT, fixed: SFT_FIXED, base: rowBatch("fine_tune", 8) },
    reward: {
      name: "RewardTrainer",
      shape: "reward_model",
      table: TRL_REWARD,
      fixed: REWARD_FIXED,
      base: rowBatch("train_reward_model", 8),
    },
  },
  verl: { ppo: { name: "main_ppo", shape: "rollout", table: VERL_PPO, fixed: VERL_FIXED, base: verlBatch } },
  openrlhf: {
    ppo: { name: "train_ppo_ray", shape: "rollout", table: OPENRLHF_PPO, base: openrlhfBatch },
    dpo: { name: "train_dpo", shape: "preferences", table: OPENRLHF_DPO, fixed: OPENRLHF_DPO_FIXED },
    kto: { name: "train_kto", shape: "preferences", table: OPENRLHF_KTO, fixed: OPENRLHF_KTO_FIXED },
    sft: { name: "train_sft", shape: "supervised", table: OPENRLHF_SFT, fixed: SFT_FIXED },
    reward: { name: "train_rm", shape: "reward_model", table: OPENRLHF_RM, fixed: REWARD_FIXED },
  },
  "ms-swift": {
    grpo: {
      name: "rlhf --rlhf_type grpo",
      shape: "rollout",
      table: SWIFT_GRPO,
      base: swiftBatch,
    },
    dpo: {
      name: "rlhf --rlhf_type dpo",
      shape: "preferences",
      table: SWIFT_DPO,
      fixed: DPO_FIXED,
      base: swiftRows("train_preferences"),
    },
    kto: {
      name: "rlhf --rlhf_type kto",
      shape: "preferences",
      table: SWIFT_KTO,
      fixed: KTO_FIXED,
      base: swiftRows("train_preferences", KTO_LEAST),
    },
    reward: {
      name: "rlhf --rlhf_type rm",
      shape: "reward_model",
      table: SWIFT_RM,
      fixed: REWARD_FIXED,
      base: swiftRows("train_reward_model"),
    },
    sft: { name: "sft", shape: "supervised", table: SWIFT_SFT, fixed: SFT_FIXED, base: swiftRows("fine_tune") },
  },
  llamafactory: {
    dpo: {
      name: "stage dpo",
      shape: "preferences",
      table: LLAMAFACTORY_DPO,
      elsewhere: otherPairLoss,
      fixed: DPO_FIXED,
      base: rowBatch("train_preferences", 8),
    },
    kto: {
      name: "stage kto",
      shape: "preferences",
      table: LLAMAFACTORY_KTO,
      fixed: { ...KTO_FIXED, "train_preferences.loss": "kto" },
      base: rowBatch("train_preferences", 8, 1, KTO_LEAST),
    },
    ppo: {
      name: "stage ppo",
      shape: "rollout",
      table: LLAMAFACTORY_PPO,
      fixed: LLAMAFACTORY_PPO_FIXED,
      base: llamafactoryBatch,
    },
    reward: {
      name: "stage rm",
      shape: "reward_model",
      table: LLAMAFACTORY_RM,
      fixed: REWARD_FIXED,
      base: rowBatch("train_reward_model", 8),
    },
    sft: {
      name: "stage sft",
      shape: "supervised",
      table: LLAMAFACTORY_SFT,
      fixed: SFT_FIXED,
      base: rowBatch("fine_tune", 8),
    },
  },
  "visual-rft": {
    grpo: visual("grpo.py", RFT_DETECTION, RFT_FIXED.grpo, RFT_BATCH),
    grpo_classification: visual(
      "grpo_classification.py",
      RFT_CLASSIFICATION,
      RFT_FIXED.grpo_classification,
      RFT_BATCH,
    ),
    grpo_lisa: visual("grpo_lisa.py", RFT_GROUNDING, RFT_FIXED.grpo_lisa, RFT_BATCH),
  },
  "vlm-r1": {
    grpo_rec: { ...visual("grpo_rec.py", VLM_REC, VLM_FIXED.grpo_rec, VLM_BATCH), notes: VLM_NOTES },
    grpo_jsonl: { ...visual("grpo_jsonl.py", VLM_JSONL, VLM_FIXED.grpo_jsonl, VLM_BATCH), notes: VLM_NOTES },
  },
  "r1-v-family": { grpo: { ...visual("grpo.py", R1V_GRPO, R1V_FIXED, R1V_BATCH), notes: R1V_NOTES } },
};
