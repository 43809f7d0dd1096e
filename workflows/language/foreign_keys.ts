/** Where a key of another system, or one that was renamed, is written here: by the one table of options. @module */
import { z } from "zod";
import { findOption, optionPlaces } from "../../data/options.ts";
import type { StepKinds } from "./schema.ts";

/** Keys of ours that were called otherwise before. */
const FORMER: Readonly<Record<string, string>> = {
  "load_critic.weights": "load_critic.body",
  "load_critic.lora.from": "load_critic.adapter",
  "load_model.lora.from": "load_model.adapter",
  "load_reward_model.lora": "load_reward_model.adapter",
  "train_reward_model.lora.from": "train_reward_model.adapter",
};

/** Where an unknown key stands. */
interface KeyPlace {
  readonly uses: string;
  /** Keys from `with` to the map that it is in. */
  readonly within: readonly (string | number)[];
}

/** What is said of a key that another system has, as the end of a sentence; null where nobody is known to have it. */
export function foreignKey(key: string, { uses, within }: KeyPlace, kinds: StepKinds): string | null {
  const at = [uses, ...within].join("."), former = FORMER[`${at}.${key}`];
  if (former !== undefined) return `; it is ${told(former, at)}`;
  const peft = findOption(`peft_config.${key}`, "trl"), plain = findOption(key, null);
  const option = within.length > 0 ? peft ?? plain : plain ?? peft;
  if (option === null) return null;
  const { here, instead } = optionPlaces(option), places = here.flatMap((place) => stepsWith(place, kinds));
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
