/** Variables and tools of the chat template, as load_model takes them. @module */
import { computed } from "./entries.ts";
import type { Entry, Made } from "./table.ts";
import { isRecord, isUnresolved, type Value, valueText } from "./written.ts";

/** Whether nothing in a value is only known when the program runs. */
function isKnown(value: Value): boolean {
  if (isUnresolved(value)) return false;
  if (Array.isArray(value)) return value.every(isKnown);
  return !isRecord(value) || !("()" in value) && Object.values(value).every(isKnown);
}

/** A dict, or one that a command line has as JSON. */
function readJson(value: Value): Value {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value) as Value;
  } catch (error) {
    if (error instanceof SyntaxError) return value;
    throw error;
  }
}

/** A dict of variables. */
export const chatVariables = (): Entry =>
  computed(undefined, (value): Made => {
    const own = readJson(value);
    if (own === null || isRecord(own) && Object.keys(own).length === 0) return { equal: "no further variables" };
    return isRecord(own) && isKnown(own)
      ? { set: { "load_model.chat_template_kwargs": own } }
      : { lacks: `it is "${valueText(value)}", want a dict: write it into chat_template_kwargs of load_model` };
  });

/** The one variable that has an option of its own. */
export const thinking = (): Entry =>
  computed(
    undefined,
    (value): Made =>
      typeof value === "boolean"
        ? { set: { "load_model.chat_template_kwargs": { enable_thinking: value } } }
        : { equal: "as the template has it" },
  );

/** Tools as JSON schemas; functions of a script are none. */
export const toolSchemas = (): Entry =>
  computed(undefined, (value): Made => {
    const own = readJson(value);
    if (own === null || Array.isArray(own) && own.length === 0) return { equal: "no tools" };
    return Array.isArray(own) && own.every((one) => isRecord(one) && isKnown(one))
      ? { set: { "load_model.tools": own }, note: "told to the model; its calls are not run" }
      : {
        lacks: "completions are one turn, whose calls are not run; write the functions' JSON schemas into tools of " +
          "load_model, which tells them to the model",
      };
  }, { asText: true });
