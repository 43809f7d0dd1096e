/** Which parameters of a model the options of an adapter mean, and how strong it is upon each. @module */
import { nearest } from "../../data/did_you_mean.ts";
import { type AdapterSettings, scalingOf, settingsApart } from "../../data/hub/peft_config.ts";
import { moduleOf } from "../../data/hub/peft_names.ts";
import type { AdapterPlan } from "../../gpu/weights/adapter.ts";
import { type Layout, storedShape } from "../../gpu/weights/layout.ts";
import { requireRank } from "./adapter_rank.ts";
import type { LoraOptions } from "./lora.ts";
import { kinds, layerOf, linearModules, matchModules } from "./target_modules.ts";

/**
 * The plan of an adapter for a model. Throws a RangeError where nothing matches, or what gets no adapter, and for a rank
 * that no matrix has.
 */
export function adapterPlan(layout: Layout, given: LoraOptions): AdapterPlan {
  const { rank, alpha, rslora, dropout, layers } = given;
  const saved = savedParameters(layout, given.modules_to_save ?? []);
  const matched = matchModules(layout, given), { linear: targets, others } = matched;
  const count = 1 + Math.max(-1, ...linearModules(layout).map((module) => layerOf(module)).filter(Number.isFinite));
  const outside = layers?.find((layer) => layer >= count);
  if (outside !== undefined) {
    throw new RangeError(`Cannot add an adapter to layer ${outside}: the model has layers 0 to ${count - 1}`);
  }
  if (others.length > 0) refuseOther(layout, given, others[0]!);
  if (targets.length === 0) refuseNothing(layout, given, matched.unmatched);
  const names = new Set(targets.map((module) => `${module}.weight`));
  const apart = settingsApart(targets, { rank, alpha }, given.rank_pattern ?? {}, given.alpha_pattern ?? {});
  const plan = planOf({ rank, alpha, rslora, dropout, apart }, { targets: names, saved });
  requireRank(layout, plan);
  return plan;
}

/** The plan of an adapter with those settings, whose factors are reckoned here and nowhere else. */
export function planOf(settings: AdapterSettings, names: Pick<AdapterPlan, "targets" | "saved">): AdapterPlan {
  const { rank, alpha, rslora, dropout, apart = new Map() } = settings;
  const own = [...apart].map(([name, strength]) =>
    [name, { ...strength, scaling: scalingOf(settings, name) }] as const
  );
  return {
    rank,
    alpha,
    rslora,
    dropout,
    scaling: scalingOf(settings),
    ...(own.length > 0 ? { apart: new Map(own) } : {}),
    ...names,
  };
}

/** Names of a list that match no module of the model while others do. PEFT leaves them out without a word. */
export function unmatchedTargets(layout: Layout, given: LoraOptions): readonly string[] {
  return matchModules(layout, given).unmatched;
}

function refuseOther(layout: Layout, { target_modules }: LoraOptions, module: string): never {
  if (layout.repeated.includes(`${module}.weight`)) {
    throw new RangeError(
      `Cannot add an adapter to "${module}": it is the embedding itself (tie_word_embeddings), want a head of its own; ` +
        "leave it out, or train embed_tokens whole by modules_to_save, which is the head too",
    );
  }
  const linear = linearModules(layout),
    what = typeof target_modules === "string"
      ? `with target_modules ${JSON.stringify(target_modules)}`
      : `to "${target_modules.find((name) => module === name || module.endsWith(`.${name}`))}"`;
  if (layout.parameters.some((one) => one.name === `${module}.weight` && storedShape(one).length > 2)) {
    throw new RangeError(
      `Cannot add an adapter ${what}: "${module}" is a convolution, want linear layers; leave it out by exclude_modules: ` +
        `[${module.split(".").slice(-2).join(".")}], or train it whole by modules_to_save`,
    );
  }
  throw new RangeError(
    `Cannot add an adapter ${what}: "${module}" is no linear layer; train it whole by modules_to_save, or take ` +
      kinds(linear).join(", "),
  );
}

function refuseNothing(layout: Layout, given: LoraOptions, unmatched: readonly string[]): never {
  const { target_modules: wanted, layers } = given, linear = linearModules(layout), known = kinds(linear);
  if (typeof wanted !== "string" && unmatched.length === wanted.length) {
    const [name] = unmatched;
    throw new RangeError(
      `Cannot add an adapter to "${name}": it matches no module${nearest(name!, known) || ";"} ` +
        `The model has ${known.join(", ")}`,
    );
  }
  const alone = { target_modules: wanted };
  if (typeof wanted === "string" && matchModules(layout, alone).linear.length === 0) {
    // A name by itself is the most likely meaning of a text that matches nothing.
    throw new RangeError(
      `Cannot add an adapter: target_modules ${
        JSON.stringify(wanted)
      } matches no linear layer as a regular expression ` +
        `of the whole name${nearest(wanted, known)} The model has ${known.join(", ")}, e.g. ${
          linear[0]
        }; a list takes ` +
        "ends of names",
    );
  }
  throw new RangeError(
    `Cannot add an adapter: nothing is left of target_modules ${JSON.stringify(wanted)}` +
      `${layers ? ` in layers ${layers.join(", ")}` : ""}${given.exclude_modules ? " without exclude_modules" : ""}` +
      `${given.modules_to_save ? " beside modules_to_save" : ""}`,
  );
}

/** Whether a module, or one that it is part of, has a name that ends with a text (PEFT utils/other.py `_set_trainable`). */
function isWithin(module: string, end: string): boolean {
  const parts = module.split(".");
  return parts.some((_, i) => parts.slice(0, i + 1).join(".").endsWith(end));
}

function savedParameters({ parameters, repeated }: Layout, names: readonly string[]): Set<string> {
  const saved = new Set<string>();
  for (const name of names) {
    const found = parameters.filter((parameter) => isWithin(moduleOf(parameter.name), name));
    if (found.length === 0 && repeated.some((head) => isWithin(moduleOf(head), name))) {
      throw new RangeError(
        `Cannot train "${name}" of modules_to_save: it is the embedding itself (tie_word_embeddings); take embed_tokens ` +
          "alone, which trains as both, as PEFT has it with ensure_weight_tying: true",
      );
    }
    if (found.length === 0) {
      const known = kinds(parameters.map(({ name }) => moduleOf(name)));
      throw new RangeError(
        `Cannot train "${name}" of modules_to_save: it matches no module${nearest(name, known) || ";"} ` +
          `The model has ${known.join(", ")}`,
      );
    }
    for (const parameter of found) saved.add(parameter.name);
  }
  return saved;
}
