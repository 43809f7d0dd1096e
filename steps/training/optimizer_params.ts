/** Options of the optimizer, the same in every step that trains. @module */
import { z } from "zod";
import type { AdamW } from "../../gpu/optimizers/adamw.ts";
import { learningRate, type Schedule, SCHEDULES } from "../../gpu/optimizers/schedules.ts";
import { withoutEffect } from "../options/without_effect.ts";

/** Schedules that end. */
const FALLING = Object.keys(SCHEDULES).filter((name) => name !== "constant").join(" or ");

export const OPTIMIZER_PARAMS = {
  learning_rate: z.number().min(0).describe("peak learning rate"),
  schedule: z.enum(Object.keys(SCHEDULES) as [Schedule, ...Schedule[]]).default("constant").describe(
    "how the learning rate falls after warm-up",
  ),
  schedule_updates: z.int().min(1).optional().describe("updates over which the schedule runs; needed unless constant"),
  schedule_floor: z.number().min(0).max(1).default(0).describe(
    "fraction of the peak to which the schedule falls (min_lr_ratio of verl and OpenRLHF)",
  ),
  warmup_updates: z.int().min(0).default(0).describe("updates over which the learning rate grows from 0"),
  weight_decay: z.number().min(0).default(0).describe("decoupled weight decay, on matrices only"),
  beta1: z.number().min(0).lt(1).default(0.9).describe("decay of the first moment"),
  beta2: z.number().min(0).lt(1).default(0.95).describe("decay of the second moment"),
  epsilon: z.number().positive().default(1e-8).describe("added to the root of the second moment"),
  max_grad_norm: z.number().positive().default(1).describe("largest global gradient norm"),
} as const;

export type OptimizerParams = z.output<z.ZodObject<typeof OPTIMIZER_PARAMS>>;

/** What is wrong with these options together. */
export function optimizerProblems({ schedule, schedule_updates, schedule_floor }: OptimizerParams): string[] {
  if (schedule === "constant" && (schedule_updates !== undefined || schedule_floor > 0)) {
    return withoutEffect(
      { schedule_updates, schedule_floor },
      OPTIMIZER_PARAMS,
      ["schedule_updates", "schedule_floor"],
      `schedule is constant, want ${FALLING}`,
    );
  }
  return schedule !== "constant" && schedule_updates === undefined
    ? [`Cannot follow schedule "${schedule}": schedule_updates is not set, want the number of updates it runs over`]
    : [];
}

/**
 * AdamW's options for update number `update`, from 1: warm-up reaches the peak at its last update, and no update of the
 * schedule is made at rate 0. transformers is one update behind with warm-up: it spends its first one on rate 0.
 */
export function adamwAt(given: OptimizerParams, update: number): AdamW {
  const shift = given.warmup_updates > 0 ? 1 : 0;
  const rate = learningRate(given.schedule, update - 1 + shift, {
    peak: given.learning_rate,
    updates: (given.schedule_updates ?? Number.MAX_SAFE_INTEGER) + shift,
    warmup: given.warmup_updates,
    floor: given.schedule_floor,
  });
  return {
    learningRate: rate,
    beta1: given.beta1,
    beta2: given.beta2,
    epsilon: given.epsilon,
    weightDecay: given.weight_decay,
    maxNorm: given.max_grad_norm,
  };
}
