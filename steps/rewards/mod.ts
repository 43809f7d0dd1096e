/** The reward functions. User code in a file is the other kind: `user_code.ts`. @module */
import { exactMatch } from "./exact_match.ts";
import { format } from "./format.ts";
import { lengthPenalty } from "./length_penalty.ts";
import { numericMatch } from "./numeric_match.ts";
import { overlong } from "./overlong.ts";
import { regex } from "./regex.ts";
import { repetitionPenalty } from "./repetition_penalty.ts";
import type { Reward } from "./reward.ts";
import { rewardModel } from "./reward_model.ts";
import { verifier } from "./verifier.ts";
import { visualClassification } from "./visual/classification.ts";
import { visualConfidence } from "./visual/confidence.ts";
import { visualFormat } from "./visual/format.ts";
import { visualGiou } from "./visual/giou.ts";
import { visualGrounding } from "./visual/grounding.ts";
import { visualIou } from "./visual/iou.ts";
import { visualReasoningGrounding } from "./visual/reasoning_grounding.ts";

export const REWARDS = {
  verifier,
  exact_match: exactMatch,
  numeric_match: numericMatch,
  format,
  length_penalty: lengthPenalty,
  overlong,
  repetition_penalty: repetitionPenalty,
  regex,
  reward_model: rewardModel,
  "visual/iou": visualIou,
  "visual/confidence": visualConfidence,
  "visual/format": visualFormat,
  "visual/classification": visualClassification,
  "visual/giou": visualGiou,
  "visual/grounding": visualGrounding,
  "visual/reasoning_grounding": visualReasoningGrounding,
} as const satisfies Record<string, Reward>;

export type RewardName = keyof typeof REWARDS;

/** Earlier names of rewards. */
export const RENAMED: Readonly<Record<string, RewardName>> = {
  box_giou: "visual/giou",
  class_name: "visual/classification",
  detection_confidence: "visual/confidence",
  detection_iou: "visual/iou",
};
