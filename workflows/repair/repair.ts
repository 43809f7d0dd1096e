/**
 * What is done about one finding that stopped one run: refuse, suggest, or try the next change on forks and decide.
 * @module
 */
import { join } from "node:path";
import { usualLearningRate } from "../../data/usual_learning_rate.ts";
import type { RunFinding, RunOptions, RunResult } from "../engine/run_plan.ts";
import type { Plan } from "../plan/plan.ts";
import { factsOf } from "../preflight/facts.ts";
import { preflight } from "../preflight/preflight.ts";
import { stringifyPlan } from "../plan/resolved.ts";
import { sha256 } from "../store/digest.ts";
import { describeEdit, repairLine, suggestionLines } from "./advice.ts";
import { changesOf, detectionWindow, firstStep, isComparable, patchesOf, refusal } from "./changes.ts";
import { compareHalves, compareRewards, type Comparison } from "./compare.ts";
import { checkpointBefore, type ForkPoint, forkRun } from "./fork.ts";
import { type Edit, patchPlan, runsOnce } from "./patch_plan.ts";
import { type RepairRecord, wasTried } from "./record.ts";
import { runFork, type Trial } from "./trial.ts";

/** Train steps a patched fork must be free of the finding, at least. */
const LEAST_STEPS = 20;

/** Where a run of the chain stands: its plan with the edits so far. */
export interface Link {
  readonly result: RunResult;
  readonly plan: Plan;
  readonly edits: readonly Pick<Edit, "path" | "key" | "to">[];
}

/** What was decided on a finding. */
export interface Decision {
  readonly record: RepairRecord;
  /** The run that goes on; null when none does. */
  readonly next: Link | null;
  readonly lines: readonly string[];
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
    const lines = suggestionLines(plan, found.edits, result);
    const record = this.#record("suggested", "repair is suggest", {
      change: found.edits,
      workflow: { before: hashOf(plan), after: hashOf(found.plan) },
    });
    return { record, next: null, lines };
  }

  /** Tries the next change on forks. */
  async apply(): Promise<Decision> {
    const tried = this.earlier.filter(wasTried);
    const refused = refusal(this.finding, tried);
    if (refused !== null) return this.#refuse(refused);
    const found = await this.#change(
      tried.filter(({ run, cause }) => run === this.#base.run && cause === this.#base.cause).length,
    );
    if ("problem" in found) return this.#refuse(found.problem);
    const once = found.edits.find(runsOnce);
    if (once !== undefined) {
      return this.#refuse(
        `${describeEdit(this.link.plan, once)}: this step runs once, start a new run with the change`,
      );
    }
    const point = checkpointBefore(this.link.result.folder, firstStep(this.finding));
    if (point === null) {
      return this.#refuse(`no checkpoint before train step ${firstStep(this.finding)}, where the finding begins`);
    }
    const steps = Math.max(
      LEAST_STEPS,
      2 * (this.finding.train_step - point.trainStep),
      2 * detectionWindow(this.finding),
    );
    const shared = {
      change: found.edits,
      workflow: { before: hashOf(this.link.plan), after: hashOf(found.plan) },
      checkpoint: point,
      steps,
    };
    const plain = await this.#fork("a", this.link.plan, [], point, steps, null);
    if (plain.outcome === "interrupted") {
      return this.#decide("interrupted", "the plain fork was interrupted", plain, null, shared);
    }
    if (plain.outcome === "cleared") {
      const why = `the finding did not come again in ${stepsOf(plain, point)} of a plain resume${otherStop(plain)}`;
      return this.#decide(
        "transient",
        why,
        plain,
        null,
        { ...shared, change: [] },
        this.#next(plain, this.link.plan, []),
      );
    }
    const patched = await this.#fork("b", found.plan, found.edits, point, steps, plain);
    const next = this.#next(patched, found.plan, found.edits);
    const why = {
      fired: "the finding came again with the change",
      worse: "the reward is worse with the change",
      failed: `the patched fork ended after ${stepsOf(patched, point)}: ${
        patched.result.reason ?? patched.result.status
      }`,
      interrupted: "the patched fork was interrupted",
      cleared: `the finding came again without the change and not with it in ${stepsOf(patched, point)}${
        otherStop(patched)
      }`,
    }[patched.outcome];
    if (patched.outcome === "cleared") return this.#decide("accepted", why, plain, patched, shared, next);
    const decision = patched.outcome === "interrupted" ? "interrupted" : "rejected";
    return this.#decide(decision, why, plain, patched, shared);
  }

  /** The change to try as number `index` from 0, skipping those that cannot be made. */
  async #change(index: number): Promise<{ plan: Plan; edits: readonly Edit[] } | { problem: string }> {
    const changes = changesOf(patchesOf(this.finding));
    if (changes.length === 0) return { problem: `no setting mends ${this.finding.cause}: ${this.finding.hint}` };
    const problems: string[] = [];
    const possible: { plan: Plan; edits: readonly Edit[] }[] = [];
    for (const change of changes) {
      const patched = patchPlan(this.link.plan, change, await this.#usualRate(change[0]!.step === "fine_tune"));
      const problem = patched.plan === null ? patched.problem : await this.#cannotWork(patched.plan);
      if (problem !== null) problems.push(problem);
      else if (patched.plan !== null) possible.push(patched);
    }
    const found = possible[index];
    if (found !== undefined) return found;
    return { problem: possible.length === 0 ? `no change applies: ${problems.join("; ")}` : "every change was tried" };
  }

  /** The usual learning rate for the plan's model, of the warm start or of updates on rollouts. */
  async #usualRate(supervised: boolean): Promise<number> {
    const { model } = await factsOf(this.link.plan, this.options.runsFolder);
    return usualLearningRate({ parameters: model?.layout?.count ?? null, supervised });
  }

  /** Why preflight refuses a patched plan, or null. */
  async #cannotWork(plan: Plan): Promise<string | null> {
    const found = await preflight(plan, { runsFolder: this.options.runsFolder });
    return found.find(({ refuses }) => refuses)?.message ?? null;
  }

  async #fork(
    role: "a" | "b",
    plan: Plan,
    edits: readonly Edit[],
    point: ForkPoint,
    steps: number,
    against: Trial | null,
  ): Promise<Trial> {
    const { result } = this.link;
    const id = `${this.root}.r${this.#base.number}${role}`;
    forkRun(result.folder, point, join(this.options.runsFolder, id), id, plan);
    const how = role === "a" ? "resumed plainly" : edits.map((edit) => describeEdit(this.link.plan, edit)).join(", ");
    return await runFork({
      plan,
      id,
      cause: this.finding.cause,
      foundStep: this.finding.train_step,
      judgeAt: point.trainStep + steps,
      ...(against === null ? {} : { isWorse: (rewards) => compare(edits, against.rewards, rewards).worse }),
      run: {
        ...this.options,
        manifest: {
          ...this.options.manifest,
          root: this.root,
          parent: result.runId,
          repair: {
            number: this.#base.number,
            fork: role === "a" ? "plain" : "patched",
            cause: this.finding.cause,
            from: point,
          },
          edits: [...this.link.edits, ...edits.map(({ path, key, to }) => ({ path, key, to }))],
        },
        notes: [
          `Repair ${this.#base.number} of ${this.finding.cause}: from ${result.runId}/${point.checkpoint}, ${how}`,
        ],
      },
    });
  }

  #next({ result }: Trial, plan: Plan, edits: readonly Edit[]): Link {
    return { result, plan, edits: [...this.link.edits, ...edits] };
  }

  #refuse(why: string): Decision {
    return { record: this.#record("refused", why), next: null, lines: [`No repair of ${this.finding.cause}: ${why}`] };
  }

  #decide(
    decision: RepairRecord["decision"],
    why: string,
    plain: Trial,
    patched: Trial | null,
    shared: Partial<Pick<RepairRecord, "workflow" | "steps">> & { change: readonly Edit[]; checkpoint: ForkPoint },
    next: Link | null = null,
  ): Decision {
    const comparison: Comparison | null = patched === null
      ? null
      : compare(shared.change, plain.rewards, patched.rewards);
    const record = this.#record(decision, why, {
      ...shared,
      plain: plain.record,
      patched: patched?.record ?? null,
      comparison,
    });
    return { record, next, lines: [repairLine(record)] };
  }

  #record(
    decision: RepairRecord["decision"],
    why: string,
    more: Partial<Omit<RepairRecord, "change">> & { readonly change?: readonly Edit[] } = {},
  ): RepairRecord {
    const change = (more.change ?? []).map((edit) => ({ ...edit, path: [...edit.path] }));
    return { ...this.#base, ...more, change, decision, why };
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

function compare(change: readonly Edit[], plain: Trial["rewards"], patched: Trial["rewards"]): Comparison {
  return isComparable(change) ? compareRewards(plain, patched) : compareHalves(patched);
}

function hashOf(plan: Plan): string {
  return sha256(stringifyPlan(plan));
}
