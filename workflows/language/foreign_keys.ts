/** Where a key of another system, of another step, or a short name that everybody uses, is written here. @module */
import { z } from "zod";
import { suggest } from "../../data/did_you_mean.ts";
import { findOption, optionPlaces } from "../../data/options.ts";
import type { StepKinds } from "./schema.ts";

/** Short names in common use, and ours; the table of options has the names of systems. */
const EVERYDAY: ReadonlyMap<string, string> = new Map([
  ["lr", "learning_rate"],
  ["wd", "weight_decay"],
  ["bs", "batch_size"],
  ["temp", "temperature"],
  ["max_tokens", "max_new_tokens"],
  ["eps", "epsilon"],
  ["adam_eps", "epsilon"],
  ["epsilon_low", "clip_low"],
  ["eps_low", "clip_low"],
  ["clip_eps", "clip_low"],
  ["clip_epsilon", "clip_low"],
  ["eps_high", "clip_high"],
  ["grad_clip", "max_grad_norm"],
]);

/** Where an unknown key stands. */
interface KeyPlace {
  readonly uses: string;
  /** Keys from `with` to the map that it is in. */
  readonly within: readonly (string | number)[];
}

/** The same of a key at the head of a workflow, where it is none of those that stand there misspelt. */
export function strayKey(key: string, known: readonly string[], kinds: StepKinds): string | null {
  return suggest(key, known) === null ? foreignKey(key, { uses: "", within: [] }, kinds) : null;
}

/**
 * What is said of a key that another system or another step has, as the end of a sentence; null where nobody is known to
 * have it.
 */
export function foreignKey(key: string, { uses, within }: KeyPlace, kinds: StepKinds): string | null {
  const at = [uses, ...within].join(".");
  const peft = findOption(`peft_config.${key}`, "trl"), plain = findOption(key, null);
  const option = within.length > 0 ? peft ?? plain : plain ?? peft;
  const ours = option === null ? EVERYDAY.get(key) : undefined;
  if (option === null && ours === undefined) {
    const owners = stepsWith(key, kinds);
    return owners.length > 0 ? `; it is ${toldOfSteps(owners)}` : null;
  }
  const { here, instead } = option === null ? { here: [ours!], instead: null } : optionPlaces(option);
  const places = here.flatMap((place) => stepsWith(place, kinds));
  const own = places.find((place) => parentOf(place) === at),
    inStep = places.find((place) => place.startsWith(`${uses}.`));
  const chosen = own ?? inStep;
  const name = chosen !== undefined ? told(chosen, at) : places.length > 0 ? toldOfSteps(places) : null;
  const parts = [...(name === null ? [] : [`it is ${name}`]), ...(instead === null ? [] : [instead])];
  return parts.length === 0 ? null : `; ${parts.join("; ")}`;
}

const parentOf = (place: string) => place.slice(0, place.lastIndexOf("."));

/** `STEP.KEY` of every step that has it, for a place without a step; one with a step as it is. */
function stepsWith(place: string, kinds: StepKinds): string[] {
  const [first, ...rest] = place.split(".");
  if (rest.length > 0 && Object.hasOwn(kinds, first!)) return [place];
  return Object.keys(kinds).filter((name) => has(kinds[name]!.params, place.split("."))).map((name) =>
    `${name}.${place}`
  );
}

/** Whether a schema has an option, or one inside of another. */
function has(schema: z.ZodType, [key, ...rest]: readonly string[]): boolean {
  const inner = bare(schema), shape = inner instanceof z.ZodObject ? inner.shape as Record<string, z.ZodType> : {};
  if (key === undefined || !Object.hasOwn(shape, key)) return false;
  return rest.length === 0 || has(shape[key]!, rest);
}

function bare(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? bare(schema.unwrap() as z.ZodType)
    : schema;
}

/** `"rank" in lora of load_model`, or the name alone where it stands in the same map. */
function told(place: string, at: string): string {
  const [step, ...keys] = place.split("."), key = keys.pop()!;
  if (parentOf(place) === at) return `"${key}" here`;
  return `"${key}"${keys.length > 0 ? ` in ${keys.join(".")}` : ""} of ${step}`;
}

/** The same of places in several steps. */
function toldOfSteps(places: readonly string[]): string {
  const groups = Map.groupBy(places, (place) => place.slice(place.indexOf(".") + 1));
  return [...groups].map(([key, own]) => {
    const steps = own.map((place) => place.slice(0, place.indexOf(".")));
    const keys = key.split("."), last = keys.pop()!;
    const list = steps.length > 1 ? `${steps.slice(0, -1).join(", ")} or ${steps.at(-1)}` : steps[0]!;
    return `"${last}"${keys.length > 0 ? ` in ${keys.join(".")}` : ""} of ${list}`;
  }).join(", or ");
}
