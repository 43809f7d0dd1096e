/** The context of a step that runs alone, outside of a run: to read prompts before a run, to load a policy after it. @module */
import { emptyTable } from "../../data/tables/mod.ts";
import type { StepContext } from "../../steps/step.ts";

/** What a step that runs alone must be told. */
type Told = "runId" | "seed" | "device" | "backend" | "threads" | "deterministic" | "stepId" | "folders" | "restoring";

/**
 * A context without a store: tables are empty, what is written or emitted goes nowhere, nobody asks for a stop. A step
 * that needs a resource, or counts train steps, cannot run in it.
 */
export function loneContext(told: Pick<StepContext, Told>): StepContext {
  const refuse = (what: string): never => {
    throw new Error(`Cannot run step "${told.stepId}" alone: it ${what}`);
  };
  return {
    ...told,
    trainStep: 0,
    signal: new AbortController().signal,
    position: 0,
    table: emptyTable,
    history: emptyTable,
    resource: (name) => refuse(`needs resource "${name}"`),
    advance: () => refuse("counts train steps"),
    write() {},
    safePoint: () => Promise.resolve(),
    emit() {},
  };
}
