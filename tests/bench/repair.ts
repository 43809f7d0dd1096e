/**
 * Repairs of faults that stand in a workflow's settings: how many are mended, what is earned, what it costs.
 *
 *     deno task bench repair -- [--seeds 3] [--steps 80] [KIND...]
 *     deno task bench repair -- --clean [--seeds 1]          the look-alikes: none may be forked
 *
 * A fault of workflows/library/failures that changes parameters is written into the workflow itself (a remedy edits the
 * file, not the injection) and run with `repair: apply`. Clean: the same workflow without it. Cost: train steps computed
 * by the run and all its forks over those of the clean run.
 * @module
 */
import { among, benchArguments, typed } from "./arguments.ts";
import { fromFileUrl } from "@deno/std/path/from_file_url.js";
import type { Fault } from "../../steps/faults/fault.ts";
import { FAULTS } from "../../steps/faults/mod.ts";
import { STEPS } from "../../steps/mod.ts";
import type { RunEvent } from "../../workflows/engine/run_plan.ts";
import { type LoadedWorkflow, loadWorkflow } from "../../workflows/language/parse.ts";
import { type Plan, stepsOf } from "../../workflows/plan/plan.ts";
import { planWorkflow } from "../../workflows/plan/plan_workflow.ts";
import { type RepairedRun, runWithRepair } from "../../workflows/repair/run_with_repair.ts";
import { siteAt } from "../../workflows/plan/sites.ts";

const FAILURES = fromFileUrl(new URL("../../workflows/library/failures/", import.meta.url));

/** What one run came to. */
export interface Measured {
  readonly run: RepairedRun;
  /** Mean reward of the last 20 train steps of the run that went on. */
  readonly reward: number;
  /** Train steps of the rollouts computed, forks included. */
  readonly computed: number;
}

/** Faults that a setting of a repeated step makes, by kind. */
export function settingFaults(): [string, Fault][] {
  const repeated = ["sample_groups", "score_rewards", "compute_advantages", "apply_update"];
  return (Object.entries(FAULTS) as [string, Fault][]).filter(([, { step, before, around, after }]) =>
    // A hook that asks for the context changes more than parameters.
    before !== undefined && before.length <= 2 && around === undefined && after === undefined && repeated.includes(step)
  );
}

/** The workflow of a failure with its fault written into `with`, or clean; repairs are applied. */
export async function planOf(name: string, seed: number, trainSteps: number, faulty: boolean): Promise<Plan> {
  const loaded: LoadedWorkflow = await loadWorkflow(`${FAILURES}${name}.yaml`, { kinds: STEPS });
  const document = structuredClone(loaded.document);
  const entries = document.faults;
  const checkpoint = { ...document.checkpoint, every: 20, keep: 2 };
  Object.assign(document, { faults: [], repair: "apply", checkpoint });
  const params = { seed, train_steps: trainSteps };
  const plan = planWorkflow({ ...loaded, document }, STEPS, { params });
  if (!faulty) return plan;
  for (const { kind: name, from: _, to: __, ...given } of entries) {
    const fault = FAULTS[name as keyof typeof FAULTS] as Fault;
    for (const { uses, path, params } of stepsOf(plan.steps)) {
      if (uses !== fault.step) continue;
      const before = params as Record<string, unknown>;
      const after = fault.before!(fault.params.parse(given) as never, before, null as never);
      const changed = Object.entries(after).filter(([key, value]) => before[key] !== value);
      Object.assign(siteAt(document.steps, path).with, Object.fromEntries(changed));
    }
  }
  return planWorkflow({ ...loaded, document }, STEPS, { params });
}

/** Runs a plan with repair in a temporary folder. */
export async function measure(plan: Plan): Promise<Measured> {
  const runs = Deno.makeTempDirSync({ prefix: "nonzero_bench_repair_" });
  const rewards = new Map<number, number>();
  let computed = 0;
  const onEvent = (event: RunEvent) => {
    if (event.event !== "train_step" || event.phase !== "rollout") return;
    computed++;
    if (typeof event.reward === "number") rewards.set(event.train_step as number, event.reward);
  };
  try {
    const run = await runWithRepair(plan, { runsFolder: runs, projectFolder: runs, onEvent });
    const last = [...rewards].sort(([a], [b]) => a - b).slice(-20).map(([, reward]) => reward);
    return { run, reward: last.reduce((sum, reward) => sum + reward, 0) / last.length, computed };
  } finally {
    Deno.removeSync(runs, { recursive: true });
  }
}

/** The clean twins of all faults, with repair on: whatever is forked here is a healthy run. */
async function cleanRuns(seeds: number, trainSteps: number): Promise<void> {
  const names = [...Deno.readDirSync(`${FAILURES}clean`)].map(({ name }) => name).filter((name) =>
    name.endsWith(".yaml")
  )
    .map((name) => `clean/${name.slice(0, -".yaml".length)}`).sort();
  let forked = 0;
  for (let seed = 1; seed <= seeds; seed++) {
    for (const name of names) {
      const { run } = await measure(await planOf(name, seed, trainSteps, false));
      if (run.repairs.length > 0) forked++;
      const told = run.repairs.map(({ cause, decision }) => `${cause} ${decision}`).join("; ");
      console.log(`${name} ${seed}: ${run.status}${told === "" ? "" : `: ${told}`}`);
    }
  }
  console.log(`${forked} of ${names.length * seeds} clean runs with a repair (want 0)`);
}

async function main(): Promise<void> {
  const known = settingFaults().map(([kind]) => kind);
  const values = typed(() => benchArguments(Deno.args, { seeds: "3", steps: "80", clean: false }, [0, Infinity]));
  const kinds = values.words.length > 0 ? typed(() => among("KIND", values.words.join(","), known)) : known;
  const [seeds, steps] = [Number(values.seeds), Number(values.steps)];
  if (values.clean) return await cleanRuns(seeds, steps);
  let mended = 0, stopped = 0, cost = 0, worse = 0, runs = 0, clean = 0;
  console.log("kind seed | clean reward | reward ratio | compute ratio | decisions");
  for (let seed = 1; seed <= seeds; seed++) {
    const cleanByText = new Map<string, Measured>();
    for (const kind of kinds) {
      const plan = await planOf(kind, seed, steps, false);
      const key = JSON.stringify({ ...plan.document, name: "", about: "" });
      const base = cleanByText.get(key) ?? await measure(plan);
      if (!cleanByText.has(key)) {
        clean++;
        if (base.run.repairs.length > 0) worse++;
        cleanByText.set(key, base);
      }
      const faulty = await measure(await planOf(kind, seed, steps, true));
      const ratio = faulty.reward / base.reward, compute = faulty.computed / base.computed;
      const isMended = faulty.run.status === "ok" && ratio >= 0.95;
      runs++;
      if (isMended) [mended, cost] = [mended + 1, cost + compute];
      if (faulty.run.repairs.length > 0) stopped++;
      const decisions = faulty.run.repairs.map(({ cause, decision, change }) =>
        `${cause} ${decision}${
          change.map(({ key, from, to }) => ` ${key} ${from}->${to}`).join("")
        }`
      ).join("; ") || `none (${faulty.run.findings.map(({ cause }) => cause).join(", ") || "no finding"})`;
      console.log(
        `${isMended ? "mended " : "       "} ${kind} ${seed} | ${base.reward.toFixed(3)} | ${ratio.toFixed(2)} | ` +
          `${compute.toFixed(2)} | ${faulty.run.status}: ${decisions}`,
      );
    }
  }
  console.log(
    `${mended} of ${runs} faulty runs mended (want 80 %), ${stopped} were stopped by a finding; compute of the mended ` +
      `${(cost / mended).toFixed(2)} (want at most 1.3); clean runs with a repair: ${worse} of ${clean} (want 0)`,
  );
}

if (import.meta.main) await main();
