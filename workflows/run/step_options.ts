/** Reads the options of a stored run's steps out of its resolved workflow, the text of a YAML file. @module */
import { parse } from "yaml";
import { orElse } from "../../data/file_system.ts";
import { type Scope, substitute } from "../language/expressions.ts";

type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields => typeof value === "object" && value !== null ? value as Fields : {};
export const listOf = (value: unknown): readonly unknown[] => Array.isArray(value) ? value : [];

/** What each step is given, those of blocks too, in the order of the file, parameters answered; none of what is no workflow. */
export function optionsIn(workflow: string): Fields[] {
  const { steps, params } = fieldsOf(orElse(() => parse(workflow) as unknown, null));
  const scope = { params: fieldsOf(params) } as Scope;
  return stepsIn(orElse(() => substitute(steps, scope), steps)).map((step) => fieldsOf(step["with"]));
}

/** The steps in the order of the file, those of blocks too. */
const stepsIn = (steps: unknown): Fields[] =>
  listOf(steps).map(fieldsOf).flatMap((step) => Array.isArray(step["steps"]) ? stepsIn(step["steps"]) : [step]);
