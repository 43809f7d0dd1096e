/** Runs one fork and judges it while it runs: does the finding come again, and is the reward no worse. @module */
import { ORDER } from "../../steps/diagnoses/decide.ts";
import { type RunEvent, type RunOptions, runPlan, type RunResult, StopControl } from "../engine/run_plan.ts";
import type { Plan } from "../plan/plan.ts";
import { stoppingFinding } from "./changes.ts";
import type { ForkRecord } from "./record.ts";

/** fired: the finding came again. cleared: it did not, and the fork went on. worse: it earned less and was stopped. */
type Outcome = "fired" | "cleared" | "worse" | "failed" | "interrupted";

export interface Trial {
  readonly outcome: Outcome;
  readonly result: RunResult;
  readonly record: ForkRecord;
  /** Mean reward by train step, up to where it was judged. */
  readonly rewards: ReadonlyMap<number, number>;
}

export interface TrialOptions {
  readonly plan: Plan;
  /** Id of the fork's run, which `forkRun` has made. */
  readonly id: string;
  readonly cause: string;
  /** What stopped the run, where that is another one. */
  readonly stopping?: string;
  /** Train step at which the finding was made: a fork that stops before it for another reason proves nothing. */
  readonly foundStep: number;
  /** Train step after which the fork counts as cleared. */
  readonly judgeAt: number;
  /** Called when it is judged; true stops it. */
  readonly isWorse?: (rewards: ReadonlyMap<number, number>) => boolean;
  readonly run: RunOptions;
}

/** Runs a fork to its end unless the finding comes again or the fork earns less. */
export async function runFork(options: TrialOptions): Promise<Trial> {
  const { plan, id, cause, stopping = cause, foundStep, judgeAt, isWorse = () => false, run } = options;
  const fires = ({ event, cause: found, severity }: RunEvent) =>
    event === "finding" && (found === cause || found === stopping) && severity !== "info";
  const stop = chained(run.stop);
  const rewards = new Map<number, number>();
  let trainStep = 0;
  let judged: ForkRecord | null = null;
  let outcome: Outcome | null = null;
  const record = (status: string, fired: boolean): ForkRecord => ({
    run: id,
    status,
    train_step: trainStep,
    fired,
    rewards: [...rewards],
  });
  const judge = (status: string) => {
    outcome = isWorse(rewards) ? "worse" : "cleared";
    judged = record(status, false);
  };
  const onEvent = (event: RunEvent) => {
    run.onEvent?.(event);
    const isStep = event.event === "train_step";
    // The train step that a finding stops is told after the finding.
    if (isStep && typeof event.reward === "number" && (outcome === null || event.train_step === trainStep)) {
      rewards.set(event.train_step as number, event.reward);
    }
    if (outcome !== null) return;
    if (isStep) {
      trainStep = event.train_step as number;
      if (trainStep >= judgeAt) judge("running");
      if (outcome === "worse") stop.request("SIGINT");
    } else if (fires(event)) {
      trainStep = event.train_step as number;
      outcome = "fired";
      judged = record("stopped", true);
      stop.request("SIGINT");
    }
  };
  const result = await runPlan(plan, { ...run, resume: id, allowDrift: true, stop, onEvent });
  if (outcome === null) {
    const other = result.status === "stopped" && trainStep >= foundStep && !isAfterEffect(cause, result);
    if (result.status === "ok" || other) judge(result.status);
    else outcome = result.status === "interrupted" ? "interrupted" : "failed";
  }
  const told = judged === null ? record(result.status, false) : { ...judged as ForkRecord, rewards: [...rewards] };
  return { outcome: outcome!, result, record: told, rewards };
}

/** Stopped by what the finding explains: the same harm under another name. */
function isAfterEffect(cause: string, result: RunResult): boolean {
  const effects: readonly string[] = Object.hasOwn(ORDER, cause) ? ORDER[cause as keyof typeof ORDER] : [];
  return effects.includes(String(stoppingFinding(result)?.cause));
}

/** A control of its own that also hears the caller's. */
function chained(outer: StopControl | undefined): StopControl {
  const stop = new StopControl();
  const pass = () => outer?.requested && stop.request(outer.requested);
  if (outer?.requested) pass();
  outer?.signal.addEventListener("abort", pass);
  outer?.hard.catch(pass);
  return stop;
}
