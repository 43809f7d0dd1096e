/**
 * Runs fake workflows in temporary folders and reads back what they left.
 * @module
 */
import { join } from "node:path";
import type { TableName } from "../../../data/columns.ts";
import { listFolder } from "../../../data/file_system.ts";
import { parseSegment, RUN_FILES, type RunManifestInput } from "../../../data/run_folder.ts";
import { decodeTable } from "../../../data/tables/mod.ts";
import {
  type RunEvent,
  type RunOptions,
  runPlan,
  type RunResult,
  StopControl,
} from "../../../workflows/engine/run_plan.ts";
import type { RunRecord } from "../../../workflows/store/checkpoint.ts";
import { encodeExact } from "../../../workflows/store/exact_json.ts";
import { fakePlan, type Hooks } from "./fake_steps.ts";

/** One environment for all tests, so that identities are equal everywhere. */
export const ENVIRONMENT = {
  device: "cpu",
  backend: "ffi",
  threads: 1,
  cpuClass: "x86_64 avx2",
  versions: { nonzero: "0.0.0", onnxruntime: "1.30.0" },
} as const;

/** What a checkpoint says of its run, where no run is. */
export const RECORD: RunRecord<RunManifestInput> = {
  manifest: {
    format: 1,
    id: "r",
    name: "r",
    about: "",
    status: "running",
    created: "2026-01-02T03:04:05.000Z",
    workflow: "r.yaml",
    params: {},
    seed: 0,
    device: ENVIRONMENT.device,
    backend: ENVIRONMENT.backend,
    threads: ENVIRONMENT.threads,
    cpu_class: ENVIRONMENT.cpuClass,
    versions: ENVIRONMENT.versions,
    identity: { seed: 0 },
  },
  workflow: "name: r\nsteps: []\n",
};

export interface FakeRun extends RunResult {
  readonly events: readonly RunEvent[];
  readonly hooks: Hooks;
}

export interface FakeRunOptions extends Partial<RunOptions> {
  readonly runs: string;
  readonly params?: Record<string, string>;
  /** Asks the run to stop at the n-th place it passes, from 0. */
  readonly stopAt?: number;
  readonly at?: Hooks["at"];
}

/** Runs a workflow text over the fake kinds. */
export async function fakeRun(text: string, options: FakeRunOptions): Promise<FakeRun> {
  const { runs, params, stopAt, at, ...rest } = options;
  const stop = options.stop ?? new StopControl();
  const events: RunEvent[] = [];
  const hooks: Hooks = {
    log: [],
    async at(place, self) {
      if (hooks.log.length - 1 === stopAt) stop.request("SIGINT");
      await at?.(place, self);
    },
  };
  const plan = fakePlan(text, hooks, params);
  const result = await runPlan(plan, {
    runsFolder: runs,
    projectFolder: Deno.cwd(),
    environment: ENVIRONMENT,
    onEvent: (event) => events.push(event),
    stop,
    ...rest,
  });
  return { ...result, events, hooks };
}

/** Every row on disk of a run as exact JSON by table; of completions those of the last `kept` train steps. */
export function rowsOnDisk(folder: string, kept = Infinity): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const table of listFolder(join(folder, RUN_FILES.tables))) {
    const files = listFolder(join(folder, RUN_FILES.tables, table)).filter((name) => parseSegment(name) !== null)
      .sort((a, b) => parseSegment(a)!.first - parseSegment(b)!.first);
    const rows = files.flatMap((file) => {
      const bytes = Deno.readFileSync(join(folder, RUN_FILES.tables, table as TableName, file));
      return decodeTable(bytes).objects() as { train_step?: number }[];
    });
    const last = Math.max(...rows.map((row) => row.train_step ?? 0));
    found[table] = rows.filter((row) => table !== "completions" || row.train_step! > last - kept)
      .map((row) => encodeExact(Object.fromEntries(Object.entries(row).map(([k, v]) => [k, plain(v)]))));
  }
  return found;
}

const plain = (value: unknown) => ArrayBuffer.isView(value) ? Array.from(value as Float32Array) : value;

/** A temporary folder that goes with the test. */
export async function withFolder(test: (folder: string) => void | Promise<void>): Promise<void> {
  const folder = Deno.makeTempDirSync({ prefix: "nonzero_engine_" });
  try {
    await test(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}
