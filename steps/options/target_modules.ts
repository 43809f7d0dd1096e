/**
 * Which modules of a model an adapter is put upon, matched as PEFT does (tuners/tuners_utils.py
 * `check_target_module_exists`, `_maybe_include_all_linear_layers`).
 *
 * Otherwise than PEFT, `layers` holds beside all_linear and a regular expression too; PEFT refuses it there.
 * @module
 */
import { moduleOf } from "../../data/hub/peft_names.ts";
import { fullMatcher, patternProblem } from "../../data/python_pattern.ts";
import { type Layout, storedShape } from "../../gpu/weights/layout.ts";

/** What stands for every linear layer but the head, in either spelling. */
const ALL_LINEAR: readonly unknown[] = ["all_linear", "all-linear"];

/** Names of modules that are no layers of a projection. */
const EMBEDDING = "embed_tokens", HEADS: readonly string[] = ["lm_head", "score"];

/** Modules without parameters that transformers' models have beside those with: a pattern may match them too. */
const WITHOUT_PARAMETERS = [
  { within: /^(.*\.mlp)\.[^.]*$/, names: ["act_fn", "activation_fn"] },
  { within: /^(.*)\.mlp\.[^.]*$/, names: ["resid_attn_dropout", "resid_mlp_dropout"] },
  { within: /^(model)\.[^.]*$/, names: ["rotary_emb"] },
];

/** Of a layout, its names. */
type Named = Pick<Layout, "parameters" | "repeated">;

/** What is to be matched. */
interface Targets {
  readonly target_modules: string | readonly string[];
  readonly exclude_modules?: string | readonly string[] | undefined;
  readonly layers?: readonly number[] | undefined;
  readonly layers_pattern?: string | readonly string[] | undefined;
  readonly modules_to_save?: readonly string[] | undefined;
}

interface Matched {
  /** Linear layers, in the model's order. */
  readonly linear: readonly string[];
  /** What matches as well and is none: PEFT refuses to go on. */
  readonly others: readonly string[];
  /** Names of the list that match no module, whatever is excluded. */
  readonly unmatched: readonly string[];
}

/** What is wrong with the patterns among them. */
export function targetProblems({ target_modules, exclude_modules }: Targets): string[] {
  const given = { target_modules: isAllLinear(target_modules) ? [] : target_modules, exclude_modules };
  return Object.entries(given).flatMap(([key, pattern]) => {
    const problem = typeof pattern === "string" ? patternProblem(pattern) : null;
    return problem === null ? [] : [`Cannot match ${key} ${JSON.stringify(pattern)}: ${problem}`];
  });
}

const isAllLinear = (wanted: Targets["target_modules"]) =>
  typeof wanted === "string" && ALL_LINEAR.includes(wanted.toLowerCase());

const lastOf = (module: string) => module.slice(module.lastIndexOf(".") + 1);
const isNamed = (module: string, name: string) => module === name || module.endsWith(`.${name}`);

/** Names of the modules that an adapter can be added to; a convolution is none, though it is a matrix here. */
export function linearModules({ parameters }: Pick<Layout, "parameters">): string[] {
  const matrices = parameters.filter((one) => storedShape(one).length === 2 && one.name.endsWith(".weight"));
  return matrices.map(({ name }) => moduleOf(name)).filter((module) => lastOf(module) !== EMBEDDING);
}

/** Every module's name, those that hold others and a head that is the embedding among them. */
function allModules({ parameters, repeated }: Named): string[] {
  const names = new Set<string>();
  for (const module of [...parameters.map(({ name }) => name), ...repeated].map(moduleOf)) {
    const parts = module.split(".");
    parts.forEach((_, i) => names.add(parts.slice(0, i + 1).join(".")));
    for (const { within, names: others } of WITHOUT_PARAMETERS) {
      const [, parent] = within.exec(module) ?? [];
      if (parent !== undefined) { for (const name of others) names.add(`${parent}.${name}`); }
    }
  }
  return [...names];
}

/** Throws a SyntaxError for a pattern that is none. */
export function matchModules(layout: Named, targets: Targets): Matched {
  const [problem] = targetProblems(targets);
  if (problem !== undefined) throw new SyntaxError(problem);
  const { target_modules: wanted } = targets, excluded = matcher(targets.exclude_modules ?? []);
  const whole = (targets.modules_to_save ?? []).map((name) => fullMatcher(`(.*\\.)?${escaped(name)}(\\..*)?`));
  const linear = linearModules(layout), all = allModules(layout), chosen = chooser(linear, targets);
  const found = all.filter((module) => chosen(module) && !excluded(module) && !whole.some((is) => is(module)));
  const given = typeof wanted === "string" ? [] : wanted;
  return {
    linear: linear.filter((module) => found.includes(module)),
    others: found.filter((module) => !linear.includes(module)),
    unmatched: given.filter((name) => !all.some((module) => isNamed(module, name))),
  };
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

function matcher(wanted: string | readonly string[]): (module: string) => boolean {
  if (typeof wanted === "string") return fullMatcher(wanted);
  return (module) => wanted.some((name) => isNamed(module, name));
}

/** Whether a module is chosen: in the layers too, unless a list names it in full. */
function chooser(
  linear: readonly string[],
  { target_modules: wanted, layers, layers_pattern }: Targets,
): (module: string) => boolean {
  const inLayers = (module: string) => layers === undefined || layers.includes(layerOf(module, layers_pattern));
  if (isAllLinear(wanted)) {
    const all = new Set(linear.filter((module) => !HEADS.includes(lastOf(module))));
    return (module) => all.has(module) && inLayers(module);
  }
  const is = matcher(wanted);
  if (typeof wanted === "string") return (module) => is(module) && inLayers(module);
  return (module) => wanted.includes(module) || is(module) && inLayers(module);
}

/** The first number after a name in a module's name, or after one of `patterns`; NaN where there is none. */
export function layerOf(module: string, patterns: Targets["layers_pattern"] = []): number {
  const parts = module.split("."), names = typeof patterns === "string" ? [patterns] : patterns;
  const at = parts.findIndex((part, i) =>
    i > 0 && i < parts.length - 1 && /^\d+$/.test(part) &&
    (names.length === 0 ? i > 1 : names.includes(parts[i - 1]!))
  );
  return at < 0 ? NaN : Number(parts[at]);
}

/** The ends of names, each once. */
export function kinds(modules: readonly string[]): string[] {
  return [...new Set(modules.map(lastOf))];
}
