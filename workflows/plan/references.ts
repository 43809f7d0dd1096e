/**
 * Checks that every look-up of a document names something that exists and, in a value, has run by then.
 * @module
 */
import { conditionsOf, outputsOf } from "./conditions.ts";
import type { Path, Problem } from "../language/problems.ts";
import { ExpressionError, parseCondition } from "../language/expression_syntax.ts";
import { expressionTexts, type LookUp, lookUpOf, lookUpsOf, RUN_NAMES } from "../language/expressions.ts";
import type { Combination } from "./matrix.ts";
import type { StepKinds, Value, WorkflowDocument } from "../language/schema.ts";
import type { StepSite } from "./sites.ts";
import { didYouMean } from "../../data/did_you_mean.ts";

/** What look-ups may name. */
export interface Known {
  readonly params: Readonly<Record<string, Value>>;
  readonly matrix: Combination;
  readonly hasMatrix: boolean;
  readonly sites: readonly StepSite[];
  readonly kinds: StepKinds;
}

/** Look-ups that cannot be read or found. */
export function referenceProblems(document: WorkflowDocument, known: Known): Problem[] {
  const { params, strategy, ...rest } = document;
  const literal = [...expressionTexts(params, ["params"]), ...expressionTexts(strategy, ["strategy"])].map((
    { path, text },
  ) => ({
    path,
    offset: text.indexOf("${{"),
    message: `"${path[0]}" holds values, no expressions`,
  }));
  const conditions = conditionsOf(document.steps).flatMap(({ path, text }) =>
    readable(
      path,
      () => {
        const lookUp = lookUpOf(parseCondition(text));
        return lookUp === null ? [] : [lookUp];
      },
      known,
      true,
    )
  );
  const values = expressionTexts(rest)
    .filter(({ path }) => path.includes("with") || (path.at(-1) !== "if" && path.at(-1) !== "until"))
    .flatMap(({ path, text }) => readable(path, () => lookUpsOf(text), known, false));
  return [...literal, ...conditions, ...values];
}

function readable(path: Path, read: () => LookUp[], known: Known, isCondition: boolean): Problem[] {
  try {
    return read().flatMap((lookUp) => {
      const message = lookUpProblem(lookUp, path, known, isCondition);
      return message === null ? [] : [{ path, offset: lookUp.offset, message }];
    });
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return [{ path, offset: error.offset, message: error.message }];
  }
}

function lookUpProblem(lookUp: LookUp, path: Path, known: Known, isCondition: boolean): string | null {
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
  return earlyProblem(path, text) ?? stepProblem(lookUp, path, known, isCondition);
}

function missing(what: string, name: string, names: readonly string[]): string | null {
  return names.includes(name) ? null : `unknown ${what} "${name}"${didYouMean(name, names)}`;
}

/** `steps` and `run` are known during the run only: not in settings, counts and names. */
function earlyProblem(path: Path, text: string): string | null {
  if (path.includes("with") || path.at(-1) === "if" || path.at(-1) === "until") return null;
  return `"${text}" is known only during the run; "${
    path.findLast((part) => typeof part === "string")
  }" can look up params and matrix`;
}

function stepProblem({ id, name, text }: LookUp, path: Path, known: Known, isCondition: boolean): string | null {
  const index = known.sites.findIndex((site) => site.id === id);
  const target = known.sites[index];
  if (target === undefined) return `unknown step "${id}"${didYouMean(id, known.sites.map((site) => site.id))}`;
  const kind = known.kinds[target.entry.uses];
  if (kind === undefined) return null;
  const outputs = outputsOf(kind);
  if (!outputs.open && !outputs.types.has(name)) {
    return `step "${id}" has no output "${name}"${didYouMean(name, [...outputs.types.keys()])}`;
  }
  const prefix = path.join(".");
  if (isCondition && path.at(-1) === "until") {
    const block = path.slice(0, -1).join(".");
    const before = target.blocks.includes(block) ||
      index < known.sites.findIndex((site) => site.blocks.includes(block));
    return before ? null : `"${text}" looks up a step that runs after this block`;
  }
  const here = known.sites.findIndex((site) => prefix.startsWith(`${site.path.join(".")}.`));
  if (index < here) return null;
  // A later step of the same block has run in the round before: a condition is false until then, a value has no answer.
  const again = isCondition && target.blocks.some((block) => known.sites[here]?.blocks.includes(block));
  return again
    ? null
    : `"${text}" looks up a step that has not run by then; it stands ${index === here ? "here" : "later"}`;
}
