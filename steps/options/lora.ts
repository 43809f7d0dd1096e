/** Options of a low-rank adapter, in the words of PEFT, and which parameters of a model they mean. @module */
import { z } from "zod";
import { nearest } from "../../data/did_you_mean.ts";
import { scalingOf } from "../../data/hub/peft_adapter.ts";
import type { AdapterPlan } from "../../gpu/weights/adapter.ts";
import type { Layout, Parameter } from "../../gpu/weights/layout.ts";
import { withoutEffect } from "./without_effect.ts";

/** What stands for every linear layer but the head, in either spelling. */
const ALL_LINEAR: readonly unknown[] = ["all_linear", "all-linear"];

const LORA_PARAMS = {
  from: z.string().min(1).optional().describe(
    "a folder that PEFT or export_model saved: train its adapter on, with its settings",
  ),
  rank: z.int().min(1).default(8).describe("rows of A and columns of B (PEFT's r)"),
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
  layers: z.array(z.int().min(0)).min(1).optional().describe(
    "only in these layers, from 0 (PEFT's layers_to_transform); all where absent",
  ),
  modules_to_save: z.array(z.string().min(1)).min(1).optional().describe(
    "modules that train whole, in a copy: every one whose name ends with the text, as in PEFT: norm is input_layernorm too",
  ),
  init: z.enum(["kaiming_uniform", "gaussian"]).default("kaiming_uniform").describe(
    "how A is drawn: uniform within 1 / √in, PEFT's default, or normal with deviation 1 / rank; B is 0",
  ),
};

export const LORA = z.strictObject(LORA_PARAMS);

export type LoraOptions = z.output<typeof LORA>;

/** What is wrong with these options together. */
export function loraProblems(given: LoraOptions): string[] {
  const problem = typeof given.target_modules === "string" ? patternProblem(given.target_modules) : null;
  if (problem !== null) return [problem];
  if (given.from === undefined) return [];
  const names = ["rank", "alpha", "dropout", "rslora", "target_modules", "layers", "modules_to_save", "init"] as const;
  return withoutEffect(given, LORA_PARAMS, names, `"from" is ${given.from}, whose settings hold, want none`);
}

/** What the options mean of a model with a scalar head: the head trains whole, as PEFT has it for task_type SEQ_CLS. */
export function scalarOptions(given: LoraOptions): LoraOptions {
  return { ...given, modules_to_save: [...(given.modules_to_save ?? []), "score"] };
}

const MOST_LENGTH = 200, MOST_REPEATS = 4;

/**
 * What keeps a text from being a regular expression, or one that is matched in time: a workflow may be a stranger's, and
 * repetitions within repetitions may take longer than a life.
 */
function patternProblem(pattern: string): string | null {
  if (ALL_LINEAR.includes(pattern)) return null;
  const refuse = (what: string) => `Cannot match target_modules ${JSON.stringify(pattern)}: ${what}`;
  const plain = pattern.replace(/\\.|\[(?:\\.|[^\]\\])*\]/g, "x");
  if (pattern.length > MOST_LENGTH) return refuse(`it has ${pattern.length} characters, want at most ${MOST_LENGTH}`);
  if ((plain.match(/[*+{]/g) ?? []).length > MOST_REPEATS) {
    return refuse(`it repeats more than ${MOST_REPEATS} times; give a list of names`);
  }
  if (/[*+?}|][^()]*\)[*+{]/.test(plain) || /\)[^()]*\)[*+{]/.test(plain)) {
    return refuse("it repeats a group that repeats or chooses; give a list of names");
  }
  if (/\\[1-9k]/.test(pattern)) return refuse("it refers back to a group; give a list of names");
  try {
    new RegExp(pattern);
    return null;
  } catch {
    return refuse("it is no regular expression; give all_linear or a list of names");
  }
}

const EMBEDDING = "embed_tokens", HEADS = ["lm_head", "score"];

const moduleOf = ({ name }: Parameter) => name.replace(/\.(?:weight|bias)$/, "");
const lastOf = (module: string) => module.slice(module.lastIndexOf(".") + 1);
const layerOf = (module: string) => Number(/\.layers\.(\d+)\./.exec(module)?.[1] ?? NaN);
const ends = (module: string, name: string) => module === name || module.endsWith(`.${name}`);

/** Names of the modules that an adapter can be added to. */
function linearModules({ parameters }: Layout): string[] {
  const matrices = parameters.filter(({ name, shape }) => shape.length === 2 && name.endsWith(".weight"));
  return matrices.map(moduleOf).filter((module) => lastOf(module) !== EMBEDDING);
}

/**
 * The plan of an adapter for a model. Throws a RangeError where a name matches no module, or only ones that get no adapter.
 */
export function adapterPlan(layout: Layout, given: LoraOptions): AdapterPlan {
  const { rank, alpha, rslora, dropout, layers } = given;
  const saved = savedParameters(layout, given.modules_to_save ?? []);
  const matched = matchedModules(layout, given.target_modules).filter((module) => !saved.has(`${module}.weight`));
  const targets = matched.filter((module) => layers === undefined || layers.includes(layerOf(module)));
  const count = 1 + Math.max(-1, ...linearModules(layout).map(layerOf).filter(Number.isFinite));
  const outside = layers?.find((layer) => layer >= count);
  if (outside !== undefined) {
    throw new RangeError(`Cannot add an adapter to layer ${outside}: the model has layers 0 to ${count - 1}`);
  }
  if (targets.length === 0) {
    throw new RangeError(
      `Cannot add an adapter: nothing is left of target_modules ${JSON.stringify(given.target_modules)}` +
        `${layers ? ` in layers ${layers.join(", ")}` : ""} beside modules_to_save`,
    );
  }
  const names = new Set(targets.map((module) => `${module}.weight`));
  return { rank, alpha, rslora, scaling: scalingOf(given), dropout, targets: names, saved };
}

function matchedModules(layout: Layout, wanted: LoraOptions["target_modules"]): string[] {
  const linear = linearModules(layout);
  if (typeof wanted !== "string") return [...new Set(wanted.flatMap((name) => endingIn(name, linear, layout)))];
  if (ALL_LINEAR.includes(wanted)) return linear.filter((module) => !HEADS.includes(lastOf(module)));
  const problem = patternProblem(wanted);
  if (problem !== null) throw new SyntaxError(problem);
  const pattern = new RegExp(`^(?:${wanted})$`), found = linear.filter((module) => pattern.test(module));
  if (found.length > 0) return found;
  // A name by itself is the most likely meaning of a text that matches nothing.
  throw new RangeError(
    `Cannot add an adapter: target_modules ${
      JSON.stringify(wanted)
    } matches no linear layer as a regular expression of the ` +
      `whole name${nearest(wanted, kinds(linear))} The model has ${kinds(linear).join(", ")}, e.g. ${
        linear[0]
      }; a list ` +
      "takes ends of names",
  );
}

function endingIn(name: string, linear: readonly string[], layout: Layout): string[] {
  const found = linear.filter((module) => ends(module, name));
  if (found.length > 0) return found;
  const other = layout.parameters.map(moduleOf).find((module) => ends(module, name));
  if (other !== undefined) {
    throw new RangeError(
      `Cannot add an adapter to "${name}": "${other}" is no linear layer; train it whole by modules_to_save, or take ` +
        kinds(linear).join(", "),
    );
  }
  throw new RangeError(
    `Cannot add an adapter to "${name}": it matches no module${nearest(name, kinds(linear)) || ";"} ` +
      `The model has ${kinds(linear).join(", ")}`,
  );
}

/** The ends of names, each once. */
function kinds(modules: readonly string[]): string[] {
  return [...new Set(modules.map(lastOf))];
}

/** Whether a module, or one that it is part of, has a name that ends with a text (PEFT utils/other.py `_set_trainable`). */
function isWithin(module: string, end: string): boolean {
  const parts = module.split(".");
  return parts.some((_, i) => parts.slice(0, i + 1).join(".").endsWith(end));
}

function savedParameters({ parameters }: Layout, names: readonly string[]): Set<string> {
  const saved = new Set<string>();
  for (const name of names) {
    const found = parameters.filter((parameter) => isWithin(moduleOf(parameter), name));
    if (found.length === 0) {
      const known = kinds(parameters.map(moduleOf));
      throw new RangeError(
        `Cannot train "${name}" of modules_to_save: it matches no module${nearest(name, known) || ";"} ` +
          `The model has ${known.join(", ")}`,
      );
    }
    for (const parameter of found) saved.add(parameter.name);
  }
  return saved;
}
