/** What other systems call an estimator, as our settings of it: the numbers in which they differ. @module */
import type { Advantage } from "./advantage.ts";
import { type AdvantageName, ADVANTAGES } from "./mod.ts";

/** An estimator with options of its own and of `compute_advantages`. */
interface AdvantagePreset {
  readonly estimator: AdvantageName;
  readonly kl_per_token?: boolean;
  readonly kl_bound?: number;
  readonly shaped_clip?: readonly [number, number];
  readonly [option: string]: unknown;
}

/** verl gives a lonely completion its reward; its eps is 1e-6. */
const VERL = { eps: 1e-6, group_of_one: "reward" } as const;
/** OpenRLHF clips what was compared to ±10, then takes the KL, bounded to ±10, off each token. */
const OPENRLHF = { kl_per_token: true, kl_bound: 10, shaped_clip: [-10, 10] } as const;
const BIASED = { variance: "biased", gamma: 1 } as const;

export const ADVANTAGE_PRESETS = {
  "trl/grpo": { estimator: "grpo", scale: "group", eps: 1e-4, group_of_one: "zero" },
  "trl/gdpo": { estimator: "gdpo", finish: "batch", eps: 1e-4, group_of_one: "zero" },
  "trl/rloo": { estimator: "rloo", normalize: false, eps: 1e-4, group_of_one: "zero" },
  "verl/grpo": { estimator: "grpo", scale: "group", ...VERL },
  "verl/grpo_vectorized": { estimator: "grpo", scale: "group", ...VERL },
  "verl/grpo_passk": { estimator: "grpo_passk", eps: 1e-6 },
  "verl/gdpo": { estimator: "gdpo", finish: "tokens", ...VERL },
  "verl/rloo": { estimator: "rloo", group_of_one: "reward" },
  "verl/rloo_vectorized": { estimator: "rloo", group_of_one: "zero" },
  "verl/opo": { estimator: "opo", group_of_one: "reward" },
  "verl/gpg": { estimator: "gpg", group_of_one: "reward" },
  "verl/reinforce_plus_plus": { estimator: "reinforce_plus_plus", gaps: "skip", kl_per_token: true },
  "verl/reinforce_plus_plus_baseline": { estimator: "reinforce_plus_plus", baseline: true, group_of_one: "reward" },
  "verl/remax": { estimator: "remax", kl_per_token: true },
  "verl/optimal_token_baseline": { estimator: "optimal_token_baseline", kl_per_token: true },
  "verl/tir_optimal_token_baseline": {
    estimator: "optimal_token_baseline",
    positions: "counted",
    kl_per_token: true,
  },
  "verl/gae": { estimator: "gae", kl_per_token: true },
  "openrlhf/group_norm": { estimator: "grpo", scale: "group", eps: 1e-9, ...OPENRLHF },
  "openrlhf/dr_grpo": { estimator: "dr_grpo", group_of_one: "zero", ...OPENRLHF },
  "openrlhf/rloo": { estimator: "rloo", ...OPENRLHF },
  "openrlhf/reinforce": { estimator: "reinforce_plus_plus", ...BIASED, ...OPENRLHF },
  "openrlhf/reinforce_baseline": {
    estimator: "reinforce_plus_plus",
    baseline: true,
    group_of_one: "zero",
    ...BIASED,
    ...OPENRLHF,
  },
  "openrlhf/gae": { estimator: "gae", ...BIASED, ...OPENRLHF },
} as const satisfies Record<string, AdvantagePreset>;

export type AdvantagePresetName = keyof typeof ADVANTAGE_PRESETS;

/** The estimator where neither it nor a preset is named. */
export const DEFAULT_ESTIMATOR: AdvantageName = "grpo";

interface Given {
  readonly estimator?: AdvantageName | undefined;
  readonly preset?: AdvantagePresetName | undefined;
}

/** What is said, over what the preset says; the estimator with it. */
export function advantageSettings<Said extends Given>(given: Said) {
  const preset: Partial<AdvantagePreset> = given.preset === undefined ? {} : ADVANTAGE_PRESETS[given.preset];
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const estimator = given.estimator ?? preset.estimator ?? DEFAULT_ESTIMATOR;
  const entry: Advantage = ADVANTAGES[estimator];
  return { estimator, entry, settings: { ...preset, ...said } as Readonly<Record<string, unknown>> };
}
