/** What a remedy may change: typed by the steps' own parameters, so that the compiler refuses what no step has. @module */
import type { z } from "zod";
import type { OptionName } from "../../../data/options.ts";
import type { VerifierName } from "../../../data/tasks/verifiers/mod.ts";
import type { applyUpdate } from "../../apply_update.ts";
import type { computeAdvantages } from "../../compute_advantages.ts";
import type { fineTune } from "../../fine_tune.ts";
import type { loadModel } from "../../load_model.ts";
import type { sampleGroups } from "../../sample_groups.ts";
import type { scoreRewards } from "../../score_rewards.ts";
import type { trainPreferences } from "../../train_preferences.ts";
import type { updateCritic } from "../../update_critic.ts";

export type Scalar = number | string | boolean;
export type Value = Scalar | readonly string[] | readonly number[];

/** How the value to write follows from the one in force (`valueOf` in `value.ts`). */
export interface Change {
  /** This value. */
  readonly set?: Value;
  /** With `set`: only where this is in force. */
  readonly where?: Value;
  /** At least this. */
  readonly least?: number;
  /** The value in force times this, within `min` and `max`. */
  readonly mul?: number;
  readonly min?: number;
  readonly max?: number;
  /** The usual learning rate; with `mul` at least as far as that. */
  readonly usual?: true;
  /** With `usual`: this share of it. */
  readonly share?: number;
}

/** One way to change a value: the other ways' words are not there. */
type Only<Words extends Change> = Words & { readonly [Word in Exclude<keyof Change, keyof Words>]?: never };
type Set<T> = Only<{ readonly set: Extract<T, Value>; readonly where?: Extract<T, Value> }>;
type Factor = Only<{ readonly mul: number; readonly min?: number; readonly max?: number }>;
type Least = Only<{ readonly least: number }>;
type Usual = Only<{ readonly usual: true } & Pick<Change, "share" | "mul" | "min" | "max">>;

/** Changes that suit a value of type T under its key. */
type ChangeOf<T, Key> =
  | Set<T>
  | (number extends T ? Factor | Least : never)
  | (Key extends "learning_rate" ? Usual : never);

/** Steps whose parameters a remedy may change; `diagnose` is not one, its type would contain itself. */
interface Steps {
  load_model: typeof loadModel;
  fine_tune: typeof fineTune;
  sample_groups: typeof sampleGroups;
  score_rewards: typeof scoreRewards;
  compute_advantages: typeof computeAdvantages;
  apply_update: typeof applyUpdate;
  train_preferences: typeof trainPreferences;
  update_critic: typeof updateCritic;
}
type Given<Step extends keyof Steps> = z.input<Steps[Step]["params"]>;

/** A change of our workflow, and of the same option elsewhere. */
type OwnPatch = {
  [Step in keyof Steps]: {
    [Key in keyof Given<Step> & string]-?:
      & { readonly step: Step; readonly key: Key }
      & ChangeOf<NonNullable<Given<Step>[Key]>, Key>;
  }[keyof Given<Step> & string];
}[keyof Steps];

/** Options that remedies name and no step of ours has, or has with other values. */
interface ForeignValues {
  desirable_weight: number;
  device_batch_size: number;
  epochs: number;
  kl_in_loss: boolean;
  logging_nan_filter: boolean;
  logging_steps: number;
  lora_target_modules: string;
  loss: string;
  max_length: number;
  train_steps: number;
}

/** What our steps take under an option's name. */
type OwnValue<Option> = {
  [Step in keyof Steps]: Option extends keyof Given<Step> ? NonNullable<Given<Step>[Option]> : never;
}[keyof Steps];

/** What reads the completions of prompts from a file; the other options of load_prompts say what is trained on. */
type VerifierPatch = { readonly step: "load_prompts"; readonly key: "verifier" } & Set<VerifierName>;

/** A change of other systems only. */
type ForeignPatch = {
  [Option in OptionName]:
    & { readonly option: Option }
    & ChangeOf<Option extends keyof ForeignValues ? ForeignValues[Option] : OwnValue<Option>, Option>;
}[OptionName];

/** One change as a rule writes it. */
export type Patch = OwnPatch | VerifierPatch | ForeignPatch;

/** One change of our workflow as a finding records it. */
export interface RecordedPatch extends Change {
  readonly step: string;
  readonly key: string;
  /** What to write; null where it follows from a value in force that the run does not show. */
  readonly value?: Value | null;
}
