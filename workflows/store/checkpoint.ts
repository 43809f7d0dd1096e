/**
 * Checkpoints: what a resume needs, in a folder that is complete or invisible.
 *
 * Order: files under a temporary name, each fsynced; the manifest with sizes and sha256 last; fsync of the folder;
 * rename; fsync of the parent; only then does anything older go. A name that is taken is moved aside first
 * (`.old-<name>`) and put back at the next start when the new one did not arrive.
 * @module
 */
import { existsSync as exists } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { TableName } from "../../data/columns.ts";
import { checkTableName, RUN_FILES, TEMPORARY_PREFIX } from "../../data/run_folder.ts";
import { decodeTable, encodeTable } from "../../data/tables/mod.ts";
import type { ResourceState } from "../../steps/resources/resource.ts";
import { sha256 } from "./digest.ts";
import { decodeExact, encodeExact } from "./exact_json.ts";
import { type Part, type RunTables, WHOLE_TABLES } from "./run_tables.ts";
import type { StoredFile } from "./segments.ts";
import { listFolder, makeFolder, removeIfThere, syncFolder, writeSynced, writing } from "./write_file.ts";

/** Begins the name of a checkpoint that is being replaced by another of its name. */
const OLD_PREFIX = ".old-";

const STORED_FILE = z.strictObject({ path: z.string(), bytes: z.int().min(0), sha256: z.string().length(64) });

/** checkpoint.json */
export const CHECKPOINT_MANIFEST = z.strictObject({
  format: z.literal(1),
  train_step: z.int().min(0),
  update: z.int().min(0),
  config: z.string().describe("sha256 of what decides the numbers: workflow, params, seed, threads, backend, versions"),
  best: z.number().nullable().describe("value of checkpoint.best, or null when it was not measured in this train step"),
  files: z.array(STORED_FILE).describe("every other file of this checkpoint"),
  segments: z.array(STORED_FILE).describe("table segments of the run folder that it continues"),
});

export type CheckpointManifest = z.output<typeof CHECKPOINT_MANIFEST>;

/** Everything a checkpoint holds. */
export interface CheckpointContent {
  readonly trainStep: number;
  readonly update: number;
  readonly config: string;
  readonly best: number | null;
  /** The engine's cursor, outputs and counters. */
  readonly state: unknown;
  readonly tables: RunTables;
  readonly resources: ReadonlyMap<string, ResourceState>;
  readonly segments: readonly StoredFile[];
}

/** Weights or moments that are not finite are never saved. */
export class NonFiniteStateError extends Error {
  override readonly name = "NonFiniteStateError";
}

interface ArrayEntry {
  readonly name: string;
  readonly shape: readonly number[];
  readonly offset: number;
  readonly length: number;
}

/** Writes a checkpoint and returns its manifest. Throws NonFiniteStateError before anything is written. */
export function writeCheckpoint(folder: string, name: string, content: CheckpointContent): CheckpointManifest {
  for (const [resource, state] of content.resources) refuseNonFinite(resource, state);
  const root = join(folder, RUN_FILES.checkpoints);
  makeFolder(root);
  const temporary = join(root, `${TEMPORARY_PREFIX}${name}`);
  const final = join(root, name);
  removeIfThere(temporary);
  try {
    makeFolder(temporary);
    const files = [...checkpointFiles(content)].map(([path, parts]): StoredFile => {
      writeSynced(join(temporary, path), parts);
      return { path, bytes: parts.reduce((sum, part) => sum + part.byteLength, 0), sha256: sha256(...parts) };
    });
    const manifest: CheckpointManifest = {
      format: 1,
      train_step: content.trainStep,
      update: content.update,
      config: content.config,
      best: content.best,
      files,
      segments: content.segments.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 })),
    };
    const text = new TextEncoder().encode(JSON.stringify(manifest, null, 1) + "\n");
    writeSynced(join(temporary, RUN_FILES.checkpointManifest), [text]);
    syncFolder(temporary);
    const old = join(root, `${OLD_PREFIX}${name}`);
    const taken = listFolder(root).includes(name);
    if (taken) {
      removeIfThere(old);
      writing(old, 0, () => Deno.renameSync(final, old));
    }
    writing(final, 0, () => Deno.renameSync(temporary, final));
    syncFolder(root);
    if (taken) removeIfThere(old);
    return manifest;
  } catch (error) {
    removeIfThere(temporary);
    throw error;
  }
}

/** Removes what crashed saves left, and puts back a checkpoint whose replacement did not arrive. */
export function cleanCheckpoints(folder: string): void {
  const root = join(folder, RUN_FILES.checkpoints);
  const names = listFolder(root);
  for (const name of names) {
    if (name.startsWith(TEMPORARY_PREFIX)) removeIfThere(join(root, name));
    if (!name.startsWith(OLD_PREFIX)) continue;
    const final = name.slice(OLD_PREFIX.length);
    if (names.includes(final)) removeIfThere(join(root, name));
    else Deno.renameSync(join(root, name), join(root, final));
  }
}

function* checkpointFiles(content: CheckpointContent): Generator<[string, Uint8Array[]]> {
  const encoder = new TextEncoder();
  yield ["state.json", [encoder.encode(encodeExact(content.state))]];
  const { trainStep } = content.tables;
  for (const [name, { table, parts }] of content.tables.rowsBetween(trainStep, trainStep)) {
    const metadata = { "nonzero.parts": JSON.stringify(parts.map(({ writer, rows }) => ({ writer, rows }))) };
    yield [`${name}.arrow`, [encodeTable(name, table, metadata)]];
    yield [`${name}.parts.json`, [encoder.encode(metadata["nonzero.parts"])]];
  }
  for (const [name, table] of content.tables.whole) yield [`${name}.arrow`, [encodeTable(name, table)]];
  for (const [name, state] of content.resources) {
    let offset = 0;
    const arrays: ArrayEntry[] = [];
    const parts: Uint8Array[] = [];
    for (const [array, { shape, data }] of state.arrays) {
      arrays.push({ name: array, shape, offset, length: data.length });
      parts.push(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
      offset += data.byteLength;
    }
    yield [`${name}.resource.json`, [encoder.encode(encodeExact({ json: state.json, arrays }))]];
    yield [`${name}.resource.bin`, parts];
  }
}

/** x * 0 is 0 for finite x and NaN otherwise: one pass without branches. */
function refuseNonFinite(resource: string, state: ResourceState): void {
  for (const [name, { data }] of state.arrays) {
    let sum = 0;
    for (let i = 0; i < data.length; i++) sum += data[i]! * 0;
    if (sum === 0) continue;
    const at = data.findIndex((value) => !Number.isFinite(value));
    throw new NonFiniteStateError(
      `Cannot save resource "${resource}": "${name}"[${at}] is ${data[at]}, want finite values; ` +
        "the last good checkpoint is kept",
    );
  }
}

/** A verified checkpoint, loaded. */
export interface LoadedCheckpoint {
  readonly manifest: CheckpointManifest;
  readonly state: unknown;
  readonly resources: ReadonlyMap<string, ResourceState>;
  restoreTables(tables: RunTables): void;
}

/** Reads and verifies a checkpoint: every file's size and sha256, also of the segments. Throws with what is wrong. */
export function readCheckpoint(folder: string, name: string): LoadedCheckpoint {
  const manifest = readCheckpointManifest(folder, name);
  const root = join(folder, RUN_FILES.checkpoints, name);
  const contents = new Map(manifest.files.map((file) => [file.path, verified(root, file)]));
  for (const segment of manifest.segments) {
    // Completions that are no longer kept are gone on purpose.
    if (segment.path.includes("/completions/") && !exists(join(folder, segment.path))) continue;
    verified(folder, segment);
  }
  const text = (path: string) => new TextDecoder().decode(contents.get(path)!);
  const resources = new Map<string, ResourceState>();
  for (const path of contents.keys()) {
    const match = /^(\w+)\.resource\.json$/.exec(path);
    if (match === null) continue;
    const { json, arrays } = decodeExact(text(path)) as { json: Record<string, unknown>; arrays: ArrayEntry[] };
    const bytes = contents.get(`${match[1]}.resource.bin`)!;
    resources.set(match[1]!, {
      json,
      arrays: new Map(arrays.map(({ name, shape, offset, length }) => [name, {
        shape,
        data: new Float32Array(bytes.slice(offset, offset + 4 * length).buffer),
      }])),
    });
  }
  return {
    manifest,
    state: decodeExact(text("state.json")),
    resources,
    restoreTables(tables) {
      for (const [path, bytes] of contents) {
        if (!path.endsWith(".arrow")) continue;
        const table: TableName = checkTableName(path.slice(0, -".arrow".length));
        const parts = WHOLE_TABLES.has(table)
          ? []
          : JSON.parse(text(`${table}.parts.json`)) as Pick<Part, "writer" | "rows">[];
        const trainStep = manifest.train_step;
        tables.restore(table, decodeTable(bytes), parts.map((part) => ({ ...part, trainStep })));
      }
    },
  };
}

/** checkpoint.json alone, unverified files. */
export function readCheckpointManifest(folder: string, name: string): CheckpointManifest {
  const path = join(folder, RUN_FILES.checkpoints, name, RUN_FILES.checkpointManifest);
  if (!exists(path)) throw new Error(`it has no ${RUN_FILES.checkpointManifest}`);
  const parsed = CHECKPOINT_MANIFEST.safeParse(parseJson(Deno.readTextFileSync(path)));
  if (!parsed.success) throw new Error(`its ${RUN_FILES.checkpointManifest} is damaged`);
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function verified(root: string, file: StoredFile): Uint8Array {
  const path = join(root, file.path);
  if (!exists(path)) throw new Error(`${file.path} is missing`);
  const bytes = Deno.readFileSync(path);
  if (bytes.length !== file.bytes) throw new Error(`${file.path} has ${bytes.length} bytes, want ${file.bytes}`);
  if (sha256(bytes) !== file.sha256) throw new Error(`${file.path} is damaged: its sha256 differs`);
  return bytes;
}
