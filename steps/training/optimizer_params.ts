/** Options of the optimizer, the same in every step that trains. @module */
import { z } from "zod";
import type { AdamW } from "../../gpu/optimizers/adamw.ts";
import { CURVES, learningRate, type Schedule, SCHEDULES, type ScheduleShape } from "../../gpu/optimizers/schedules.ts";
import { OPTIMIZER_STATES } from "../../gpu/optimizers/moments.ts";
import { withoutEffect } from "../options/without_effect.ts";

const curve = z.enum(Object.keys(CURVES) as [keyof typeof CURVES, ...(keyof typeof CURVES)[]]);

export const OPTIMIZER_PARAMS = {
  optimizer: z.enum(["adamw", "adam", "sgd"]).default("adamw").describe(
    "how gradients move weights, as in torch: adam and sgd add the weight decay to the gradient",
  ),
  learning_rate: z.number().min(0).describe("peak learning rate"),
  schedule: z.enum(Object.keys(SCHEDULES) as [Schedule, ...Schedule[]]).default("constant").describe(
    "how the learning rate falls after warm-up, as in transformers",
  ),
  schedule_updates: z.int().min(1).optional().describe(
    "updates over which the schedule runs; needed by all that end",
  ),
  schedule_floor: z.number().min(0).max(1).default(0).describe(
    "linear, cosine, polynomial, warmup_stable_decay: fraction of the peak to which the rate falls (min_lr_ratio of verl " +
      "and OpenRLHF)",
  ),
  schedule_cycles: z.number().positive().optional().describe(
    "cosine and warmup_stable_decay 0.5, cosine_with_restarts 1: cycles of the cosine",
  ),
  schedule_power: z.number().positive().default(1).describe("polynomial: exponent of what is left"),
  schedule_timescale: z.number().positive().optional().describe(
    "inverse_sqrt: updates until 1/√2 of the peak; the warm-up, or 10000 without one",
  ),
  schedule_decay_updates: z.int().min(1).optional().describe(
    "warmup_stable_decay: updates at the end in which it falls",
  ),
  schedule_decay_curve: curve.default("cosine").describe("warmup_stable_decay: how it falls"),
  warmup_curve: curve.default("linear").describe("warmup_stable_decay: how the rate grows"),
  warmup_updates: z.int().min(0).default(0).describe("updates over which the learning rate grows from 0"),
  weight_decay: z.number().min(0).default(0).describe("weight decay, on matrices only; decoupled with adamw"),
  beta1: z.number().min(0).lt(1).default(0.9).describe("decay of the first moment"),
  beta2: z.number().min(0).lt(1).default(0.95).describe("decay of the second moment"),
  epsilon: z.number().positive().default(1e-8).describe("added to the root of the second moment"),
  momentum: z.number().min(0).lt(1).default(0).describe("sgd: share of the last step that the next one keeps"),
  nesterov: z.boolean().default(false).describe("sgd with momentum: look ahead by one step of it"),
  optimizer_state: z.enum(OPTIMIZER_STATES).default("float32").describe(
    "how moments are stored: float32, 8 bytes per parameter, or int8, in blocks of 256 with a scale each, 2 bytes",
  ),
  max_grad_norm: z.number().positive().default(1).describe("largest global gradient norm"),
} as const;

export type OptimizerParams = z.output<z.ZodObject<typeof OPTIMIZER_PARAMS>>;

/** The option that says a part of a schedule's shape. */
const SHAPE_OPTIONS = {
  cycles: "schedule_cycles",
  floor: "schedule_floor",
  power: "schedule_power",
  timescale: "schedule_timescale",
  decayUpdates: "schedule_decay_updates",
  decayCurve: "schedule_decay_curve",
  warmupCurve: "warmup_curve",
} as const satisfies Record<keyof ScheduleShape, keyof OptimizerParams>;

type ShapePart = keyof ScheduleShape;
const PARTS = Object.keys(SHAPE_OPTIONS) as ShapePart[];

/** The schedules that read a part of the shape. */
const readersOf = (part: ShapePart) =>
  Object.entries(SCHEDULES).filter(([, { reads }]) => (reads as readonly ShapePart[]).includes(part)).map(([name]) =>
    name
  );
const ENDING = Object.entries(SCHEDULES).filter(([, entry]) => !("endless" in entry)).map(([name]) => name);

/** What is wrong with these options together. */
export function optimizerProblems(given: OptimizerParams): string[] {
  const { schedule, schedule_updates, schedule_decay_updates } = given, { reads } = SCHEDULES[schedule];
  const all = given as Readonly<Record<keyof OptimizerParams, unknown>>;
  const idle = (names: readonly (keyof OptimizerParams)[], wanted: readonly string[]) =>
    withoutEffect(all, OPTIMIZER_PARAMS, names, `schedule is ${schedule}, want ${wanted.join(" or ")}`);
  const unread = PARTS.filter((part) => !(reads as readonly ShapePart[]).includes(part))
    .flatMap((part) => idle([SHAPE_OPTIONS[part]], readersOf(part)));
  const moved = optimizerIdle(given);
  if (!ENDING.includes(schedule)) return [...idle(["schedule_updates"], ENDING), ...unread, ...moved];
  const lacks = (option: string, what: string) =>
    `Cannot follow schedule "${schedule}": ${option} is not set, want the number of updates ${what}`;
  return [
    ...(schedule_updates === undefined ? [lacks("schedule_updates", "it runs over")] : []),
    ...((reads as readonly ShapePart[]).includes("decayUpdates") && schedule_decay_updates === undefined
      ? [lacks("schedule_decay_updates", "in which it falls")]
      : []),
    ...unread,
    ...moved,
  ];
}

/** Options of another optimizer than the one that is set. */
function optimizerIdle(given: OptimizerParams): string[] {
  const { optimizer, momentum } = given;
  if (optimizer !== "sgd") {
    return withoutEffect(given, OPTIMIZER_PARAMS, ["momentum", "nesterov"], `optimizer is ${optimizer}, want sgd`);
  }
  return [
    ...withoutEffect(given, OPTIMIZER_PARAMS, ["beta1", "beta2", "epsilon"], "optimizer is sgd, want adamw or adam"),
    ...(momentum === 0 ? withoutEffect(given, OPTIMIZER_PARAMS, ["nesterov"], "momentum is 0, want more") : []),
  ];
}

const shapeOf = (given: OptimizerParams) =>
  Object.fromEntries(PARTS.map((part) => [part, given[SHAPE_OPTIONS[part]]])) as ScheduleShape;

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
    shape: shapeOf(given),
  });
  return {
    ...ruleOf(given),
    learningRate: rate,
    beta1: given.beta1,
    beta2: given.beta2,
    epsilon: given.epsilon,
    weightDecay: given.weight_decay,
    maxNorm: given.max_grad_norm,
  };
}

/** Nothing for AdamW, which is what an update is without a rule. */
function ruleOf({ optimizer, momentum, nesterov }: OptimizerParams): Pick<AdamW, "rule" | "momentum"> {
  if (optimizer === "adamw") return {};
  return optimizer === "adam" ? { rule: "adam" } : { rule: nesterov ? "sgd_nesterov" : "sgd", momentum };
}
