/** The reward functions. User code in a file is the other kind: `user_code.ts`. @module */
import { boxGiou } from "./box_giou.ts";
import { className } from "./class_name.ts";
import { detectionConfidence } from "./detection_confidence.ts";
import { detectionIou } from "./detection_iou.ts";
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

export const REWARDS = {
  verifier,
  exact_match: exactMatch,
  numeric_match: numericMatch,
  format,
  length_penalty: lengthPenalty,
  overlong,
  repetition_penalty: repetitionPenalty,
  regex,
  box_giou: boxGiou,
  class_name: className,
  detection_confidence: detectionConfidence,
  detection_iou: detectionIou,
  reward_model: rewardModel,
} as const satisfies Record<string, Reward>;

export type RewardName = keyof typeof REWARDS;
