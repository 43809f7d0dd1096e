/** Every kind of fault that a workflow can inject, by its name in `faults`. @module */
import type { Fault } from "./fault.ts";
import { ADAPTER_FAULTS } from "./adapters.ts";
import { ADVANTAGE_FAULTS } from "./advantages.ts";
import { CRITIC_FAULTS } from "./critic.ts";
import { DATA_FAULTS } from "./data.ts";
import { PREFERENCE_FAULTS } from "./preferences.ts";
import { REFERENCE_FAULTS } from "./reference.ts";
import { REWARD_FAULTS } from "./rewards.ts";
import { SAMPLING_FAULTS } from "./sampling.ts";
import { SUPERVISED_FAULTS } from "./supervised.ts";
import { UPDATE_FAULTS } from "./update.ts";
import { WEIGHT_FAULTS } from "./weights.ts";

export const FAULTS = {
  ...DATA_FAULTS,
  ...SAMPLING_FAULTS,
  ...REWARD_FAULTS,
  ...ADVANTAGE_FAULTS,
  ...UPDATE_FAULTS,
  ...WEIGHT_FAULTS,
  ...ADAPTER_FAULTS,
  ...REFERENCE_FAULTS,
  ...SUPERVISED_FAULTS,
  ...PREFERENCE_FAULTS,
  ...CRITIC_FAULTS,
  // deno-lint-ignore no-explicit-any
} as const satisfies Record<string, Fault<any>>;

export type FaultName = keyof typeof FAULTS;
