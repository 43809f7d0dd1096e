/** What adapter_config.json says of a low-rank adapter, in the words of PEFT 0.21: read, refused by name, written. @module */
import { fullMatcher, patternProblem } from "../python_pattern.ts";
import { readFolderObject } from "./model_folder.ts";
import { moduleOf } from "./peft_names.ts";
import { commonEnd, moduleName } from "./visual_names.ts";

/** How strong an adapter is upon one weight. */
interface Strength {
  readonly rank: number;
  readonly alpha: number;
}

/** Settings of an adapter, as PEFT names them but for its `r` and `use_` and `lora_`. */
export interface AdapterSettings extends Strength {
  readonly dropout: number;
  /** Scaling by alpha / √rank instead of alpha / rank. */
  readonly rslora: boolean;
  /** What takes the place of the embedding is the head too, where they are one matrix (PEFT's ensure_weight_tying). */
  readonly tied?: boolean;
  /** Weights with another rank or alpha (PEFT's rank_pattern, alpha_pattern), by name; none where absent. */
  readonly apart?: ReadonlyMap<string, Strength>;
}

/** The factor of B A, of the weight of that name. */
export function scalingOf(
  { rank, alpha, rslora, apart }: Omit<AdapterSettings, "dropout">,
  name?: string,
): number {
  const own = (name === undefined ? undefined : apart?.get(name)) ?? { rank, alpha };
  return own.alpha / (rslora ? Math.sqrt(own.rank) : own.rank);
}

type Patterns = Readonly<Record<string, number>>;

/** What patterns give to a module: the first that is its name or an end of it, or matches one (PEFT `get_pattern_key`). */
function given(patterns: Patterns, module: string): number | undefined {
  const pattern = Object.keys(patterns).find((key) => key === module || fullMatcher(`(?:.*\\.)?(?:${key})`)(module));
  return pattern === undefined ? undefined : patterns[pattern];
}

/** Weights of `modules` whose rank or alpha patterns set otherwise. Throws a SyntaxError for a pattern that is none. */
export function settingsApart(
  modules: Iterable<string>,
  { rank, alpha }: Strength,
  rankPattern: Patterns,
  alphaPattern: Patterns,
): ReadonlyMap<string, Strength> {
  const apart = new Map<string, Strength>();
  for (const module of modules) {
    const own = { rank: given(rankPattern, module) ?? rank, alpha: given(alphaPattern, module) ?? alpha };
    if (own.rank !== rank || own.alpha !== alpha) apart.set(`${module}.weight`, own);
  }
  return apart;
}

export const CONFIG = "adapter_config.json";

/** Settings that change what the adapter computes, each with the values that change nothing. */
const PLAIN: Readonly<Record<string, readonly unknown[]>> = {
  peft_type: ["LORA"],
  bias: ["none", undefined],
  lora_bias: [false, null, undefined],
  use_dora: [false, null, undefined],
  use_qalora: [false, null, undefined],
  use_bdlora: [false, null, undefined],
  fan_in_fan_out: [false, undefined],
};
/** Settings that must be empty. */
const EMPTY = [
  "layer_replication",
  "target_parameters",
  "trainable_token_indices",
  "alora_invocation_tokens",
  "arrow_config",
  "velora_config",
  "kasa_config",
  "monteclora_config",
];
/** Settings that decide what was trained, not what the saved numbers mean. */
const IDLE = new Set([
  "auto_mapping",
  "base_model_name_or_path",
  "corda_config",
  "eva_config",
  "exclude_modules",
  "inference_mode",
  "init_lora_weights",
  "layers_pattern",
  "layers_to_transform",
  "loftq_config",
  "lora_ga_config",
  "megatron_config",
  "megatron_core",
  "peft_version",
  "qalora_group_size",
  "revision",
  "runtime_config",
  "target_modules",
  "task_type",
]);
const READ = new Set([
  "r",
  "lora_alpha",
  "lora_dropout",
  "use_rslora",
  "modules_to_save",
  "ensure_weight_tying",
  "rank_pattern",
  "alpha_pattern",
]);
/** Initializations that take something out of the base's weights: their numbers are none upon the base itself. */
const FROM_THE_BASE = /^(?:pissa|olora|corda|lora_ga|loftq)/;

const isEmpty = (value: unknown) =>
  value === null || value === undefined || value === false ||
  (typeof value === "object" && Object.keys(value).length === 0);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

interface PeftConfig extends Omit<AdapterSettings, "apart"> {
  /** Modules that are saved whole. */
  readonly whole: readonly string[];
  readonly rankPattern: Patterns;
  readonly alphaPattern: Patterns;
}

/** Throws a RangeError that names the first key of what is no plain LoRA adapter. */
export function readPeftConfig(folder: string): PeftConfig {
  const config = readFolderObject(folder, CONFIG);
  if (!config) {
    throw new RangeError(`Cannot load an adapter from ${folder}: it has no ${CONFIG}; want a folder that PEFT saved`);
  }
  const refuse = (key: string, want: string): never => {
    throw new RangeError(
      `Cannot load an adapter from ${folder}: its ${key} is ${JSON.stringify(config[key])}, want ${want}`,
    );
  };
  for (const [key, plain] of Object.entries(PLAIN)) {
    if (!plain.includes(config[key])) refuse(key, JSON.stringify(plain[0]));
  }
  for (const key of EMPTY) if (!isEmpty(config[key])) refuse(key, "none");
  if (typeof config.init_lora_weights === "string" && FROM_THE_BASE.test(config.init_lora_weights)) {
    refuse(
      "init_lora_weights",
      "an adapter upon the base's own weights; save it by PEFT with path_initial_model_for_weight_conversion",
    );
  }
  for (const key of Object.keys(config)) {
    if (IDLE.has(key) || READ.has(key) || Object.hasOwn(PLAIN, key) || EMPTY.includes(key)) continue;
    if (!isEmpty(config[key])) refuse(key, "none: it is not known what it changes");
  }
  const { r, lora_alpha: alpha, use_rslora, lora_dropout: dropout = 0, modules_to_save: whole } = config;
  if (!Number.isInteger(r) || (r as number) < 1) refuse("r", "a whole number of 1 or more");
  if (typeof alpha !== "number" || !(alpha > 0 && alpha < Infinity)) refuse("lora_alpha", "a number above 0");
  if (typeof dropout !== "number" || !(dropout >= 0 && dropout < 1)) refuse("lora_dropout", "a number from 0 to 1");
  if (!isEmpty(whole) && !(Array.isArray(whole) && whole.every((name) => typeof name === "string"))) {
    refuse("modules_to_save", "a list of names");
  }
  const patterns = (key: string): Patterns => {
    const value = config[key];
    if (isEmpty(value)) return {};
    if (!isObject(value) || !Object.values(value).every((x) => typeof x === "number" && x > 0)) {
      refuse(key, "an object of numbers above 0");
    }
    const wrong = Object.keys(value as object).find((pattern) => patternProblem(pattern) !== null);
    return wrong === undefined ? value as Patterns : refuse(key, `other patterns: ${patternProblem(wrong)}`);
  };
  return {
    rank: r as number,
    alpha: alpha as number,
    dropout: dropout as number,
    rslora: use_rslora === true,
    ...(config.ensure_weight_tying === true ? { tied: true } : {}),
    whole: isEmpty(whole) ? [] : whole as string[],
    rankPattern: patterns("rank_pattern"),
    alphaPattern: patterns("alpha_pattern"),
  };
}

/** What PEFT makes of an adapter: a language model, or one that classifies sequences. */
export type AdapterTask = "CAUSAL_LM" | "SEQ_CLS";

interface Described extends AdapterSettings {
  /** Names of the weights that it changes, and of those that it replaces. */
  readonly weights: Iterable<string>;
  readonly whole: Iterable<string>;
  readonly base: string | null;
  readonly revision?: string | null;
  readonly task: AdapterTask;
  /** Upon a model that reads images, whose modules have two names. */
  readonly visual?: boolean;
}

const modulesOf = (names: Iterable<string>) => [...new Set([...names].map(moduleOf))];

/** The object of adapter_config.json. */
export function toPeftConfig(
  { rank, alpha, dropout, rslora, tied = false, apart, weights, whole, base, revision = null, task, visual = false }:
    Described,
): Record<string, unknown> {
  const found = visual ? commonEnd : (module: string) => module;
  const pattern = (key: keyof Strength, usual: number) =>
    Object.fromEntries(
      [...apart ?? []].filter(([, own]) => own[key] !== usual).map((
        [name, own],
      ) => [found(moduleOf(name)), own[key]]),
    );
  // Of these PEFT takes every module whose name ends so, a norm of a query with the last one.
  const saved = modulesOf(whole).map(visual ? moduleName : found);
  return {
    alpha_pattern: pattern("alpha", alpha),
    base_model_name_or_path: base,
    bias: "none",
    ...(tied ? { ensure_weight_tying: true } : {}),
    exclude_modules: null,
    fan_in_fan_out: false,
    inference_mode: true,
    init_lora_weights: true,
    layers_pattern: null,
    layers_to_transform: null,
    lora_alpha: alpha,
    lora_bias: false,
    lora_dropout: dropout,
    modules_to_save: saved.length > 0 ? saved : null,
    peft_type: "LORA",
    r: rank,
    rank_pattern: pattern("rank", rank),
    revision,
    target_modules: modulesOf(weights).map(found),
    task_type: task,
    use_dora: false,
    use_rslora: rslora,
  };
}
