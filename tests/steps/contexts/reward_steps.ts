/** A step's context for tests: tables from memory, events kept. */
import type { ColumnTable } from "arquero";
import { emptyTable } from "../../../data/tables/mod.ts";
import type { StepContext, StepEvent, TableName } from "../../../steps/step.ts";

export interface TestContext extends StepContext {
  readonly events: StepEvent[];
}

/** Tables to whose rows steps add theirs. */
const WRITTEN_TO: readonly TableName[] = ["settings", "metrics"];

/** A context that has `tables` and nothing else; `workflow` is the workflow file's folder. */
export function stepContext(
  tables: Partial<Record<TableName, ColumnTable>>,
  { workflow = "/", run = "/", signal = new AbortController().signal, runId = "test" } = {},
): TestContext {
  const events: StepEvent[] = [];
  const missing = (what: string) => (): never => {
    throw new Error(`the test gives no ${what}`);
  };
  return {
    runId,
    seed: 7,
    device: "cpu",
    backend: "ffi",
    threads: 1,
    deterministic: false,
    stepId: "step",
    trainStep: 1,
    signal,
    folders: { project: "/", workflow, run },
    table: (name) => tables[name] ?? (WRITTEN_TO.includes(name) ? emptyTable(name) : missing(`table ${name}`)()),
    history: missing("history"),
    resource: missing("resource"),
    advance: missing("advance"),
    write: () => {},
    position: 0,
    safePoint: () => Promise.resolve(),
    events,
    emit: (event) => void events.push(event),
  };
}
