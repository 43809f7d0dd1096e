/** The sampling settings in force, with where each came from: settings inherited silently are how runs die. @module */
import { z } from "zod";

/** Where a setting came from. */
type Origin = "workflow" | "model folder" | "default";

/** What a workflow may say; absent = the default, or the model folder's value with `inherit_sampling`. */
export const SAMPLING_PARAMS = {
  temperature: z.number().min(0).optional().describe("softmax temperature; 1 = the policy itself, 0 = greedy"),
  top_k: z.int().min(0).optional().describe("keep the k most likely tokens; 0 = off"),
  top_p: z.number().gt(0).max(1).optional().describe("keep the most likely tokens up to this probability; 1 = off"),
  min_p: z.number().min(0).lt(1).optional().describe(
    "drop tokens less likely than this times the most likely; 0 = off",
  ),
  repetition_penalty: z.number().positive().optional().describe("divides the logits of tokens already seen; 1 = off"),
  inherit_sampling: z.boolean().default(false).describe(
    "take what is not set here from the model folder's generation_config.json, as transformers does",
  ),
} as const;

/** The policy itself: what a setting is where nobody says otherwise. */
export const PLAIN_SAMPLING = { temperature: 1, top_k: 0, top_p: 1, min_p: 0, repetition_penalty: 1 } as const;

/**
 * Other names of a generation_config.json that change what is drawn or where it ends (transformers GenerationConfig), with
 * the value that changes nothing; null = any changes something. No step follows them.
 */
const NOT_FOLLOWED: Readonly<Record<string, unknown>> = {
  typical_p: 1,
  top_h: null,
  epsilon_cutoff: 0,
  eta_cutoff: 0,
  num_beams: 1,
  num_beam_groups: 1,
  num_return_sequences: 1,
  early_stopping: false,
  length_penalty: 1,
  diversity_penalty: 0,
  penalty_alpha: null,
  encoder_repetition_penalty: 1,
  no_repeat_ngram_size: 0,
  encoder_no_repeat_ngram_size: 0,
  exponential_decay_length_penalty: null,
  guidance_scale: 1,
  dola_layers: null,
  max_length: null,
  max_time: null,
  min_length: 0,
  min_new_tokens: 0,
  stop_strings: null,
  begin_suppress_tokens: null,
  bad_words_ids: null,
  sequence_bias: null,
  force_words_ids: null,
  constraints: null,
  forced_bos_token_id: null,
  forced_eos_token_id: null,
  forced_decoder_ids: null,
  remove_invalid_values: false,
  renormalize_logits: false,
  token_healing: false,
  watermarking_config: null,
};

type SamplingName = keyof typeof PLAIN_SAMPLING;
export type SamplingValues = Readonly<Record<SamplingName, number>>;

export interface SamplingSettings {
  readonly values: SamplingValues;
  readonly origins: Readonly<Record<SamplingName, Origin>>;
  /** Settings of the model folder that are not followed, as `name value`. */
  readonly ignored: readonly string[];
}

/**
 * given    what the workflow says
 * folder   the model folder's generation_config.json, or null
 */
export function samplingSettings(
  given: Readonly<Partial<Record<SamplingName, number | undefined>>> & { readonly suppress_tokens?: readonly number[] },
  folder: Readonly<Record<string, unknown>> | null,
  inherit: boolean,
): SamplingSettings {
  const offered = folderSettings(folder);
  const values: Record<string, number> = {}, origins: Record<string, Origin> = {}, ignored: string[] = [];
  for (const name of Object.keys(PLAIN_SAMPLING) as SamplingName[]) {
    const own = given[name], theirs = offered[name];
    [values[name], origins[name]] = own !== undefined
      ? [own, "workflow"]
      : inherit && theirs !== undefined
      ? [theirs, "model folder"]
      : [PLAIN_SAMPLING[name], "default"];
    if (theirs !== undefined && theirs !== values[name]) ignored.push(`${name} ${theirs}`);
  }
  ignored.push(...notFollowed(folder, given.suppress_tokens ?? []));
  return { values: values as SamplingValues, origins: origins as Record<SamplingName, Origin>, ignored };
}

/** What else the folder asks for that changes what is drawn, as `name value`. */
function notFollowed(folder: Readonly<Record<string, unknown>> | null, suppressed: readonly number[]): string[] {
  return Object.entries(folder ?? {}).flatMap(([name, value]) => {
    const idle = name === "suppress_tokens" ? suppressed : NOT_FOLLOWED[name];
    if (idle === undefined || value === null || isEmpty(value)) return [];
    const text = JSON.stringify(value);
    return text === JSON.stringify(idle) ? [] : [`${name} ${text}`];
  });
}

const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;

/**
 * The temperature at which all log-probs of a rollout are taken, old, reference and current (TRL grpo_trainer.py): the
 * sampling temperature; 1 for greedy sampling, which has none.
 */
export function logprobTemperature({ temperature }: Pick<SamplingValues, "temperature">): number {
  return temperature > 0 ? temperature : 1;
}

/** What the folder asks for; `do_sample: false` is temperature 0. */
function folderSettings(folder: Readonly<Record<string, unknown>> | null): Partial<Record<SamplingName, number>> {
  if (!folder) return {};
  const numbers = (Object.keys(PLAIN_SAMPLING) as SamplingName[]).flatMap((name) => {
    const value = folder[name];
    return typeof value === "number" && Number.isFinite(value) ? [[name, value] as const] : [];
  });
  const found: Partial<Record<SamplingName, number>> = Object.fromEntries(numbers);
  return folder["do_sample"] === false ? { ...found, temperature: 0 } : found;
}

/**
 * generation_config.json of an export: the sampling of the run, every value said, since transformers takes what is not from
 * elsewhere; the folder's own where the run has not sampled.
 *
 * folder    the generation_config.json of the folder that the model came from, or null
 * settings  the table `settings` by name
 */
export function exportedSampling(
  folder: Readonly<Record<string, unknown>> | null,
  settings: ReadonlyMap<string, unknown>,
): Record<string, unknown> {
  const temperature = settings.get("temperature"), own: readonly string[] = Object.keys(PLAIN_SAMPLING);
  if (typeof temperature !== "number") return { ...folder };
  const sampling = new Set([...own, ...Object.keys(NOT_FOLLOWED), "suppress_tokens"]);
  const others = Object.entries(folder ?? {}).filter(([name]) => !sampling.has(name));
  const suppressed = settings.get("suppress_tokens") ?? [];
  const names = temperature > 0 ? own : ["repetition_penalty"];
  const values = [...names, "max_new_tokens"].flatMap((name) => settings.has(name) ? [[name, settings.get(name)]] : []);
  return {
    ...Object.fromEntries(others),
    do_sample: temperature > 0,
    ...Object.fromEntries(values),
    ...(isEmpty(suppressed) ? {} : { suppress_tokens: suppressed }),
  };
}

/**
 * One line for the terminal: the temperature and what is not at its default, with origins, e.g. `sampling: temperature 1
 * (default), top_p 0.9 (workflow); the rest at its default`. The table `settings` holds all of them.
 */
export function samplingLine({ values, origins, ignored }: SamplingSettings): string {
  const names = Object.keys(values) as SamplingName[];
  const shown = names.filter((name) => name === "temperature" || origins[name] !== "default");
  const list = shown.map((name) => `${name} ${values[name]} (${origins[name]})`).join(", ");
  const rest = shown.length < names.length ? "; the rest at its default" : "";
  return `sampling: ${list}${rest}${
    ignored.length ? `; the model folder asks for ${ignored.join(", ")}: not followed` : ""
  }`;
}
