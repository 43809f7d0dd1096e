/** The advantage estimators. @module */
import type { Advantage } from "./advantage.ts";
import { drGrpo } from "./dr_grpo.ts";
import { gae } from "./gae.ts";
import { gdpo } from "./gdpo.ts";
import { gpg } from "./gpg.ts";
import { grpo } from "./grpo.ts";
import { grpoPassk } from "./grpo_passk.ts";
import { opo } from "./opo.ts";
import { optimalTokenBaseline } from "./optimal_token_baseline.ts";
import { reinforcePlusPlus } from "./reinforce_plus_plus.ts";
import { remax } from "./remax.ts";
import { rloo } from "./rloo.ts";

export type { Advantage } from "./advantage.ts";

export const ADVANTAGES = {
  grpo,
  dr_grpo: drGrpo,
  grpo_passk: grpoPassk,
  gdpo,
  rloo,
  reinforce_plus_plus: reinforcePlusPlus,
  remax,
  opo,
  gpg,
  optimal_token_baseline: optimalTokenBaseline,
  gae,
} as const satisfies Record<string, Advantage>;

export type AdvantageName = keyof typeof ADVANTAGES;
