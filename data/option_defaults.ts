/** What other systems do where a configuration is silent: the one table of their defaults, in our values. @module */
import { isTrl, type OptionName } from "./options.ts";

type Default = number | string | boolean;
type Defaults = Readonly<Partial<Record<OptionName, Default>>>;

/** transformers' TrainingArguments, in everything that is built on its trainer. */
const HUGGING_FACE = { max_grad_norm: 1, logging_nan_filter: true } as const satisfies Defaults;

/**
 * Only what has been one value over the versions in use: the KL weight and the loss of TRL, for one, have not. Sampling and the
 * passes over a rollout are left out: a finding about them shows that something else is in force, a model's own generation
 * settings or a configuration that was not given. Sources: TRL's configuration classes, verl's generated `ppo_trainer.yaml`,
 * the argument lists of OpenRLHF's programs.
 */
const DEFAULTS = {
  trl: {
    ...HUGGING_FACE,
    clip_low: 0.2,
    desirable_weight: 1,
  },
  verl: {
    aggregation: "token_mean",
    kl_coef: 0.001,
    kl_in_loss: false,
    clip_low: 0.2,
    clip_high: 0.2,
    max_grad_norm: 1,
    lora_target_modules: "all-linear",
  },
  openrlhf: {
    kl_coef: 0.01,
    clip_low: 0.2,
    clip_high: 0.2,
    max_grad_norm: 1,
    lora_target_modules: "all-linear",
  },
} as const satisfies Readonly<Record<string, Defaults>>;

/** The value of an option in a system whose configuration does not say it; null where that is not known. */
export function optionDefault(option: OptionName, system: string | null): Default | null {
  const own: Defaults = Object.hasOwn(DEFAULTS, system ?? "")
    ? DEFAULTS[system as keyof typeof DEFAULTS]
    : isTrl(system)
    ? HUGGING_FACE
    : {};
  return own[option] ?? null;
}

/** Weight of the reference in DPO and KTO, where a configuration is silent: one value over all versions, as GRPO's is not. */
export const preferenceBeta = (system: string | null): number | null =>
  isTrl(system) || system === "openrlhf" ? 0.1 : null;
