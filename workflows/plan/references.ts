/** Checks that every look-up of a document names something that exists and, in a value, has run by then. @module */
import { conditionsOf, isConditionPath, valueTexts } from "./conditions.ts";
import type { Path, Problem } from "../language/problems.ts";
import { ExpressionError, type LookUp, parseCondition } from "../language/expression_syntax.ts";
import { expressionTexts, lookUpOf, lookUpsOf, RUN_NAMES } from "../language/expressions.ts";
import type { WorkflowDocument } from "../language/schema.ts";
import { outputsOf } from "./outputs.ts";
import type { Known } from "./sites.ts";
import { didYouMean } from "../../data/did_you_mean.ts";

/** Look-ups that cannot be read or found. */
export function referenceProblems(document: WorkflowDocument, known: Known): Problem[] {
  const literal = ["params", "strategy"] as const;
  return [
    ...literal.flatMap((key) =>
      expressionTexts(document[key], [key]).map(({ path, text }) => ({
        path,
        offset: text.indexOf("${{"),
        message: `"${key}" holds values, no expressions`,
      }))
    ),
    ...conditionsOf(document.steps).flatMap(({ path, text }) =>
      readable(path, () => lookUpOf(parseCondition(text)) ?? [], known)
    ),
    ...valueTexts(document).flatMap(({ path, text }) => readable(path, () => lookUpsOf(text), known)),
  ];
}

function readable(path: Path, read: () => LookUp | LookUp[], known: Known): Problem[] {
  try {
    return [read()].flat().flatMap((lookUp) => {
      const message = lookUpProblem(lookUp, path, known);
      return message === null ? [] : [{ path, offset: lookUp.offset, message }];
    });
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return [{ path, offset: error.offset, message: error.message }];
  }
}

function lookUpProblem(lookUp: LookUp, path: Path, known: Known): string | null {
  const { root, name, text } = lookUp;
  if (root === "params") return missing("parameter", name, Object.keys(known.params));
  if (root === "run") {
    return earlyProblem(path, text) ?? missing("value of the run", name, Object.keys(RUN_NAMES));
  }
  if (root === "matrix") {
    if (!known.hasMatrix && Object.keys(known.matrix).length === 0) {
      return `"${text}" needs a "strategy.matrix", and there is none`;
    }
    return missing("matrix axis", name, Object.keys(known.matrix));
  }
  return earlyProblem(path, text) ?? stepProblem(lookUp, path, known);
}

function missing(what: string, name: string, names: readonly string[]): string | null {
  return names.includes(name) ? null : `unknown ${what} "${name}"${didYouMean(name, names)}`;
}

/** `steps` and `run` are known during the run only: not in settings, counts and names. */
function earlyProblem(path: Path, text: string): string | null {
  if (path.includes("with") || isConditionPath(path)) return null;
  return `"${text}" is known only during the run; "${
    path.findLast((part) => typeof part === "string")
  }" can look up params and matrix`;
}

function stepProblem({ id, name, text }: LookUp, path: Path, known: Known): string | null {
  const index = known.sites.findIndex((site) => site.id === id);
  const target = known.sites[index];
  if (target === undefined) return `unknown step "${id}"${didYouMean(id, known.sites.map((site) => site.id))}`;
  const kind = known.kinds[target.entry.uses];
  if (kind === undefined) return null;
  const outputs = outputsOf(kind);
  if (!outputs.open && !outputs.types.has(name)) {
    return `step "${id}" has no output "${name}"${didYouMean(name, [...outputs.types.keys()])}`;
  }
  return orderProblem(text, index, path, known);
}

/** A look-up of the step at an index that has not run by then. */
function orderProblem(text: string, index: number, path: Path, { sites }: Known): string | null {
  const { blocks } = sites[index]!, isCondition = isConditionPath(path);
  if (isCondition && path.at(-1) === "until") {
    const block = path.slice(0, -1).join(".");
    const before = blocks.includes(block) || index < sites.findIndex((site) => site.blocks.includes(block));
    return before ? null : `"${text}" looks up a step that runs after this block`;
  }
  const prefix = path.join("."), here = sites.findIndex((site) => prefix.startsWith(`${site.path.join(".")}.`));
  if (index < here) return null;
  // A later step of the same block has run in the round before: a condition is false until then, a value has no answer.
  const again = isCondition && blocks.some((block) => sites[here]?.blocks.includes(block));
  return again
    ? null
    : `"${text}" looks up a step that has not run by then; it stands ${index === here ? "here" : "later"}`;
}
