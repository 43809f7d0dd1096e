/**
 * Injects every kind of fault into runs of ours and measures the doctor: detected, named, latency, false alarms.
 *
 *     deno task bench faults [--kinds nan_weight,… | none] [--seeds 1,2,3] [--clean 80] [--json]
 *
 * Runs go to a temporary folder. Clean runs are the look-alikes of the faults, and sweeps over tasks, sizes and rates.
 * @module
 */
import { among, benchArguments, numbers, typed } from "./arguments.ts";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { FAULTS } from "../../steps/faults/mod.ts";
import type { Fault } from "../../steps/faults/fault.ts";
import { STEPS } from "../../steps/mod.ts";
import { type RunFinding, runPlan } from "../../workflows/engine/run_plan.ts";
import { loadWorkflow } from "../../workflows/language/parse.ts";
import { planRuns } from "../../workflows/plan/plan_workflow.ts";
import { CLEAN_SWEEPS, sweepWorkflow } from "./clean_sweeps.ts";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));
const FAILURES = join(PROJECT, "workflows/library/failures");

/** What the doctor said during one run. */
export interface Told {
  readonly status: string;
  readonly reason: string | null;
  /** Alarms (warning or worse) in the order in which they came. */
  readonly alarms: readonly RunFinding[];
  readonly trainSteps: number;
  readonly diagnoseMs: number;
  readonly ms: number;
}

/** Runs a workflow file and listens to its findings. */
export async function listen(file: string, params: Record<string, number>, runsFolder: string): Promise<Told> {
  const loaded = await loadWorkflow(file, { kinds: STEPS });
  const plan = planRuns(loaded, STEPS, { params })[0]!;
  const alarms: RunFinding[] = [];
  let [trainSteps, diagnoseMs, uses] = [0, 0, ""];
  const started = performance.now();
  const result = await runPlan(plan, {
    runsFolder,
    projectFolder: PROJECT,
    onEvent(event) {
      const { event: kind } = event;
      if (kind === "finding" && event["severity"] !== "info") alarms.push(event as unknown as RunFinding);
      if (kind === "step_started") [uses, trainSteps] = [String(event["uses"]), Number(event["train_step"])];
      if (kind === "step_finished" && uses === "diagnose") diagnoseMs += Number(event["ms"]);
    },
  });
  await Deno.remove(result.folder, { recursive: true });
  const ms = performance.now() - started;
  return { status: result.status, reason: result.reason, alarms, trainSteps, diagnoseMs, ms };
}

export interface Outcome {
  readonly kind: string;
  readonly seed: number;
  readonly detected: boolean;
  /** The first alarm has a right cause. */
  readonly named: boolean;
  /** Train steps from the injected one to the first finding of a right cause, both counted; null if none. */
  readonly latency: number | null;
  readonly said: readonly string[];
  readonly status: string;
}

/** Judges what was said of an injected fault. */
export function judge(kind: string, seed: number, from: number, told: Told): Outcome {
  const { causes } = FAULTS[kind as keyof typeof FAULTS] as Fault;
  const after = told.alarms.filter((alarm) => alarm.train_step >= from);
  const right = after.find((alarm) => (causes as readonly string[]).includes(alarm.cause));
  return {
    kind,
    seed,
    detected: after.length > 0,
    named: told.alarms.length > 0 && right !== undefined && told.alarms[0] === right,
    latency: right === undefined ? null : right.train_step - Math.max(1, from) + 1,
    said: told.alarms.map((alarm) => `${alarm.cause}@${alarm.train_step}`),
    status: told.status === "failed" ? `failed: ${told.reason}` : told.status,
  };
}

/** When a fault acts: from a train step on, or from an update of the one step it acts on. */
interface FaultEntry {
  readonly from?: number;
  readonly update?: number;
}

/** Runs one kind with one seed. */
export async function runFault(kind: string, seed: number, runsFolder: string): Promise<Outcome> {
  const file = join(FAILURES, `${kind}.yaml`);
  const loaded = await loadWorkflow(file, { kinds: STEPS });
  const entry = loaded.document.faults.find((fault) => fault.kind === kind) as FaultEntry | undefined;
  return judge(kind, seed, entry?.from ?? entry?.update ?? 0, await listen(file, { seed }, runsFolder));
}

const percent = (part: number, whole: number) => `${part}/${whole} ${(100 * part / Math.max(1, whole)).toFixed(1)} %`;

/** The figures over all runs, and what went wrong, one line each. */
export function report(outcomes: readonly Outcome[]): string {
  const exact = (kind: string) => (FAULTS[kind as keyof typeof FAULTS] as Fault).rule === "exact";
  const slow = outcomes.filter(({ kind, latency }) => latency !== null && latency > (exact(kind) ? 1 : 20));
  const kinds = [...new Set(outcomes.map(({ kind }) => kind))];
  const lines = [
    `kinds ${kinds.length}, runs ${outcomes.length}`,
    `detected                ${percent(outcomes.filter(({ detected }) => detected).length, outcomes.length)}`,
    `named (first alarm)     ${percent(outcomes.filter(({ named }) => named).length, outcomes.length)}`,
    `right cause told late   ${percent(slow.length, outcomes.length)} (more than 1 train step; 20 where statistical)`,
    "",
    `${"kind".padEnd(26)} ${"rule".padEnd(12)} detected named  latency`,
  ];
  for (const kind of kinds) {
    const own = outcomes.filter((outcome) => outcome.kind === kind);
    const count = (test: (outcome: Outcome) => boolean) => `${own.filter(test).length}/${own.length}`;
    lines.push(
      `${kind.padEnd(26)} ${(exact(kind) ? "exact" : "statistical").padEnd(12)} ${
        count(({ detected }) => detected).padEnd(8)
      } ${count(({ named }) => named).padEnd(6)} ${own.map(({ latency }) => latency ?? "-").join(" ")}`,
    );
  }
  const wrong = outcomes.filter(({ named }) => !named);
  if (wrong.length > 0) lines.push("", "confusions (kind and seed -> alarms)");
  for (const { kind, seed, said, status } of wrong) {
    lines.push(`  ${kind} ${seed} -> ${said.join(", ") || "silence"} (${status})`);
  }
  return lines.join("\n");
}

/** The workflows of the look-alikes; data that they read lies beside them. */
export function cleanFiles(): string[] {
  const names = [...Deno.readDirSync(join(FAILURES, "clean"))].map(({ name }) => name);
  return names.filter((name) => name.endsWith(".yaml")).sort().map((name) => join(FAILURES, "clean", name));
}

/** Every clean run by its name: the look-alikes with each seed, then the sweeps, `limit` altogether. */
async function* cleanRuns(limit: number, seeds: readonly number[], runsFolder: string) {
  let left = limit;
  for (const seed of seeds.slice(0, 1)) {
    for (const file of cleanFiles()) {
      if (left-- <= 0) return;
      yield { name: `${basename(file, ".yaml")} ${seed}`, told: await listen(file, { seed }, runsFolder) };
    }
  }
  for (const sweep of CLEAN_SWEEPS) {
    if (left-- <= 0) return;
    const file = await sweepWorkflow(sweep, runsFolder);
    yield { name: sweep.name, told: await listen(file, {}, runsFolder) };
  }
}

if (import.meta.main) {
  const [kinds, seeds, [clean]] = typed(() => {
    const known = Object.keys(FAULTS);
    const given = benchArguments(Deno.args, { kinds: known.join(","), seeds: "1,2,3", clean: "80" });
    return [
      given.kinds === "none" ? [] : among("--kinds", given.kinds, known),
      numbers("--seeds", given.seeds),
      numbers("--clean", given.clean),
    ];
  });
  const runsFolder = await Deno.makeTempDir({ prefix: "nonzero-faults-" });
  const outcomes: Outcome[] = [];
  for (const kind of kinds) {
    for (const seed of seeds) {
      const outcome = await runFault(kind, seed, runsFolder);
      outcomes.push(outcome);
      console.error(`${kind} ${seed}: ${outcome.named ? "named" : "NOT NAMED"} ${outcome.said.join(", ")}`);
    }
  }
  if (outcomes.length > 0) console.log(report(outcomes));
  let [runs, alarmed, stalled] = [0, 0, 0];
  for await (const { name, told } of cleanRuns(clean!, seeds, runsFolder)) {
    runs++;
    const said = told.alarms.map((alarm) => `${alarm.cause}@${alarm.train_step}: ${alarm.message}`);
    // That the machine is busy is true, and no property of the run: counted apart.
    const machine = told.alarms.length > 0 && told.alarms.every(({ cause }) => cause === "resource_stall");
    if (machine) stalled++;
    else if (said.length > 0 || told.status !== "ok") alarmed++;
    console.error(
      `clean ${name}: ${said.join("; ") || told.status} (${told.trainSteps} steps, ${told.ms.toFixed(0)} ms)`,
    );
    if (said.length > 0 || told.status !== "ok") {
      console.log(`ALARM on clean ${name}: ${said.join("; ") || told.reason}`);
    }
  }
  if (runs > 0) {
    console.log(`clean runs with an alarm ${percent(alarmed, runs)}; slowed down by the machine: ${stalled}`);
  }
  await Deno.remove(runsFolder, { recursive: true });
}
