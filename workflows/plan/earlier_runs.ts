/**
 * Answers `run:last` and `run:NAME` in parameters: the newest run of this workflow, or of another, that ended well with a
 * model. `run:last || MODEL` names what is taken while there is none.
 *
 * It is answered once, by the run's id, before anything is planned: a resume goes on with the same model.
 * @module
 */
import { isRepeat } from "../language/schema.ts";
import type { LoadedWorkflow } from "../language/parse.ts";
import { type Path, type Problem, refuse } from "../language/problems.ts";
import type { Entry, Value } from "../language/schema.ts";

/** Id of the newest run of a workflow that ended well with a model; null where there is none. */
export type NewestRun = (workflow: string) => string | null;

const EARLIER = /^\s*run:([a-z][a-z0-9_]*)\s*(?:\|\|\s*(\S.*?)\s*)?$/;

/** The workflow with every `run:NAME` answered. Throws WorkflowError where there is no such run and nothing instead. */
export function withEarlierRuns(loaded: LoadedWorkflow, newest: NewestRun): LoadedWorkflow {
  const { document, source } = loaded, problems: Problem[] = [];
  const answer = (value: unknown, path: Path) => answered(value, document.name, newest, path, problems);
  const params = answer(document.params, ["params"]) as typeof document.params;
  const steps = entries(document.steps, ["steps"], answer);
  refuse(problems, source);
  return { ...loaded, document: { ...document, params, steps } };
}

/** A parameter of the command line with its run answered. */
export function earlierRun(value: string | Value, workflow: string, newest: NewestRun): string | Value {
  const problems: Problem[] = [];
  const found = answered(value, workflow, newest, [], problems) as string | Value;
  if (problems.length > 0) throw new RangeError(`Cannot use -p: ${problems[0]!.message}`);
  return found;
}

function entries(list: readonly Entry[], path: Path, answer: (value: unknown, path: Path) => unknown): Entry[] {
  return list.map((entry, index) => {
    const here = [...path, index];
    if (isRepeat(entry)) return { ...entry, steps: entries(entry.steps, [...here, "steps"], answer) };
    return { ...entry, with: answer(entry.with, [...here, "with"]) as typeof entry.with };
  });
}

function answered(value: unknown, workflow: string, newest: NewestRun, path: Path, problems: Problem[]): unknown {
  const inside = (item: unknown, key: string | number) => answered(item, workflow, newest, [...path, key], problems);
  if (Array.isArray(value)) return value.map(inside);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inside(item, key)]));
  }
  const match = typeof value === "string" ? EARLIER.exec(value) : null;
  if (match === null) return value;
  const name = match[1] === "last" ? workflow : match[1]!, found = newest(name) ?? match[2];
  if (found !== undefined) return found;
  problems.push({
    path,
    message:
      `"${value}" names the newest run of "${name}" that ended well with a model, and there is none; for the first run ` +
      `name what it starts from: run:${match[1]} || small_qwen2`,
  });
  return value;
}
