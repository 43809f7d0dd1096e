/**
 * What a workflow may do besides computing and writing its own run: read off the plan, before anything of it happens.
 * @module
 */
import type { StepGrant } from "../../steps/step.ts";
import { formatPath, type Path, toIssues } from "../language/problems.ts";
import { type Plan, stepsOf } from "./plan.ts";

/** One thing that needs a person's word, with where it is asked for. */
interface Grant extends Pick<StepGrant, "text"> {
  /** file:line:column, or the path in a workflow written in TypeScript. */
  readonly place: string;
  readonly path: Path;
}

/** In the order of the file; none for most workflows. */
export function grantsOf(plan: Plan): Grant[] {
  const asked = stepsOf(plan.steps).flatMap(({ kind, with: written, path }) =>
    (kind.grants?.(written, plan.folder) ?? []).map(({ text, key }) => ({ text, path: [...path, "with", ...key] }))
  );
  return asked.map((grant) => {
    const [issue] = toIssues([{ path: grant.path, message: grant.text }], plan.source);
    const { file, position } = issue!;
    const place = position === null ? formatPath(grant.path) : `${position.line}:${position.column}`;
    return { ...grant, place: `${file}:${place}` };
  });
}
