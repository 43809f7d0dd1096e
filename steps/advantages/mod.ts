/** The advantage estimators. @module */
import type { Advantage } from "./advantage.ts";
import { grpo } from "./grpo.ts";
import { reinforcePlusPlus } from "./reinforce_plus_plus.ts";
import { rloo } from "./rloo.ts";

export type { Advantage } from "./advantage.ts";

export const ADVANTAGES = {
  grpo,
  rloo,
  reinforce_plus_plus: reinforcePlusPlus,
} as const satisfies Record<string, Advantage>;

export type AdvantageName = keyof typeof ADVANTAGES;
