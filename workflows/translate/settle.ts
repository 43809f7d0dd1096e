/** Holds translated settings against the steps as they are: what they do not take is told, never written. @module */
import { z } from "zod";
import { type Advantage, ADVANTAGES } from "../../steps/advantages/mod.ts";
import { STEPS } from "../../steps/mod.ts";
import { trainsAdapter } from "../../steps/options/lora.ts";
import type { Step } from "../../steps/step.ts";
import { WorkflowDocument } from "../language/schema.ts";
import { shownValue } from "./written.ts";
import type { Applied, Outcome, Settings, Target } from "./table.ts";

/** Options of the file itself, besides its steps. */
const FILE_DEFAULTS: Readonly<Record<string, unknown>> = { seed: 0 };

/** Options of the file that hold a number, as the language has them. */
const FILE_OPTIONS: Readonly<Record<string, z.ZodType>> = {
  seed: WorkflowDocument.shape.seed,
  "checkpoint.every": z.int().min(1),
  "checkpoint.keep": z.int().min(1),
  train_steps: z.int().min(1),
};

const stepOf = (target: string) => target.slice(0, target.indexOf("."));
const optionOf = (target: string) => target.slice(target.indexOf(".") + 1);

function shapeOf(step: string): Readonly<Record<string, z.ZodType>> | null {
  if (!Object.hasOwn(STEPS, step)) return null;
  const { params } = (STEPS as Readonly<Record<string, Step>>)[step]!;
  return params instanceof z.ZodObject ? params.shape as Record<string, z.ZodType> : {};
}

/** What a step does where its options say nothing and none is inherited. */
function inForce(step: string): Readonly<Record<string, unknown>> {
  const own = Object.hasOwn(STEPS, step) ? (STEPS as Readonly<Record<string, Step>>)[step]!.inForce : undefined;
  return own?.({ inherit_sampling: false } as never) ?? {};
}

/** What every estimator that has the option does without it; undefined where they differ. */
function ofEstimators(step: string, option: string): unknown {
  if (step !== "compute_advantages") return undefined;
  const values = Object.values<Advantage>(ADVANTAGES).flatMap(({ params }) => {
    const read = (params.shape as Record<string, z.ZodType>)[option]?.safeParse(undefined);
    return read?.success ? [read.data] : [];
  });
  return values.every((value) => value === values[0]) ? values[0] : undefined;
}

/** The value of a step's option where a workflow says nothing; undefined where there is none. */
export function ourDefault(target: Target): unknown {
  const step = stepOf(target), option = optionOf(target);
  if (step === "workflow") return FILE_DEFAULTS[option];
  const type = shapeOf(step)?.[option];
  const read = type?.safeParse(undefined), always = inForce(step);
  return read?.success && read.data !== undefined ? read.data : always[option] ?? ofEstimators(step, option);
}

/** What a workflow has instead of a value that is not taken. */
function standing(target: Target): string {
  const ours = ourDefault(target);
  return ours === undefined ? "" : `; ${shownValue(ours)} stands in its place`;
}

/** Why a step does not take a setting, or null. */
function refusal(target: Target, value: unknown): string | null {
  const step = stepOf(target), option = optionOf(target);
  if (step === "workflow") {
    const error = Object.hasOwn(FILE_OPTIONS, option) ? FILE_OPTIONS[option]!.safeParse(value).error : undefined;
    return error === undefined ? null : `${option} does not take ${shownValue(value)}: ${error.issues[0]!.message}`;
  }
  const shape = shapeOf(step);
  if (shape === null) return `there is no step ${step} here`;
  if (!Object.hasOwn(shape, option)) return `${step} has no option ${option}`;
  const { error } = shape[option]!.safeParse(value);
  return error === undefined
    ? null
    : `${step}.${option} does not take ${JSON.stringify(value)}: ${error.issues[0]!.message}${standing(target)}`;
}

/** Options of a step that its own check finds fault with, with its sentence. */
function faults(step: string, settings: Settings): Map<Target, string> {
  const own = Object.entries(settings).filter(([target]) => stepOf(target) === step);
  const { params, check } = (STEPS as Readonly<Record<string, Step>>)[step]!;
  const values = Object.fromEntries(own.map(([target, value]) => [optionOf(target), value]));
  const { data } = params.safeParse(values), found = new Map<Target, string>();
  for (const message of data === undefined ? [] : check?.(data as never) ?? []) {
    const named = [...message.matchAll(/\b(\w+)\b/g)].map(([, name]) => name!);
    const option = named.find((name) => Object.hasOwn(values, name));
    if (option !== undefined) found.set(`${step}.${option}`, message);
  }
  // Other systems mean the weights themselves; here a copy to sample from would be rounded.
  const { weights } = values;
  if (step === "load_model" && weights !== undefined && weights !== "float32" && data && !trainsAdapter(data)) {
    found.set("load_model.weights", `weights ${weights}: all weights train, and rounded ones cannot; want an adapter`);
  }
  return found;
}

/**
 * The settings that the steps take, and the outcomes with what they do not as not supported.
 *
 * used        steps of the workflow
 * otherwise   what stands in the place of a refused value that the workflow cannot do without
 */
export function settle(
  { outcomes, settings }: Pick<Applied, "outcomes" | "settings">,
  used: readonly string[],
  otherwise: Settings = {},
): Pick<Applied, "outcomes" | "settings"> {
  const refused = new Map<Target, string>();
  for (const [target, value] of Object.entries(settings) as [Target, unknown][]) {
    const why = refusal(target, value) ??
      (used.includes(stepOf(target)) || stepOf(target) === "workflow"
        ? null
        : `the workflow has no step ${stepOf(target)}`);
    if (why !== null) refused.set(target, why);
  }
  const instead = () =>
    Object.fromEntries(
      [...refused.keys()].flatMap((target) => {
        const value = otherwise[target],
          isUsable = value !== undefined && (ourDefault(target) === undefined || stepOf(target) === "workflow");
        return isUsable && refusal(target, value) === null ? [[target, value] as const] : [];
      }),
    );
  // What stands in the place of a refused value counts for the options that need it.
  const taken = () => ({
    ...Object.fromEntries(Object.entries(settings).filter(([target]) => !refused.has(target as Target))),
    ...instead(),
  });
  for (const step of used.filter((step) => Object.hasOwn(STEPS, step))) {
    // What is taken out may make another option idle.
    for (let i = 0; i < 10; i++) {
      const found = faults(step, taken());
      if (found.size === 0) break;
      for (const [target, why] of found) refused.set(target, why);
    }
  }
  for (const [target, value] of Object.entries(instead()) as [Target, unknown][]) {
    refused.set(target, `${refused.get(target)}; ${shownValue(value)} stands in its place`);
  }
  const told = new Set<Target>();
  const settled = outcomes.map((outcome) => settledOutcome(outcome, refused, told));
  const silent = [...refused].filter(([target]) => !told.has(target)).map(([target, why]): Outcome => ({
    option: target,
    value: settings[target] as Outcome["value"],
    line: 0,
    class: "not_supported",
    set: {},
    text: why,
  }));
  return { outcomes: [...settled, ...silent], settings: inOrder(taken()) };
}

/** Options in the order in which their step lists them. */
function inOrder(settings: Settings): Settings {
  const place = (target: string) => Object.keys(shapeOf(stepOf(target)) ?? {}).indexOf(optionOf(target));
  return Object.fromEntries(Object.entries(settings).sort(([a], [b]) => place(a) - place(b)));
}

function settledOutcome(outcome: Outcome, refused: ReadonlyMap<Target, string>, told: Set<Target>): Outcome {
  const targets = Object.keys(outcome.set) as Target[], lost = targets.filter((target) => refused.has(target));
  if (lost.length === 0) return outcome;
  for (const target of lost) told.add(target);
  const why = [...new Set(lost.map((target) => refused.get(target)!))].join("; ");
  const kept = Object.fromEntries(Object.entries(outcome.set).filter(([target]) => !refused.has(target as Target)));
  const text = [outcome.text, why].filter((part) => part !== "").join("; ");
  return Object.keys(kept).length > 0
    ? { ...outcome, set: kept, text }
    : { ...outcome, class: "not_supported", set: {}, text };
}
