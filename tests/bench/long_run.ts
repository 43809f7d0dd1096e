/**
 * Thousands of fabricated train steps through the engine: what a long run costs in memory, checkpoints and diagnoses.
 *
 *     deno task bench long_run [--steps 5000] [--every 500] [--json]
 *
 * The rows are as many and as wide as those of a small GRPO run; nothing is trained. One line per `every` train steps.
 * @module
 */
import { benchArguments, typed } from "./arguments.ts";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type TableName, TABLES } from "../../data/columns.ts";
import { listFolder } from "../../data/file_system.ts";
import { tableOfRows } from "../../data/tables/mod.ts";
import { diagnose } from "../../steps/diagnose.ts";
import type { TableWrites } from "../../steps/step.ts";
import { loneContext } from "../../workflows/engine/lone_context.ts";
import { RunState } from "../../workflows/engine/run_state.ts";
import { checkpointNames } from "../../workflows/store/retention.ts";
import { ENVIRONMENT, RECORD } from "../workflows/engine/fake_runs.ts";
import { fakePlan } from "../workflows/engine/fake_steps.ts";

/** What was measured after so many train steps. */
export interface Measured {
  readonly train_step: number;
  readonly heap_mb: number;
  readonly rss_mb: number;
  /** Bytes of the newest checkpoint.json. */
  readonly manifest_bytes: number;
  readonly checkpoint_ms: number;
  /** The step `diagnose`, each of the last train steps: mean, and the one that took longest. */
  readonly diagnose_ms: number;
  readonly slowest_ms: number;
  /** Files below tables/. */
  readonly segments: number;
}

/** Names of the columns of numbers of a table, but its key. */
const numbers = (table: "metrics" | "updates" | "gradients") =>
  Object.entries(TABLES[table]).filter(([name, { type }]) => type === "float64" && name !== "train_step").map(([n]) =>
    n
  );

/** The rows of one train step: 64 completions of 8 tokens, 30 tensors, 100 evaluated prompts on every 20th. */
export function fabricated(step: number): TableWrites {
  const value = (name: string, row: number) => Math.sin(step + row + name.length);
  const row = (names: readonly string[], at: number) =>
    Object.fromEntries(names.map((name) => [name, value(name, at)]));
  const rows = (count: number, make: (at: number) => Record<string, unknown>) =>
    Array.from({ length: count }, (_, i) => make(i));
  return {
    metrics: tableOfRows("metrics", [{ phase: "rollout", step_id: "update", ...row(numbers("metrics"), 0) }]),
    updates: tableOfRows("updates", rows(2, (i) => ({ update: i + 1, ...row(numbers("updates"), i) }))),
    gradients: tableOfRows(
      "gradients",
      rows(30, (i) => ({ parameter: `layer.${i}`, ...row(numbers("gradients"), i) })),
    ),
    completions: tableOfRows(
      "completions",
      rows(64, (i) => ({ prompt_id: i >> 3, sample: i & 7, text: `${step} ${i}`, old_logprobs: new Float32Array(8) })),
    ),
    ...(step % 20 !== 0 ? {} : {
      evaluations: tableOfRows(
        "evaluations",
        rows(100, (i) => ({ prompt_id: i, mode: "sampled", step_id: "test", text: `${i}`, correct: i < 50 })),
      ),
    }),
  };
}

/** Writes train steps and checkpoints into a folder, and tells what it costs. */
export async function longRun(
  folder: string,
  { steps, every, told }: { steps: number; every: number; told: (measured: Measured) => void },
): Promise<RunState> {
  const plan = fakePlan("name: long\ncheckpoint: { every: 10, keep: 2 }\nsteps: [{ uses: load_model }]", { log: [] });
  const state = new RunState(
    plan,
    ENVIRONMENT,
    "long",
    { project: folder, workflow: folder, run: folder },
    () => RECORD,
    { write: () => {}, close: () => {} },
  );
  let ms = 0, looks: number[] = [];
  const context = {
    ...loneContext(
      {
        ...ENVIRONMENT,
        runId: "long",
        seed: 0,
        deterministic: false,
        stepId: "diagnose",
        folders: { project: folder, workflow: folder, run: folder },
      } as const,
    ),
    table: (name: TableName) => state.tables.table(name),
    history: (name: TableName, trainSteps: number) => state.tables.history(name, trainSteps),
  };
  for (let step = 1; step <= steps; step++) {
    state.endTrainStep();
    state.tables.advance();
    for (const [name, table] of Object.entries(fabricated(step))) state.write({ [name]: table }, name);
    const started = performance.now();
    await diagnose.run({ on_error: "warn" }, { ...context, trainStep: step });
    looks.push(performance.now() - started);
    if (state.isCheckpointDue) {
      const started = performance.now();
      await state.save({ frames: [{ index: 0, round: 0 }], position: 0 });
      ms = performance.now() - started;
    }
    state.spill();
    if (step % every !== 0) continue;
    told(measure(folder, step, ms, looks));
    looks = [];
  }
  return state;
}

function measure(folder: string, step: number, ms: number, looks: readonly number[]): Measured {
  collectGarbage();
  const { heapUsed, rss } = Deno.memoryUsage(), [name] = checkpointNames(folder).slice(-1);
  const segments = listFolder(join(folder, "tables")).reduce(
    (sum, table) => sum + listFolder(join(folder, "tables", table)).length,
    0,
  );
  return {
    train_step: step,
    heap_mb: Math.round(heapUsed / 1e5) / 10,
    rss_mb: Math.round(rss / 1e5) / 10,
    manifest_bytes: Deno.statSync(join(folder, "checkpoints", name!, "checkpoint.json")).size,
    checkpoint_ms: tenths(ms),
    diagnose_ms: tenths(looks.reduce((sum, one) => sum + one, 0) / looks.length),
    slowest_ms: tenths(Math.max(...looks)),
    segments,
  };
}

const tenths = (ms: number) => Math.round(ms * 10) / 10;

/** What is left after a collection is what is held. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}

if (import.meta.main) {
  const values = typed(() => benchArguments(Deno.args, { steps: "5000", every: "500", json: false }));
  const folder = Deno.makeTempDirSync({ prefix: "nonzero_long_run_" });
  let isFirst = true;
  const told = (row: Measured) => {
    if (values.json) return console.log(JSON.stringify(row));
    if (isFirst) console.log(Object.keys(row).map((name) => name.padStart(15)).join(""));
    isFirst = false;
    console.log(Object.values(row).map((value) => String(value).padStart(15)).join(""));
  };
  try {
    await longRun(folder, { steps: Number(values.steps), every: Number(values.every), told });
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}
