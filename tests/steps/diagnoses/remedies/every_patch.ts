/** Every patch that a rule writes, with its cause; those of single checks too. @module */
import { DIAGNOSES } from "../../../../steps/diagnoses/mod.ts";
import { CLIPPED_REWARDS } from "../../../../steps/diagnoses/remedies/often.ts";
import type { Patch } from "../../../../steps/diagnoses/remedies/patch.ts";

type Remedy = readonly [cause: string, patches: readonly Patch[]];

export const EVERY_REMEDY: readonly Remedy[] = [
  ...Object.entries(DIAGNOSES).map(([cause, { remedy }]): Remedy => [cause, remedy]),
  ["invalid_reward_values of huge rewards", [CLIPPED_REWARDS]] as const,
].filter(([, remedy]) => remedy.length > 0);
