/** Writes a run folder with a few rows, as a run would leave it, without running anything. @module */
import { join } from "node:path";
import type { RunManifestInput } from "../../../data/run_folder.ts";
import { RUN_FILES, segmentPath } from "../../../data/run_folder.ts";
import { encodeTable, tableOfRows } from "../../../data/tables/mod.ts";
import { sha256 } from "../../../data/digest.ts";
import { SegmentLog } from "../../../workflows/store/segment_log.ts";
import { writeManifest } from "../../../workflows/store/manifest.ts";

export const RUN_A = "20260102-030405-small-aaaa";
export const RUN_B = "20260102-030405-small-bbbb";

const METRICS = [
  { train_step: 1, phase: "rollout", step_id: "update", reward: 0.25, accuracy: 0.25, entropy: 1.5, loss: 0 },
  { train_step: 2, phase: "rollout", step_id: "update", reward: 0.75, accuracy: 0.75, entropy: 1.25, loss: -0.5 },
];
const COMPLETIONS = [
  { train_step: 1, prompt_id: 1, sample: 0, prompt: "1+1=", answer: "2", text: "3", reward: 0, correct: false },
  { train_step: 2, prompt_id: 1, sample: 0, prompt: "1+1=", answer: "2", text: "2", reward: 1, correct: true },
  { train_step: 2, prompt_id: 1, sample: 1, prompt: "1+1=", answer: "2", text: "4", reward: 0, correct: false },
  { train_step: 2, prompt_id: 2, sample: 0, prompt: "2+2=", answer: "4", text: "4\n", reward: 1, correct: true },
];

/** Lists the segments of a run in segments.jsonl, as a run does. */
export function logSegments(folder: string, ...paths: readonly string[]): void {
  const files = paths.map((path) => ({ path, bytes: Deno.readFileSync(join(folder, path)) }));
  const listed = files.map(({ path, bytes }) => ({ path, bytes: bytes.length, sha256: sha256(bytes) }));
  new SegmentLog(folder).add(listed, { sync: false });
}

/** Flips the lowest bit of the last 0.75 in a file: the reward of the last train step, a damage that no format notices. */
export function flipBit(path: string): void {
  const bytes = Deno.readFileSync(path), view = new DataView(bytes.buffer);
  for (let at = 0; at + 8 <= bytes.length; at += 4) {
    const isFloat32 = view.getFloat32(at, true) === 0.75, isFloat64 = view.getFloat64(at, true) === 0.75;
    if (!isFloat32 && !isFloat64) continue;
    bytes[at + (isFloat32 ? 2 : 6)]! ^= 1;
    Deno.writeFileSync(path, bytes);
    return;
  }
  throw new RangeError(`Cannot damage ${path}: it has no 0.75`);
}

/** Makes `<runs>/<id>`; `changes` replace keys of its manifest, `prompts` become its table. Returns its path. */
export function fabricateRun(
  runs: string,
  id: string,
  changes: Partial<RunManifestInput> = {},
  prompts: readonly Record<string, unknown>[] = [],
): string {
  const folder = join(runs, id);
  Deno.mkdirSync(folder, { recursive: true });
  writeManifest(folder, {
    format: 1,
    id,
    name: "small",
    about: "a fabricated run",
    status: "ok",
    created: "2026-01-02T03:04:05.000Z",
    finished: "2026-01-02T03:05:20.000Z",
    workflow: "small.yaml",
    params: { size: 4 },
    seed: 1,
    device: "cpu",
    backend: "ffi",
    threads: 2,
    cpu_class: "x86_64",
    versions: { nonzero: "0.1.0" },
    train_step: 2,
    evaluations: { before: { sampled: 0.5, greedy: null }, after: { sampled: 0.75, greedy: null } },
    ...changes,
  });
  Deno.writeTextFileSync(join(folder, RUN_FILES.workflow), "name: small\nsteps: []\n");
  const asked = prompts.map((row, prompt_id) => ({ prompt_id, answer: "1", split: "held_out", ...row }));
  for (const [name, rows] of [["metrics", METRICS], ["completions", COMPLETIONS], ["prompts", asked]] as const) {
    if (!rows.length) continue;
    const path = join(folder, segmentPath(name, 1, 2));
    Deno.mkdirSync(join(path, ".."), { recursive: true });
    Deno.writeFileSync(path, encodeTable(name, tableOfRows(name, rows)));
  }
  return folder;
}

/** A folder of runs for the time of a test. */
export async function withRuns(body: (runs: string) => Promise<void> | void): Promise<void> {
  const runs = await Deno.makeTempDir();
  try {
    fabricateRun(runs, RUN_A);
    fabricateRun(runs, RUN_B, {
      seed: 2,
      evaluations: { before: { sampled: 0.5, greedy: null }, after: { sampled: 0.25, greedy: null } },
    });
    await body(runs);
  } finally {
    await Deno.remove(runs, { recursive: true });
  }
}
