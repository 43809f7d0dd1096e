/** What the texts of options name is there: options of steps, their values, columns; or it is said whose it is. */
import assert from "node:assert/strict";
import { z } from "zod";
import { TABLES } from "../../data/columns.ts";
import { findOption } from "../../data/options.ts";
import { PLAIN_VERIFIERS } from "../../data/tasks/verifiers/mod.ts";
import { REWARDS } from "../../steps/rewards/mod.ts";
import { MODEL_PRESETS } from "../../steps/resources/model_presets.ts";
import { STEPS } from "../../steps/mod.ts";
import { none } from "./sources.ts";

type Json = Readonly<Record<string, unknown>>;

interface Texts {
  /** Of options, by where they stand. */
  readonly told: Map<string, string>;
  /** Names of options and of their values. */
  readonly names: Set<string>;
}

/** Every option beneath a schema. */
function read(schema: Json, place: string, found: Texts): Texts {
  if (typeof schema["description"] === "string") found.told.set(place, schema["description"]);
  for (const value of [schema["const"], ...(schema["enum"] as unknown[] ?? [])]) found.names.add(String(value));
  for (const [name, inner] of Object.entries(schema["properties"] as Json ?? {})) {
    found.names.add(name);
    read(inner as Json, `${place}.${name}`, found);
  }
  const inner = ["anyOf", "oneOf", "allOf"].flatMap((key) => schema[key] as Json[] ?? []);
  if (schema["items"]) inner.push(schema["items"] as Json);
  for (const one of inner) read(one, place, found);
  return found;
}

const ALL = Object.entries(STEPS).reduce<Texts>(
  (found, [name, { params }]) =>
    read(z.toJSONSchema(params, { io: "input", unrepresentable: "any" }) as Json, name, found),
  { told: new Map(), names: new Set() },
);

const KNOWN = new Set([
  ...ALL.names,
  ...[STEPS, TABLES, REWARDS, PLAIN_VERIFIERS, MODEL_PRESETS].flatMap(Object.keys),
  ...Object.keys(REWARDS).flatMap((name) => name.split("/")),
  ...Object.values(TABLES).flatMap(Object.keys),
  ...Object.values(PLAIN_VERIFIERS).flatMap(({ params }) => Object.keys(params.shape)),
]);

/** Names of others that a text gives beside ours, values that no schema lists, and examples. */
const OTHERS = new Set(
  ("input_layernorm layers_to_transform use_rslora init_lora_weights lora_dropout task_type enable_thinking " +
    "generation_config train_sft test_sft min_lr_ratio all_linear adapter_off kaiming_uniform bypass_mode " +
    "reinforce_baseline my_reward no_std_norm").split(" "),
);

/** Whether a word with underscores is ours, an option of another system, or the end of one (`no_std_norm`). */
const isKnown = (word: string) => KNOWN.has(word) || OTHERS.has(word) || findOption(word, null) !== null;

/** Words of a text that name nothing. */
const strange = (text: string) =>
  [...text.matchAll(/\b[a-z0-9]+(?:_[a-z0-9]+)+\b/g)].map(([word]) => word).filter((word) => !isKnown(word));

/** `OPTION of STEP` where the step has no such option. */
function misplaced(text: string): string[] {
  return [...text.matchAll(/\b(\w+) of (\w+)/g)].filter(([, option, step]) =>
    option !== "that" && option !== "those" && step!.includes("_") && Object.hasOwn(STEPS, step!) &&
    !Object.hasOwn((STEPS[step as keyof typeof STEPS].params as z.ZodObject).shape, option!)
  ).map(([all]) => all);
}

Deno.test("the texts of options name options, values and columns that there are", () => {
  assert(ALL.told.size > 200, `${ALL.told.size}`);
  none([...ALL.told].flatMap(([place, text]) => strange(text).map((word) => `${place}: ${word}`)), "Named by no one");
  none([...ALL.told].flatMap(([place, text]) => misplaced(text).map((words) => `${place}: ${words}`)), "Not there");
});

Deno.test("the text of an option is read at once: details stand in docs/", () => {
  none([...ALL.told].filter(([, text]) => text.length > 400).map(([place]) => place), "Longer than 400 characters");
});

Deno.test("a name that nothing has is found, and an option at a step that has none", () => {
  assert.deepEqual(strange("see sampler_gap; sampler_logprob_gap and TRL's num_generations"), ["sampler_gap"]);
  assert.deepEqual(misplaced("correction of apply_update, sampler_weights of apply_update"), [
    "correction of apply_update",
  ]);
});
