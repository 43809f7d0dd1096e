/**
 * Checks what stands in a step's `with` against its step kind, as far as it is known before the run.
 * @module
 */
import type { Path, Problem } from "./problems.ts";
import { expressionTexts, lookUpsOf } from "./expressions.ts";
import type { StepKinds } from "./schema.ts";
import { didYouMean } from "../../data/did_you_mean.ts";
import { zodProblems } from "./zod_problems.ts";

/** Unknown step kind, as a problem at `uses`; null if it is known. */
export function kindProblem(uses: string, kinds: StepKinds, path: Path): Problem | null {
  if (Object.hasOwn(kinds, uses)) return null;
  return { path: [...path, "uses"], message: `unknown step kind "${uses}"${didYouMean(uses, Object.keys(kinds))}` };
}

/**
 * What is wrong with the parameters of one step. Values that hold an expression are left to the time when it is
 * answered; everything else is checked now.
 */
export function withProblems(
  uses: string,
  params: unknown,
  kinds: StepKinds,
  path: Path,
  isAnswered = false,
): Problem[] {
  const base = [...path, "with"];
  const unanswered = isAnswered ? unansweredProblems(params, base) : [];
  if (unanswered.length > 0) return unanswered;
  const open = isAnswered ? [] : expressionTexts(params).map((entry) => entry.path);
  const isOpen = (at: Path) =>
    open.some((inner) => at.slice(base.length).every((part, index) => inner[index] === part));
  return zodProblems(kinds[uses]!.params, params, base).filter((problem) => problem.key || !isOpen(problem.path));
}

/** Look-ups that are still there when the run has answered all it can. */
function unansweredProblems(params: unknown, base: Path): Problem[] {
  return expressionTexts(params, base).flatMap(({ path, text }) =>
    lookUpsOf(text).map((lookUp) => ({
      path,
      offset: lookUp.offset,
      message: `"${lookUp.text}" has no value: the step has not run`,
    }))
  );
}

/** What the step kind itself says cannot work, for parameters that passed `withProblems` and hold no expression. */
export function checkProblems(
  uses: string,
  params: Readonly<Record<string, unknown>> | unknown,
  kinds: StepKinds,
  path: Path,
): Problem[] {
  const kind = kinds[uses]!;
  const parsed = kind.params.safeParse(params);
  if (!parsed.success || expressionTexts(params).length > 0) return [];
  return (kind.check?.(parsed.data) ?? []).map((message) => {
    // The message names the parameter it speaks of, in quotes or plainly: point there.
    const named = [...message.matchAll(/"(\w+)"/g), ...message.matchAll(/\b(\w+)\b/g)].map(([, name]) => name!);
    const key = named.find((name) => Object.hasOwn(params as object, name));
    return { path: key === undefined ? [...path, "uses"] : [...path, "with", key], message };
  });
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
    const params = entry.with ?? {};
    return typeof params === "object" && !Array.isArray(params) ? withProblems(entry.uses, params, kinds, here) : [];
  });
}
