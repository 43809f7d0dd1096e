/** Reads what stands in a step's `with` by its step kind, as far as it is known before the run. @module */
import type { Step } from "../../steps/step.ts";
import type { Path, Problem } from "./problems.ts";
import { expressionTexts, lookUpsOf } from "./expressions.ts";
import { foreignKey } from "./foreign_keys.ts";
import type { StepKinds } from "./schema.ts";
import { didYouMean } from "../../data/did_you_mean.ts";
import { readAs } from "./zod_problems.ts";

/** Unknown step kind, as a problem at `uses`; null if it is known. */
export function kindProblem(uses: string, kinds: StepKinds, path: Path): Problem | null {
  if (Object.hasOwn(kinds, uses)) return null;
  return { path: [...path, "uses"], message: `unknown step kind "${uses}"${didYouMean(uses, Object.keys(kinds))}` };
}

/** A step's `with` as its kind reads it. */
export interface StepParams {
  /** With defaults in place; null where something is wrong, or left open by an expression. */
  readonly params: Readonly<Record<string, unknown>> | null;
  readonly problems: readonly Problem[];
}

/** Reads a step's `with`. Values that hold an expression are left to the time when it is answered. */
export function readParams(uses: string, kinds: StepKinds, written: unknown, path: Path): StepParams {
  const base = [...path, "with"], kind = kinds[uses]!;
  const elsewhere = (key: string, within: Path) => foreignKey(key, { uses, within }, kinds);
  const { data, problems } = readAs(kind.params, written, base, elsewhere);
  const open = expressionTexts(written).map((entry) => entry.path);
  if (open.length === 0) return { params: (data ?? null) as StepParams["params"], problems };
  const isOpen = (at: Path) =>
    open.some((inner) => at.slice(base.length).every((part, index) => inner[index] === part));
  return { params: null, problems: problems.filter((problem) => problem.key || !isOpen(problem.path)) };
}

/** Look-ups that are still there when the run has answered all it can. */
export function unansweredProblems(written: unknown, path: Path): Problem[] {
  return expressionTexts(written, [...path, "with"]).flatMap(({ path, text }) =>
    lookUpsOf(text).map((lookUp) => ({
      path,
      offset: lookUp.offset,
      message: `"${lookUp.text}" has no value: the step has not run`,
    }))
  );
}

/** What the step kind itself says cannot work, where its parameters could be read. */
export function checkProblems(kind: Step, { params }: StepParams, written: unknown, path: Path): Problem[] {
  if (params === null) return [];
  return (kind.check?.(params) ?? []).map((message) => {
    // The message names the parameter it speaks of, in quotes or plainly: point there.
    const named = [...message.matchAll(/"(\w+)"/g), ...message.matchAll(/\b(\w+)\b/g)].map(([, name]) => name!);
    for (const name of named) {
      const keys = keyIn(written, name);
      if (keys !== null) return { path: [...path, "with", ...keys], message };
    }
    return { path: [...path, "uses"], message };
  });
}

/** Where a name is a key of a map, or of a map in it; null where it is none. */
function keyIn(written: unknown, name: string): Path | null {
  if (typeof written !== "object" || written === null || Array.isArray(written)) return null;
  if (Object.hasOwn(written, name)) return [name];
  for (const [key, value] of Object.entries(written)) {
    const inner = keyIn(value, name);
    if (inner !== null) return [key, ...inner];
  }
  return null;
}

/** Problems of every `with` in a document that failed its schema: so that a person hears of all typos at once. */
export function paramProblems(document: unknown, kinds: StepKinds): Problem[] {
  const steps = (document as { steps?: unknown }).steps;
  return entriesProblems(steps, kinds, ["steps"]);
}

function entriesProblems(steps: unknown, kinds: StepKinds, path: Path): Problem[] {
  if (!Array.isArray(steps)) return [];
  return steps.flatMap((entry: Record<string, unknown> | null, index) => {
    if (typeof entry !== "object" || entry === null) return [];
    const here = [...path, index];
    if ("steps" in entry) return entriesProblems(entry.steps, kinds, [...here, "steps"]);
    if (typeof entry.uses !== "string") return [];
    const unknown = kindProblem(entry.uses, kinds, here);
    if (unknown !== null) return [unknown];
    const written = entry.with ?? {};
    if (typeof written !== "object" || Array.isArray(written)) return [];
    return readParams(entry.uses, kinds, written, here).problems;
  });
}
