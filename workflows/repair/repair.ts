/**
 * What is done about one finding that stopped one run: refuse, suggest, or try the next change on forks and decide.
 * @module
 */
import { join } from "node:path";
import { usualStepRate } from "../../data/usual_learning_rate.ts";
import { type Cause, DIAGNOSES } from "../../steps/diagnoses/mod.ts";
import { trainsAdapter } from "../../steps/options/lora.ts";
import type { RunFinding, RunOptions, RunResult } from "../engine/run_plan.ts";
import type { Plan } from "../plan/plan.ts";
import { factsOf } from "../preflight/facts.ts";
import { preflight } from "../preflight/preflight.ts";
import { stringifyPlan } from "../plan/resolved.ts";
import { sha256 } from "../../data/digest.ts";
import { describeEdit, repairLine, suggestionLines } from "./advice.ts";
import { changesOf, detectionWindow, firstStep, isComparable, isNeed, patchesOf, refusal } from "./changes.ts";
import { compareHalves, compareRewards } from "./compare.ts";
import { checkpointBefore, forkRun } from "./fork.ts";
import { kindsOf, patchPlan, runsOnce } from "./patch_plan.ts";
import { type Comparison, type Edit, type ForkPoint, type RepairRecord, wasTried } from "./record.ts";
import { runFork, type Trial } from "./trial.ts";

const LEAST_STEPS = 20; // Train steps a patched fork must be free of the finding, at least.

/** Where a run of the chain stands: its plan with the edits so far. */
export interface Link {
  readonly result: RunResult;
  readonly plan: Plan;
  readonly edits: readonly Pick<Edit, "path" | "key" | "to">[];
}

/** What was decided on a finding. */
interface Decision {
  readonly record: RepairRecord;
  /** The run that goes on; null when none does. */
  readonly next: Link | null;
  readonly lines: readonly string[];
}

/** A change to try: where both forks start, and after how many train steps the patched one is judged. */
interface Experiment {
  readonly plan: Plan;
  readonly edits: readonly Edit[];
  readonly point: ForkPoint;
  readonly steps: number;
}

/** One finding that stopped one run. */
export class Repair {
  readonly #base: RepairRecord;

  constructor(
    readonly link: Link,
    readonly finding: RunFinding,
    readonly root: string,
    readonly options: RunOptions,
    readonly earlier: readonly RepairRecord[],
    /** What stopped the run, where that is another finding: it must not come again either. */
    readonly stopping: string = finding.cause,
  ) {
    this.#base = {
      format: 1,
      number: earlier.length + 1,
      run: link.result.runId,
      decision: "refused",
      why: "",
      cause: finding.cause,
      codes: [...(finding.codes ?? []) as readonly string[]],
      severity: finding.severity,
      first_step: firstStep(finding),
      found_step: finding.train_step,
      message: finding.message,
      evidence: typeof finding.evidence === "string" ? JSON.parse(finding.evidence) : finding.evidence ?? [],
      change: [],
      workflow: { before: hashOf(link.plan), after: null },
      checkpoint: null,
      steps: null,
      plain: null,
      patched: null,
      comparison: null,
    };
  }

  /** Says what to change and how to go on; runs nothing. */
  async suggest(): Promise<Decision> {
    const { plan, result } = this.link;
    const refused = refusal(this.finding, []);
    if (refused !== null) return this.#refuse(refused);
    const found = await this.#change(0);
    if ("problem" in found) return this.#refuse(found.problem);
    const spoiltFrom = DIAGNOSES[this.finding.cause as Cause]?.spoils ? firstStep(this.finding) : null;
    const lines = suggestionLines(plan, found.edits, result, spoiltFrom);
    const record = this.#record("suggested", "repair is suggest", {
      change: found.edits,
      workflow: { before: hashOf(plan), after: hashOf(found.plan) },
    });
    return { record, next: null, lines };
  }

  /** Tries the next change on forks. */
  async apply(): Promise<Decision> {
    const { finding, link: { plan, result } } = this;
    const tried = this.earlier.filter(wasTried);
    const refused = refusal(finding, tried);
    if (refused !== null) return this.#refuse(refused);
    const here = tried.filter(({ run, cause }) => run === result.runId && cause === finding.cause).length;
    const found = await this.#change(here, true);
    if ("problem" in found) return this.#refuse(found.problem);
    const once = found.edits.find(runsOnce);
    if (once !== undefined) {
      return this.#refuse(`${describeEdit(plan, once)}: this step runs once, start a new run with the change`);
    }
    const point = checkpointBefore(result.folder, firstStep(finding));
    if (point === null) {
      return this.#refuse(`no checkpoint before train step ${firstStep(finding)}, where the finding begins`);
    }
    const steps = Math.max(LEAST_STEPS, 2 * (finding.train_step - point.trainStep), 2 * detectionWindow(finding));
    return await this.#tryOnForks({ ...found, point, steps });
  }

  /** The plain fork first: where the finding does not come again the change has nothing to prove. */
  async #tryOnForks(change: Experiment): Promise<Decision> {
    const { point, plan, edits } = change;
    const plain = await this.#fork("plain", { ...change, plan: this.link.plan, edits: [] }, () => false);
    if (plain.outcome === "interrupted") {
      return this.#decide("interrupted", "the plain fork was interrupted", change, plain, null);
    }
    if (plain.outcome === "cleared") {
      const why = `the finding did not come again in ${stepsOf(plain, point)} of a plain resume${otherStop(plain)}`;
      return this.#decide("transient", why, { ...change, edits: [] }, plain, null, {
        ...this.link,
        result: plain.result,
      });
    }
    const patched = await this.#fork("patched", change, (rewards) => this.#compare(edits, plain, rewards).worse);
    const why = reasonOf(patched, point);
    if (patched.outcome !== "cleared") {
      return this.#decide(patched.outcome === "interrupted" ? "interrupted" : "rejected", why, change, plain, patched);
    }
    const next = { result: patched.result, plan, edits: [...this.link.edits, ...edits] };
    return this.#decide("accepted", why, change, plain, patched, next);
  }

  /**
   * The change to try as number `index` from 0, skipping those that cannot be made. Where there is one, on forks one of
   * repeated steps, and in words one that needs nothing besides: the run can go on with it.
   */
  async #change(index: number, onForks = false): Promise<{ plan: Plan; edits: readonly Edit[] } | { problem: string }> {
    const changes = changesOf(patchesOf(this.finding));
    if (changes.length === 0) return { problem: "no setting mends it" };
    const problems: string[] = [];
    const possible: { plan: Plan; edits: readonly Edit[]; needs: boolean }[] = [];
    for (const change of changes) {
      const patched = patchPlan(this.link.plan, change, await this.#usualRate(change[0]!.step));
      const problem = patched.plan === null ? patched.problem : await this.#cannotWork(patched.plan);
      // Of a factor that goes further the same is said.
      if (problem !== null) problems.push(...change.some(({ further }) => further) ? [] : [problem]);
      else if (patched.plan !== null) {
        const needed = change.filter(isNeed).map(({ step, key }) => `${step} ${key}`);
        possible.push({ ...patched, needs: patched.edits.some(({ step, key }) => needed.includes(`${step} ${key}`)) });
      }
    }
    const better = possible.filter(({ edits, needs }) => onForks ? !edits.some(runsOnce) : !needs);
    const found = (better.length > 0 ? better : possible)[index];
    if (found !== undefined) return { plan: found.plan, edits: found.edits };
    return {
      problem: possible.length === 0
        ? `no change applies: ${[...new Set(problems)].join("; ")}`
        : "every change was tried",
    };
  }

  /** The usual learning rate of a step for the plan's model. */
  async #usualRate(step: string): Promise<number> {
    const { model } = await factsOf(this.link.plan, this.options.runsFolder);
    const adapter = model !== null && trainsAdapter(model.loaded.params);
    return usualStepRate(step, { parameters: model?.layout?.count ?? null, adapter });
  }

  /** Why preflight refuses a patched plan, or null. */
  async #cannotWork(plan: Plan): Promise<string | null> {
    const found = await preflight(plan, { runsFolder: this.options.runsFolder });
    return found.find(({ refuses }) => refuses)?.message ?? null;
  }

  async #fork(
    role: "plain" | "patched",
    { plan, edits, point, steps }: Experiment,
    isWorse: (rewards: Trial["rewards"]) => boolean,
  ): Promise<Trial> {
    const { link: { result, plan: base, edits: before }, finding, options } = this;
    const { number, cause } = this.#base;
    const id = `${this.root}.r${number}${role === "plain" ? "a" : "b"}`;
    forkRun(result.folder, point, join(options.runsFolder, id), id, plan);
    const how = role === "plain" ? "resumed plainly" : edits.map((edit) => describeEdit(base, edit)).join(", ");
    return await runFork({
      plan,
      id,
      cause,
      stopping: this.stopping,
      foundStep: finding.train_step,
      judgeAt: point.trainStep + steps,
      isWorse,
      run: {
        ...options,
        manifest: {
          ...options.manifest,
          root: this.root,
          parent: result.runId,
          repair: { number, fork: role, cause, from: point },
          edits: [...before, ...edits.map(({ path, key, to }) => ({ path, key, to }))],
        },
        notes: [`Repair ${number} of ${cause}: from ${result.runId}/${point.checkpoint}, ${how}`],
      },
    });
  }

  #compare(change: readonly Edit[], plain: Trial, patched: Trial["rewards"]): Comparison {
    return isComparable(change, kindsOf(this.link.plan))
      ? compareRewards(plain.rewards, patched)
      : compareHalves(patched);
  }

  #refuse(why: string): Decision {
    return { record: this.#record("refused", why), next: null, lines: [`No repair of ${this.finding.cause}: ${why}`] };
  }

  #decide(
    decision: RepairRecord["decision"],
    why: string,
    { plan, edits, point, steps }: Experiment,
    plain: Trial,
    patched: Trial | null,
    next: Link | null = null,
  ): Decision {
    const record = this.#record(decision, why, {
      change: edits,
      workflow: { before: hashOf(this.link.plan), after: hashOf(plan) },
      checkpoint: point,
      steps,
      plain: plain.record,
      patched: patched?.record ?? null,
      comparison: patched === null ? null : this.#compare(edits, plain, patched.rewards),
    });
    return { record, next, lines: [repairLine(record)] };
  }

  #record(decision: RepairRecord["decision"], why: string, more: Partial<RepairRecord> = {}): RepairRecord {
    return { ...this.#base, ...more, decision, why };
  }
}

/** Train steps that a fork ran until it was judged. */
function stepsOf({ record }: Trial, point: ForkPoint): string {
  const steps = record.train_step - point.trainStep;
  return `${steps} train step${steps === 1 ? "" : "s"}`;
}

/** What stopped a fork before it was judged, where that is another finding. */
function otherStop({ record, result }: Trial): string {
  return record.status === "stopped" ? `, where another stopped it: ${result.reason}` : "";
}

/** Why a patched fork came to what it came to. */
function reasonOf(patched: Trial, point: ForkPoint): string {
  const { outcome, result } = patched, steps = stepsOf(patched, point);
  return {
    fired: "the finding came again with the change",
    worse: "the reward is worse with the change",
    failed: `the patched fork ended after ${steps}: ${result.reason ?? result.status}`,
    interrupted: "the patched fork was interrupted",
    cleared: `the finding came again without the change and not with it in ${steps}${otherStop(patched)}`,
  }[outcome];
}

function hashOf(plan: Plan): string {
  return sha256(stringifyPlan(plan));
}
