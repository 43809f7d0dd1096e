/** Walks the tree of a plan: rounds, tries, safe points; where it stands is the cursor of a checkpoint. @module */
import { setTimeout as sleep } from "node:timers/promises";
import { toldMessage } from "../terminal/told.ts";
import type { StepContext, StepResult } from "../../steps/step.ts";
import { evaluateCondition } from "../language/expressions.ts";
import { type PlannedBlock, type PlannedStep, type PlanNode, stepsOf } from "../plan/plan.ts";
import { answerParams } from "../plan/plan_workflow.ts";
import type { StepCache } from "../store/step_cache.ts";
import { type Attempt, breathe, checkOutputs, checkWrites, openAttempt, StopAtSafePoint } from "./context.ts";
import { elapsed, type Frame, type Gate, type RunState } from "./run_state.ts";
import { HardStop, Interrupted, type StopControl } from "./stop.ts";
import { StepTimeoutError, timeLimit } from "./time_limit.ts";

/** Why no further steps run, except those with `always()` or `failure()`. */
interface Halt {
  readonly status: "failed" | "stopped";
  readonly reason: string;
  readonly error: Error | null;
}

export class Execution {
  halt: Halt | null = null;
  /** A step was given up while it still ran: its resources may be in use. */
  abandoned = false;
  /** The kind of step that the last step wants run again. */
  #again: string | null = null;
  /** The train step that the run pauses after has ended. */
  #pausing = false;

  constructor(
    readonly state: RunState,
    readonly stop: StopControl,
    readonly cache: StepCache,
    readonly gate: Gate | null = null,
    /** The run pauses at the safe point after this train step. */
    readonly pauseAt: number = Infinity,
  ) {}

  /** Runs the plan from the start or from a checkpoint's cursor. */
  async run(resume: { readonly frames: readonly Frame[]; readonly position: number } | null): Promise<void> {
    await this.#walk(this.state.plan.steps, [], resume?.frames ?? [], resume?.position ?? 0);
  }

  /** Runs completed steps again for the resources they gave last; `state.give` puts the saved states back. */
  async restoreResources(current: readonly Frame[], position: number): Promise<void> {
    const running = position > 0 ? nodeAt(this.state.plan.steps, current) : null;
    const givers = new Map<string, string[]>();
    for (const [name, { step }] of this.state.givers) givers.set(step, [...(givers.get(step) ?? []), name]);
    for (const step of stepsOf(this.state.plan.steps)) {
      const names = givers.get(step.id);
      if (names === undefined || step === running) continue;
      const attempt = this.#open(step, 0, [], this.stop.signal, true);
      const result = await this.#run(step, answerParams(this.state.plan, step, this.state.scope), attempt.context);
      attempt.close(new Error(`Step "${step.id}" is over`));
      const given = Object.entries(result.resources ?? {});
      for (const [name, resource] of given) if (!names.includes(name)) resource?.release();
      await this.state.give(Object.fromEntries(given.filter(([name]) => names.includes(name))), step.id);
    }
    if (running !== null) return;
    for (const name of this.state.pending.keys()) {
      throw new Error(`Cannot resume: the checkpoint holds resource "${name}", which no step of the plan gives`);
    }
  }

  async #walk(
    nodes: readonly PlanNode[],
    above: readonly Frame[],
    resume: readonly Frame[],
    position: number,
  ): Promise<void> {
    const [head, ...rest] = resume;
    let resumed = head !== undefined;
    for (let index = head?.index ?? 0; index < nodes.length; index++, resumed = false) {
      const node = nodes[index]!;
      if (node.type === "step") {
        await this.#step(node, [...above, { index, round: 0 }], above.at(-1)?.round ?? 1, resumed ? position : 0);
        if (this.#again === null) continue;
        index = this.#indexAgain(nodes, index) - 1;
      } else if (this.halt === null) {
        await this.#block(node, above, index, resumed ? head!.round : 0, resumed ? rest : [], position);
      }
    }
  }

  /** The step that runs again: the last of the kind that a step named, before that step. */
  #indexAgain(nodes: readonly PlanNode[], from: number): number {
    const uses = this.#again;
    this.#again = null;
    const before = nodes.slice(0, from).findLastIndex((node) => node.type === "step" && node.uses === uses);
    if (before >= 0 || this.halt !== null) return this.halt === null ? before : from + 1;
    const error = new Error(
      `Cannot run a step "${uses}" again: none stands before step "${(nodes[from] as PlannedStep).id}" in its block`,
    );
    this.#halt({ status: "failed", reason: error.message, error });
    return from + 1;
  }

  async #block(
    node: PlannedBlock,
    above: readonly Frame[],
    index: number,
    from: number,
    resume: readonly Frame[],
    position: number,
  ): Promise<void> {
    const isInnermost = node.steps.every(({ type }) => type === "step");
    const { state } = this;
    if (above.length === 0 && from === 0 && state.plan.settings.repair === "apply" && state.pinned === null) {
      // A repair starts from here when a finding holds from the first train step of the block.
      state.pinned = await state.save({ frames: [{ index, round: 0 }], position: 0 });
    }
    for (let round = Math.max(1, from); round <= node.repeat; round++) {
      const frames = [...above, { index, round }];
      const resumed = round === from;
      if (!resumed && isInnermost) {
        this.state.endTrainStep();
        this.state.tables.advance();
      }
      await this.#walk(node.steps, frames, resumed ? resume : [], position);
      this.state.endTrainStep();
      if (this.halt !== null) return;
      await this.#safePoint([...frames, { index: node.steps.length, round: 0 }], 0, isInnermost);
      this.state.spill();
      if (node.until !== null && evaluateCondition(node.until, { ...this.state.scope, failed: false })) return;
    }
  }

  /** A place between steps: stops if asked to, saves if a train step that is to be saved has ended. */
  async #safePoint(frames: readonly Frame[], position: number, trainStepEnded: boolean): Promise<void> {
    this.state.tables.mark();
    if (trainStepEnded && this.state.isCheckpointDue) await this.state.save({ frames, position });
    await breathe();
    this.#pausing ||= trainStepEnded && this.state.tables.trainStep >= this.pauseAt;
    if (!this.#isStopping) return;
    throw new Interrupted(await this.state.save({ frames, position }));
  }

  get #isStopping(): boolean {
    return (this.stop.requested !== null || this.#pausing) && this.halt === null;
  }

  async #step(step: PlannedStep, frames: readonly Frame[], round: number, position: number): Promise<void> {
    if (round % step.every !== 0) return;
    if (!evaluateCondition(step.condition, { ...this.state.scope, failed: this.halt !== null })) return;
    await this.#safePoint(frames, position, false);
    if (this.gate !== null) {
      await this.gate(step, this.state);
      await this.#safePoint(frames, position, false);
    }
    const { state } = this;
    const started = performance.now();
    state.emit({ event: "step_started", step: step.id, uses: step.uses, train_step: state.tables.trainStep });
    try {
      await this.#tries(step, frames, position);
      const { timedAs } = step.kind;
      if (timedAs !== undefined) {
        state.times.set(timedAs, (state.times.get(timedAs) ?? 0) + performance.now() - started);
      }
      const outputs = state.outputs[step.id];
      state.emit({
        event: "step_finished",
        step: step.id,
        uses: step.uses,
        status: "ok",
        ms: elapsed(started),
        ...(outputs === undefined ? {} : { outputs }),
      });
    } catch (error) {
      if (error instanceof Interrupted || error instanceof HardStop) throw error;
      const failure = error instanceof Error ? error : new Error(String(error));
      state.emit({
        event: "step_finished",
        step: step.id,
        status: "failed",
        ms: elapsed(started),
        error: failure.message,
      });
      if (step.continueOnError && !(failure instanceof StepTimeoutError && this.abandoned)) {
        state.tables.rollback();
        state.message(`Step "${step.id}" failed and the run goes on (continue-on-error): ${failure.message}`);
      } else this.#halt({ status: "failed", reason: `step "${step.id}": ${failure.message}`, error: failure });
    }
    if (frames.length === 1) state.endTrainStep();
  }

  #halt(halt: Halt): void {
    if (this.halt === null) this.halt = halt;
    else this.state.message(`After the run had ${this.halt.status}: ${halt.reason}`);
  }

  async #tries(step: PlannedStep, frames: readonly Frame[], from: number): Promise<void> {
    let position = from;
    const { max, delay, backoff } = step.retry;
    for (let attempt = 0;; attempt++) {
      if (attempt > 0) await this.#safePoint(frames, position, false);
      const tried = { position };
      try {
        return await this.#try(step, frames, tried);
      } catch (error) {
        position = tried.position;
        if (this.#isStop(error)) {
          this.state.tables.rollback();
          throw new Interrupted(await this.state.save({ frames, position }));
        }
        if (error instanceof HardStop || this.abandoned || attempt >= max) throw error;
        this.state.tables.rollback();
        const seconds = delay * backoff ** attempt;
        const reason = toldMessage(error);
        this.state.message(`Step "${step.id}" failed (${reason}); try ${attempt + 2} of ${max + 1} in ${seconds} s`);
        await sleep(seconds * 1000, undefined, { signal: this.stop.signal }).catch(() => {});
      }
    }
  }

  /** The step left at a safe point, or because its signal was aborted by the request to stop. */
  #isStop(error: unknown): boolean {
    if (!this.#isStopping || this.abandoned) return false;
    const aborted = error === this.stop.signal.reason || (error instanceof Error && error.name === "AbortError");
    return error instanceof StopAtSafePoint || aborted;
  }

  #open(
    step: PlannedStep,
    position: number,
    frames: readonly Frame[],
    signal: AbortSignal,
    restoring: boolean,
  ): Attempt {
    return openAttempt(this.state, step, {
      position,
      signal,
      restoring,
      isStopping: () => this.#isStopping,
      reached: async (reached, advanced) => {
        this.#pausing ||= advanced && this.state.tables.trainStep >= this.pauseAt;
        if (!advanced || !this.state.isCheckpointDue) return;
        this.state.endTrainStep();
        await this.state.save({ frames, position: reached });
      },
    });
  }

  /** The step itself, with the faults of the workflow around it. */
  #run(step: PlannedStep, params: unknown, context: StepContext): StepResult | Promise<StepResult> {
    const { faults } = this.state;
    if (!faults.actsOn(step.uses)) return step.kind.run(params, context);
    return faults.run(step.uses, params, context, (given, seen) => step.kind.run(given, seen));
  }

  async #try(step: PlannedStep, frames: readonly Frame[], tried: { position: number }): Promise<void> {
    const { state } = this;
    const params = answerParams(state.plan, step, state.scope);
    const key = step.cache && !state.faults.actsOn(step.uses) ? this.cache.key(state, step, params) : null;
    const hit = key === null ? null : this.cache.find(state, step, key);
    if (hit !== null) return await this.#take(step, hit);

    const timeout = new AbortController();
    const signal = step.timeoutMinutes === null
      ? this.stop.signal
      : AbortSignal.any([this.stop.signal, timeout.signal]);
    const attempt = this.#open(step, tried.position, frames, signal, false);
    const limit = timeLimit(step, (error) => {
      timeout.abort(error);
      attempt.close(error);
      this.abandoned = true;
    });
    try {
      const running = Promise.resolve().then(() => this.#run(step, params, attempt.context));
      const result = await this.stop.unlessHard(Promise.race([running, limit.over]));
      await this.#take(step, result);
      if (key !== null) this.cache.store(key, step, result);
    } catch (error) {
      tried.position = attempt.position;
      if (error instanceof HardStop) this.abandoned = true;
      throw error;
    } finally {
      limit.clear();
      attempt.close(new Error(`Step "${step.id}" is over`));
    }
  }

  /** Takes over what a step returned. */
  async #take(step: PlannedStep, result: StepResult): Promise<void> {
    const { state } = this;
    state.write(checkWrites(step, result.tables ?? {}), step.id);
    await state.give(result.resources ?? {}, step.id);
    state.outputs[step.id] = checkOutputs(step, result.outputs ?? {});
    if (step.kind.measures) state.measured = { step: step.id, trainStep: state.tables.trainStep };
    state.tables.mark();
    this.#again = result.again ?? null;
    if (result.stop !== undefined) this.#halt({ status: "stopped", reason: result.stop, error: null });
  }
}

function nodeAt(nodes: readonly PlanNode[], frames: readonly Frame[]): PlanNode | null {
  const node = nodes[frames[0]?.index ?? -1];
  if (node === undefined || node.type === "step" || frames.length === 1) return node ?? null;
  return nodeAt(node.steps, frames.slice(1));
}
