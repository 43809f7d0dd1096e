/** Hand-made runs and the two tests that every rule has: it fires on its fault and stays silent on its look-alike. */
import assert from "node:assert/strict";
import { type Cause, DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { diagnoseRun } from "../../../steps/diagnoses/diagnose_run.ts";
import { type Completion, type Message, RunView } from "../../../steps/diagnoses/view/run_view.ts";
import type { ScoreSeries } from "../../../steps/diagnoses/view/score_series.ts";
import type { TableName } from "../../../data/columns.ts";
import { findOption } from "../../../data/options.ts";

/** A run as a test writes it; every column has one cell per record. */
export interface Run {
  readonly algorithm?: string;
  readonly system?: string;
  readonly own?: boolean;
  readonly steps?: readonly number[];
  readonly stepsPrinted?: boolean;
  readonly columns?: Record<string, readonly (number | null)[]>;
  readonly decimals?: Record<string, number>;
  readonly evaluations?: Record<string, readonly (number | null)[]>;
  readonly evaluationSteps?: readonly number[];
  readonly scores?: readonly ScoreSeries[];
  readonly scope?: "group" | "batch" | "unknown";
  readonly settings?: Record<string, unknown>;
  readonly model?: Record<string, unknown>;
  readonly source?: string;
  /** An exception's text, or a line of another kind. */
  readonly messages?: readonly (string | Partial<Message> & Pick<Message, "kind" | "text">)[];
  readonly completions?: readonly Completion[];
  readonly lacks?: readonly TableName[];
  readonly verifier?: string;
  readonly warmStart?: Run;
}

/** The same value on every record. */
export const flat = (value: number | null, records = 30): (number | null)[] => Array(records).fill(value);

/** A straight line with a small ripple, so that no two records are equal. */
export const ramp = (from: number, to: number, records = 30, ripple = 0.02): number[] =>
  Array.from(
    { length: records },
    (_, i) => from + (to - from) * i / Math.max(1, records - 1) + ripple * Math.sin(7.3 * i),
  );

/** The completions of one prompt. */
export function group(
  prompt: string,
  texts: readonly string[],
  rewards: readonly (number | null)[],
  more: Partial<Completion> = {},
) {
  return texts.map((text, i): Completion => ({
    trainStep: 1,
    promptId: [...prompt].reduce((sum, char) => sum * 31 + char.charCodeAt(0), 7) % 100_003,
    prompt,
    text,
    answer: null,
    truncated: null,
    tokens: null,
    reward: rewards[i] ?? null,
    rewards: { accuracy: rewards[i] ?? null },
    advantage: 0,
    source: "completions.jsonl",
    line: i + 1,
    ...more,
  }));
}

export function viewOf(run: Run): RunView {
  const columns = new Map(Object.entries(run.columns ?? {}));
  const records = Math.max(0, ...[...columns.values()].map((cells) => cells.length));
  const settings = [
    ...Object.entries(run.settings ?? {}).map(([name, value]) => ({ name, value, system: run.system ?? "trl" })),
    ...Object.entries(run.model ?? {}).map(([name, value]) => ({ name, value, system: "model" })),
  ];
  return new RunView({
    system: run.own ? "nonzero" : run.system ?? "trl",
    algorithm: run.algorithm ?? "grpo",
    imported: !run.own,
    trainSteps: run.steps ?? Array.from({ length: records }, (_, i) => i + 1),
    stepsPrinted: run.stepsPrinted ?? true,
    columns,
    decimals: new Map(Object.entries(run.decimals ?? {})),
    evaluations: { trainSteps: run.evaluationSteps ?? [], columns: new Map(Object.entries(run.evaluations ?? {})) },
    scores: run.scores ?? [],
    rewardStdScope: run.scope ?? "unknown",
    settings: settings.map(({ name, value, system }, i) => ({
      name,
      value,
      option: findOption(name, run.system ?? "trl"),
      written_type: typeof value,
      system,
      source: run.source ?? "config.txt",
      line: i + 1,
    })),
    messages: (run.messages ?? []).map((line, i) => ({
      kind: "exception",
      value: null,
      trainStep: null,
      ...(typeof line === "string" ? { text: line } : line),
      source: "log.txt",
      line: i + 1,
    })),
    completions: run.completions ?? [],
    lacks: run.lacks ?? [],
    verifier: run.verifier ?? null,
    warmStart: run.warmStart === undefined ? null : viewOf(run.warmStart),
    place: (_, record) => ({ source: "log.txt", line: record + 1 }),
  });
}

/** A run in which everything is as it should be: silent for every rule. */
export const HEALTHY: Run = {
  scope: "batch",
  columns: {
    loss: ramp(-0.1, -0.02),
    reward: ramp(0.3, 0.8),
    "reward.accuracy_reward": ramp(0.3, 0.8),
    reward_std: ramp(0.4, 0.3),
    zero_spread_fraction: ramp(0.1, 0.3),
    grad_norm: ramp(0.8, 0.5),
    learning_rate: flat(1e-6),
    entropy: ramp(0.6, 0.4),
    kl: ramp(0, 0.03, 30, 0).map((value) => value * value * 10),
    completion_length: ramp(120, 140),
    truncated_fraction: flat(0.02),
    clip_fraction: flat(0),
  },
};

/** HEALTHY with other columns. */
export function healthyBut(columns: Record<string, readonly (number | null)[]>, more: Omit<Run, "columns"> = {}): Run {
  const kept = Object.fromEntries(
    Object.entries({ ...HEALTHY.columns, ...columns }).filter(([, cells]) => cells.length > 0),
  );
  return { ...HEALTHY, ...more, columns: kept };
}

/** Seeded healthy runs of which a rule must name none. */
export function silentOn(cause: Cause, what: string, runs: readonly Run[]): void {
  Deno.test(`${cause} names none of ${runs.length} ${what}`, () => {
    const named = runs.flatMap((run, seed) => {
      const result = DIAGNOSES[cause].check(viewOf(run));
      return result !== null && "message" in result ? [`${seed}: ${result.message}`] : [];
    });
    assert.deepEqual(named, []);
  });
}

/** Registers the tests of one rule. A run under `fires` must also be named first by the doctor, unless `first` is false. */
export function testRule(
  cause: Cause,
  cases: { fires: Record<string, Run>; silent: Record<string, Run>; first?: boolean },
): void {
  for (const [when, run] of Object.entries(cases.fires)) {
    Deno.test(`${cause} fires on ${when}`, () => {
      const view = viewOf(run);
      const result = DIAGNOSES[cause].check(view);
      assert(result !== null && "message" in result, `want a finding, got ${JSON.stringify(result)}`);
      assert(result.evidence.length > 0, "a finding wants evidence");
      if (cases.first === false) return;
      const { findings, verdict } = diagnoseRun(view);
      assert.equal(
        findings[0]?.cause,
        cause,
        JSON.stringify(findings.map((finding) => [finding.cause, finding.message])),
      );
      assert.equal(verdict, (result.severity ?? DIAGNOSES[cause].severity) === "info" ? "benign" : "faulty");
    });
  }
  for (const [when, run] of Object.entries({ "a healthy run": HEALTHY, ...cases.silent })) {
    Deno.test(`${cause} is silent on ${when}`, () => {
      const result = DIAGNOSES[cause].check(viewOf(run));
      assert(result === null || !("message" in result), JSON.stringify(result));
    });
  }
}

/** The first train step that the finding of a rule lists. */
export function begins(cause: Cause, run: Run): number {
  const result = DIAGNOSES[cause].check(viewOf(run));
  assert(result !== null && "message" in result, `want a finding, got ${JSON.stringify(result)}`);
  return result.trainSteps[0]!;
}
