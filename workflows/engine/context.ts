/**
 * The context a step sees: its window on tables, resources and safe points, closed when the step is given up.
 * @module
 */
import { setImmediate } from "node:timers";
import type { ResourceName, StepContext, StepResult, TableWrites } from "../../steps/step.ts";
import type { Resources } from "../../steps/resources/mod.ts";
import { outputsOf } from "../plan/outputs.ts";
import type { PlannedStep } from "../plan/plan.ts";
import type { Output, RunState } from "./run_state.ts";

/** A step was left at a safe point because the run stops. */
export class StopAtSafePoint extends Error {
  override readonly name = "StopAtSafePoint";
}

export interface Attempt {
  readonly context: StepContext;
  /** The last position given to `safePoint`. */
  readonly position: number;
  /** Every later call of the context but `emit` throws `reason`: the step is no longer waited for. */
  close(reason: Error): void;
}

interface AttemptOptions {
  readonly position: number;
  readonly signal: AbortSignal;
  readonly restoring: boolean;
  readonly isStopping: () => boolean;
  /** A positioned safe point was passed. `advanced`: the step counts train steps by itself. */
  readonly reached: (position: number, advanced: boolean) => Promise<void>;
}

const BREATH_MS = 10; // Ms between turns of the event loop: safe points may come with every sampled token.
let breathed = 0;

/** Lets the event loop turn now and then, so that signals and timers are heard (a resolved promise alone does not). */
export async function breathe(): Promise<void> {
  if (performance.now() - breathed < BREATH_MS) return;
  await new Promise<void>((resolve) => setImmediate(resolve));
  breathed = performance.now();
}

/** Opens the context of one try. */
export function openAttempt(state: RunState, step: PlannedStep, options: AttemptOptions): Attempt {
  const { plan, environment, tables } = state;
  let closed: Error | null = null;
  let position = options.position;
  let advanced = false;
  const open = () => {
    if (closed !== null) throw closed;
  };
  const { device, backend, threads } = environment;
  const context: StepContext = {
    runId: state.runId,
    seed: plan.settings.seed,
    device,
    backend,
    threads,
    deterministic: plan.settings.deterministic,
    stepId: step.id,
    get trainStep() {
      return tables.trainStep;
    },
    times: state.times,
    signal: options.signal,
    folders: state.folders,
    restoring: options.restoring,
    table(name) {
      open();
      return tables.table(name);
    },
    history(name, trainSteps) {
      open();
      return tables.history(name, trainSteps);
    },
    resource<Name extends ResourceName>(name: Name): Resources[Name] {
      open();
      const found = state.resources.get(name);
      if (found === undefined) {
        const has = [...state.resources.keys()].join(", ") || "none";
        throw new Error(`Cannot run step "${step.id}": no earlier step gave resource "${name}"; the run has ${has}`);
      }
      return found as Resources[Name];
    },
    advance() {
      open();
      if (options.restoring) throw new Error(`Cannot restore step "${step.id}": it counts train steps while restoring`);
      state.endTrainStep();
      advanced = true;
      return tables.advance();
    },
    async give(resources) {
      open();
      await state.give(resources, step.id);
    },
    write(written) {
      open();
      if (!options.restoring) state.write(checkWrites(step, written), step.id);
    },
    position: options.position,
    async safePoint(reached) {
      open();
      if (options.restoring) return;
      if (reached !== undefined) {
        position = reached;
        tables.mark();
        await options.reached(reached, advanced);
      }
      await breathe();
      open();
      if (options.isStopping()) throw new StopAtSafePoint(`Step "${step.id}" stops at position ${position}`);
    },
    // Also once the step is over: what its code says late still belongs to the run.
    emit(event) {
      if (!options.restoring) state.emit({ ...event, step: step.id });
    },
  };
  return {
    context,
    get position() {
      return position;
    },
    close(reason) {
      closed = reason;
    },
  };
}

/** A step writes what it says it writes: the plan was checked with that. */
export function checkWrites(step: PlannedStep, tables: TableWrites): TableWrites {
  for (const name of Object.keys(tables)) {
    if (Object.hasOwn(step.kind.writes, name)) continue;
    const list = Object.keys(step.kind.writes).join(", ") || "none";
    throw new TypeError(`Cannot take table "${name}" from step "${step.id}": "${step.uses}" writes ${list}`);
  }
  return tables;
}

/** A step gives the outputs that it declares: nobody could look up what it gives besides. */
export function checkOutputs(step: PlannedStep, given: NonNullable<StepResult["outputs"]>): Record<string, Output> {
  const { success, data, error } = step.kind.outputs.safeParse(given);
  const issue = error?.issues[0];
  const strange = success
    ? Object.keys(given).find((name) => !Object.hasOwn(data as object, name))
    : issue?.code === "unrecognized_keys"
    ? issue.keys[0]
    : undefined;
  if (strange !== undefined) {
    const list = [...outputsOf(step.kind).types.keys()].join(", ") || "none";
    throw new TypeError(
      `Cannot finish step "${step.id}": it gave output "${strange}" that "${step.uses}" does not declare, want one of ` +
        `${list}; add it to its outputs`,
    );
  }
  if (success) return data as Record<string, Output>;
  throw new TypeError(`Cannot take outputs of step "${step.id}": "${issue!.path.join(".")}": ${issue!.message}`);
}
