/**
 * Checkpoints: what a resume needs, in a folder that is complete or invisible.
 *
 * A checkpoint stands alone: beside state and weights it holds the run's manifest and workflow, and nothing of it lies
 * elsewhere. Every file is hashed, the list of hashes as well.
 *
 * Order: files under a temporary name, each fsynced; the manifest with sizes and sha256 last; fsync of the folder;
 * rename; fsync of the parent; only then does anything older go. A name that is taken is moved aside first
 * (`.old-<name>`) and put back at the next start when the new one did not arrive.
 * @module
 */
import { join } from "node:path";
import { z } from "zod";
import type { TableName } from "../../data/columns.ts";
import { listFolder, orElse } from "../../data/file_system.ts";
import {
  checkTableName,
  parseCheckpoint,
  RUN_FILES,
  RUN_MANIFEST,
  type RunManifest,
  type RunManifestInput,
  TEMPORARY_PREFIX,
} from "../../data/run_folder.ts";
import { decodeTable, encodeTable } from "../../data/tables/mod.ts";
import type { ResourceState } from "../../steps/resources/resource.ts";
import { canonicalJson, sha256 } from "../../data/digest.ts";
import { decodeExact, encodeExact } from "./exact_json.ts";
import type { Part } from "./finished_rows.ts";
import { type RunTables, WHOLE_TABLES } from "./run_tables.ts";
import { STORED_FILE, type StoredFile } from "../../data/segment_digests.ts";
import { makeFolder, reasonOf, removeIfThere, syncFolder, writeSynced, writing } from "./write_file.ts";

/** Begins the name of a checkpoint that is being replaced by another of its name. */
export const OLD_PREFIX = ".old-";

const FORMAT = 2; // Version of a checkpoint's layout. 1 had no digest of its list and leaned on the tables of the run.

/** checkpoint.json */
const CHECKPOINT_MANIFEST = z.strictObject({
  format: z.literal(FORMAT),
  train_step: z.int().min(0),
  update: z.int().min(0),
  config: z.string().describe("sha256 of what decides the numbers: workflow, params, seed, threads, backend, versions"),
  best: z.number().nullable().describe("value of checkpoint.best, or null when it was not measured in this train step"),
  files: z.array(STORED_FILE).describe("every other file of this checkpoint"),
  sha256: z.string().describe("digest of all the other keys as JSON with sorted keys"),
});

type CheckpointManifest = z.output<typeof CHECKPOINT_MANIFEST>;

/** What says which run this is: its manifest with the identity, and its workflow as YAML. */
export interface RunRecord<Manifest = RunManifest> {
  readonly manifest: Manifest;
  readonly workflow: string;
}

/** Everything a checkpoint holds. */
export interface CheckpointContent {
  readonly trainStep: number;
  readonly update: number;
  readonly best: number | null;
  readonly record: RunRecord<RunManifestInput>;
  /** The engine's cursor, outputs and counters. */
  readonly state: unknown;
  readonly tables: RunTables;
  readonly resources: ReadonlyMap<string, ResourceState>;
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
  /** float32 where it is not said. */
  readonly dtype?: "uint8";
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
    const manifest = sealed({
      format: FORMAT,
      train_step: content.trainStep,
      update: content.update,
      config: configHash(content.record.manifest["identity"]),
      best: content.best,
      files,
    });
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

/** The digest of what decides a run's numbers. */
export function configHash(identity: unknown): string {
  return sha256(canonicalJson(identity ?? null));
}

function sealed(manifest: Omit<CheckpointManifest, "sha256">): CheckpointManifest {
  return { ...manifest, sha256: sha256(canonicalJson(manifest)) };
}

function* checkpointFiles(content: CheckpointContent): Generator<[string, Uint8Array[]]> {
  const encoder = new TextEncoder();
  yield ["state.json", [encoder.encode(encodeExact(content.state))]];
  const { manifest, workflow } = content.record;
  yield [RUN_FILES.manifest, [encoder.encode(JSON.stringify(RUN_MANIFEST.parse(manifest), null, 2) + "\n")]];
  yield [RUN_FILES.workflow, [encoder.encode(workflow)]];
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
      const dtype = data instanceof Uint8Array ? { dtype: "uint8" as const } : {};
      arrays.push({ name: array, shape, offset, length: data.length, ...dtype });
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
    if (data instanceof Uint8Array) continue;
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
  readonly record: RunRecord;
  readonly state: unknown;
  readonly resources: ReadonlyMap<string, ResourceState>;
  restoreTables(tables: RunTables): void;
}

/** Reads and verifies a checkpoint: every file's size and sha256, and what is said twice. Throws with what is wrong. */
export function readCheckpoint(folder: string, name: string): LoadedCheckpoint {
  const manifest = readCheckpointManifest(folder, name);
  const root = join(folder, RUN_FILES.checkpoints, name);
  const contents = new Map(manifest.files.map((file) => [file.path, verified(root, file)]));
  const text = (path: string) => new TextDecoder().decode(contents.get(path)!);
  const record = {
    manifest: RUN_MANIFEST.parse(JSON.parse(text(RUN_FILES.manifest))),
    workflow: text(RUN_FILES.workflow),
  };
  if (manifest.config !== configHash(record.manifest["identity"])) {
    throw new Error(`its config is not that of its ${RUN_FILES.manifest}`);
  }
  const resources = new Map<string, ResourceState>();
  for (const path of contents.keys()) {
    const match = /^(\w+)\.resource\.json$/.exec(path);
    if (match === null) continue;
    const { json, arrays } = decodeExact(text(path)) as { json: Record<string, unknown>; arrays: ArrayEntry[] };
    const bytes = contents.get(`${match[1]}.resource.bin`)!;
    resources.set(match[1]!, {
      json,
      arrays: new Map(arrays.map(({ name, shape, offset, length, dtype }) => {
        const kind = dtype === "uint8" ? Uint8Array : Float32Array;
        const own = bytes.slice(offset, offset + kind.BYTES_PER_ELEMENT * length);
        return [name, { shape, data: new kind(own.buffer) }];
      })),
    });
  }
  return {
    manifest,
    record,
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

/** checkpoint.json alone, verified; the files it lists are not. */
export function readCheckpointManifest(folder: string, name: string): CheckpointManifest {
  const file = RUN_FILES.checkpointManifest;
  const text = new TextDecoder().decode(readBytes(join(folder, RUN_FILES.checkpoints, name), file));
  const value = orElse(() => JSON.parse(text), null);
  const format: unknown = value?.format;
  if (format === 1) throw new Error(`its ${file} has format 1, want ${FORMAT}: resume with the version that wrote it`);
  const parsed = CHECKPOINT_MANIFEST.safeParse(value);
  if (!parsed.success) throw new Error(`its ${file} is damaged`);
  const { sha256: _, ...rest } = parsed.data;
  if (sealed(rest).sha256 !== parsed.data.sha256) throw new Error(`its ${file} is damaged: its sha256 differs`);
  const place = parseCheckpoint(name);
  if (place?.trainStep !== rest.train_step || place.update !== rest.update) {
    throw new Error(`its ${file} is that of checkpoint ${rest.train_step}.${rest.update}`);
  }
  return parsed.data;
}

function verified(root: string, file: StoredFile): Uint8Array {
  const bytes = readBytes(root, file.path);
  if (bytes.length !== file.bytes) throw new Error(`${file.path} has ${bytes.length} bytes, want ${file.bytes}`);
  if (sha256(bytes) !== file.sha256) throw new Error(`${file.path} is damaged: its sha256 differs`);
  return bytes;
}

function readBytes(root: string, path: string): Uint8Array {
  try {
    if (!Deno.statSync(join(root, path)).isFile) throw new Error("it is no file");
    return Deno.readFileSync(join(root, path));
  } catch (error) {
    const isGone = error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory;
    throw new Error(isGone ? `${path} is missing` : `${path} cannot be read: ${reasonOf(error)}`);
  }
}
