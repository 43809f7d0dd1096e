/** Options of a low-rank adapter, in the words of PEFT. @module */
import { z } from "zod";
import { patternProblem } from "../../data/python_pattern.ts";
import { HIGHEST_RANK } from "./adapter_rank.ts";
import { targetProblems } from "./target_modules.ts";
import { withoutEffect } from "./without_effect.ts";

const INITS: readonly string[] = ["kaiming_uniform", "gaussian"];

/** What PEFT initializes from the base or from data is not supported. */
function otherInit({ input }: { readonly input?: unknown }): string {
  return `init is ${
    JSON.stringify(input)
  }, want kaiming_uniform (or true), gaussian or false; PEFT's pissa, olora, corda, ` +
    "loftq, eva, lora_ga, orthogonal and mica begin from decompositions that are not supported: make such an adapter with " +
    "PEFT, save it, and train it on by adapter";
}

const LORA_PARAMS = {
  rank: z.int().min(1).max(HIGHEST_RANK).default(8).describe("rows of A and columns of B (PEFT's r)"),
  alpha: z.number().positive().default(8).describe("what is added is alpha / rank times B A (PEFT's lora_alpha)"),
  dropout: z.number().min(0).lt(1).default(0).describe(
    "share of A's inputs that training leaves out (PEFT's lora_dropout); drawn by the seed. Above 0 apply_update reads " +
      "the rollout once more, without it, for old_logprobs",
  ),
  rslora: z.boolean().default(false).describe("alpha / √rank in place of alpha / rank (PEFT's use_rslora)"),
  target_modules: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]).default(["q_proj", "v_proj"])
    .describe(
      "linear layers that get an adapter: names or their ends; all_linear, which is all but the head; or a regular " +
        "expression of the whole name. By default PEFT's for these families",
    ),
  exclude_modules: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]).optional().describe(
    "linear layers that get none: names or their ends, or a regular expression of the whole name",
  ),
  layers: z.array(z.int().min(0)).min(1).optional().describe(
    "only in these layers, from 0 (PEFT's layers_to_transform); all where absent. A full name in target_modules is in any layer",
  ),
  layers_pattern: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]).optional().describe(
    "name of the list that layers are counted in, where there is more than one",
  ),
  rank_pattern: z.record(z.string().min(1), z.int().min(1).max(HIGHEST_RANK)).optional().describe(
    "other ranks, by the end of a module's name or a regular expression of it",
  ),
  alpha_pattern: z.record(z.string().min(1), z.number().positive()).optional().describe("other alphas, likewise"),
  modules_to_save: z.array(z.string().min(1)).min(1).optional().describe(
    "modules that train whole, in a copy: every one whose name ends with the text, as in PEFT: norm is input_layernorm too",
  ),
  init: z.union([z.boolean(), z.string()]).refine((init) => typeof init === "boolean" || INITS.includes(init), {
    error: otherInit,
  }).default("kaiming_uniform").describe(
    "how A is drawn (PEFT's init_lora_weights): kaiming_uniform or true, uniform within 1 / √in, B 0; gaussian, normal " +
      "with deviation 1 / rank, B 0; false, A and B uniform within 1 / √in of their own: the adapter does something at once",
  ),
};

export const LORA = z.strictObject(LORA_PARAMS);

export type LoraOptions = z.output<typeof LORA>;

/** Where an adapter lies that PEFT or export_model saved; the same in every step that takes one. */
export const ADAPTER = z.string().min(1);
const SAVED =
  "a LoRA adapter that PEFT, or export_model with merge: false, saved: its folder, hf:ORG/NAME@REVISION as pull " +
  "fetched it, or the run that exported it (its id or folder)";

/** What an option `adapter` does, behind what it takes. */
export const adapterText = (does: string) => `${SAVED}; ${does}`;

const UPON =
  "where the policy has an adapter too, upon the same base, which is stored once, without the policy's adapter";

/** The options of a model with a scalar head. */
export const SCALAR_ADAPTER = {
  adapter: ADAPTER.optional().describe(
    adapterText(`it trains on, with its settings, and the head with it, on a frozen body: ${UPON}`),
  ),
  lora: LORA.optional().describe(
    `train a fresh low-rank adapter and the head on a frozen body, as PEFT does for task_type SEQ_CLS: ${UPON}`,
  ),
};

/** How a step asks for an adapter: one that is saved, or the settings of a fresh one. */
export interface AdapterParams {
  readonly adapter?: string | undefined;
  readonly lora?: LoraOptions | undefined;
  /** The saved one becomes part of the weights; only load_model has it. */
  readonly merge?: boolean | undefined;
}

/** Whether an adapter trains, upon frozen weights. */
export function trainsAdapter({ adapter, lora, merge = false }: AdapterParams): boolean {
  return lora !== undefined || adapter !== undefined && !merge;
}

/** What is wrong with how an adapter is asked for. */
export function adapterProblems({ adapter, lora, merge }: AdapterParams): string[] {
  if (merge && adapter === undefined) {
    return ['Cannot use "merge": there is no adapter to merge, want its folder as adapter'];
  }
  if (lora === undefined) return [];
  if (adapter === undefined || merge) return loraProblems(lora);
  const way = merge === undefined ? "" : ", or set merge: true for a fresh one upon the weights with this one in them";
  return [`Cannot use "lora": adapter is ${adapter}, which trains on with its own settings, want one of the two${way}`];
}

/** What is wrong with these options together. */
function loraProblems(given: LoraOptions): string[] {
  const problems = targetProblems(given);
  if (problems.length > 0) return problems;
  const patterns = [...Object.keys(given.rank_pattern ?? {}), ...Object.keys(given.alpha_pattern ?? {})];
  const wrong = patterns.find((pattern) => patternProblem(pattern) !== null);
  if (wrong !== undefined) return [`Cannot match ${JSON.stringify(wrong)}: ${patternProblem(wrong)}`];
  return given.layers_pattern === undefined || given.layers !== undefined
    ? []
    : withoutEffect(given, LORA_PARAMS, ["layers_pattern"], '"layers" is not there, want the numbers of layers');
}

/** What the options mean of a model with a scalar head: the head trains whole, as PEFT has it for task_type SEQ_CLS. */
export function scalarOptions(given: LoraOptions): LoraOptions {
  return { ...given, modules_to_save: [...(given.modules_to_save ?? []), "score"] };
}
