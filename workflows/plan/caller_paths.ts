/** Reads paths that are given as parameters from where the person stands who gives them, not from the workflow's file. @module */
import { isAbsolute, resolve } from "node:path";
import { isThere } from "../../data/file_system.ts";
import { isAddress } from "../../data/hub/remote/repository.ts";
import type { PathParam } from "../../steps/step.ts";
import { ExpressionError, parseTemplate } from "../language/expression_syntax.ts";
import { expressionTexts } from "../language/expressions.ts";
import type { LoadedWorkflow } from "../language/parse.ts";
import type { StepKinds, Value } from "../language/schema.ts";
import { stepSites } from "./sites.ts";

/**
 * The overrides, those absolute that some step takes for a path: a text that begins a value which the step declares as
 * one. Defaults in the file stay relative to the file.
 */
export function pathsFromCaller<Given extends string | Value>(
  { document }: LoadedWorkflow,
  kinds: StepKinds,
  overrides: Readonly<Record<string, Given>>,
  caller: string,
): Record<string, Given | string> {
  const places = pathParams(document, kinds);
  return Object.fromEntries(
    Object.entries(overrides).map(([key, given]) => {
      const isPath = typeof given === "string" &&
        (places.get(key) ?? []).some((place) => isPathOf(given, place, caller));
      return [key, isPath ? resolve(caller, given) : given];
    }),
  );
}

/** Parameters of the workflow with what the steps take them for. */
function pathParams(document: LoadedWorkflow["document"], kinds: StepKinds): Map<string, PathParam[]> {
  const found = new Map<string, PathParam[]>();
  for (const { entry } of stepSites(document.steps)) {
    const paths = Object.hasOwn(kinds, entry.uses) ? kinds[entry.uses]!.paths ?? {} : {};
    for (const { path, text } of expressionTexts(entry.with)) {
      const place = path.map((key) => typeof key === "number" ? "*" : key).join(".");
      const name = Object.hasOwn(paths, place) ? firstParam(text) : null;
      if (name !== null) found.set(name, [...found.get(name) ?? [], paths[place]!]);
    }
  }
  return found;
}

/** The parameter that a text begins with; null where it begins with something else. */
function firstParam(text: string): string | null {
  try {
    const [first] = parseTemplate(text.trim());
    return typeof first === "object" && first.root === "params" ? first.name : null;
  } catch (error) {
    if (error instanceof ExpressionError) return null; // The plan says what is wrong with it.
    throw error;
  }
}

/** Of what may have a name as well, such as a run or a model of the Hub, a path is what looks like one, or is there. */
function isPathOf(text: string, place: PathParam, caller: string): boolean {
  if (text === "" || isAbsolute(text) || isAddress(text)) return false;
  if (place === "file") return true;
  return !place.includes(text) && (/^\.|[/\\].*[/\\]/.test(text) || isThere(resolve(caller, text)));
}
