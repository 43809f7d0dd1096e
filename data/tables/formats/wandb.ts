/**
 * A run as W&B's offline file `run-<id>.wandb`: protobuf records in the blocks of a LevelDB log, which `wandb sync` uploads.
 * @module
 */
import { crc32 } from "node:zlib";
import { bytesField, join, textField, wholeField } from "./protobuf.ts";
import { trackedName, type TrackedStep } from "./tracked_steps.ts";
import type { TrackerRun } from "./tracker_run.ts";

/** What the header names as the program that wrote the file: by it we know one of ours again. */
export const PRODUCER = "nonzero";
/** The oldest W&B client that W&B's own files of this layout ask for. */
const MIN_CONSUMER = "0.70.0";
const BLOCK = 32768, HEADER = 7;
/** Kinds of a fragment: a whole record, its first, middle and last part. */
const FULL = 1, FIRST = 2, MIDDLE = 3, LAST = 4;

/** Ids of W&B have letters, digits, "-" and "_". */
export function wandbId(id: string): string {
  return id.replaceAll(/[^A-Za-z0-9_-]/g, "_");
}

/** `offline-run-<date>_<time>-<id>`, as W&B calls the folder of a run. */
export function wandbFolder({ id, started }: TrackerRun): string {
  const stamp = new Date(started * 1000).toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "_");
  return `offline-run-${stamp}-${wandbId(id)}`;
}

/**
 * The bytes of the file: configuration from the settings, one record of history per train step with `_step` = train step,
 * the last value of each name as the summary, the names of `files` beside it. A number is JSON, NaN and infinities as
 * Python's JSON has them.
 */
export function* toWandb(
  run: TrackerRun,
  steps: Iterable<TrackedStep>,
  files: readonly string[],
): Generator<Uint8Array> {
  const log = new Log(), last = new Map<string, string>();
  yield log.begin();
  yield* log.record(bytesField(21, bytesField(1, textField(1, PRODUCER), textField(2, MIN_CONSUMER))));
  yield* log.record(bytesField(17, runRecord(run)));
  yield* log.record(bytesField(6, ...files.map((path) => bytesField(1, textField(1, path)))));
  for (const [trainStep, row] of historyRows(run, steps)) {
    for (const [name, json] of row) last.set(name, json);
    const items = [...row].map(([name, json]) => bytesField(1, textField(2, name), textField(16, json)));
    yield* log.record(bytesField(2, ...items, bytesField(2, wholeField(1, trainStep))));
  }
  const summary = [...last].map(([name, json]) => bytesField(1, textField(2, name), textField(16, json)));
  yield* log.record(bytesField(3, ...summary));
  if (run.status !== "running") yield* log.record(bytesField(18, wholeField(1, run.status === "ok" ? 0 : 1)));
}

function runRecord(run: TrackerRun): Uint8Array {
  const config = new Map<string, unknown>([...run.settings, [
    "nonzero",
    Object.fromEntries([["run", run.id], ...run.facts]),
  ]]);
  const items = [...config].map(([key, value]) =>
    bytesField(1, textField(1, key), textField(16, JSON.stringify(value)))
  );
  const seconds = Math.floor(run.started), nanos = Math.round((run.started - seconds) * 1e9);
  return join(
    textField(1, wandbId(run.id)),
    textField(3, "nonzero"),
    bytesField(4, ...items),
    textField(8, run.id),
    textField(9, run.about),
    bytesField(17, wholeField(1, seconds), wholeField(2, nanos)),
  );
}

/** One row per train step: its phases beside each other, for a step of W&B is logged once. */
function* historyRows(
  run: TrackerRun,
  steps: Iterable<TrackedStep>,
): Generator<readonly [trainStep: number, row: ReadonlyMap<string, string>]> {
  let open: { readonly trainStep: number; readonly row: Map<string, string> } | null = null;
  for (const { trainStep, phase, stepId, time, values } of steps) {
    if (open !== null && open.trainStep !== trainStep) {
      yield [open.trainStep, open.row];
      open = null;
    }
    open ??= {
      trainStep,
      row: new Map([
        ["_step", String(trainStep)],
        ["_timestamp", String(time)],
        ["_runtime", String(Math.max(0, time - run.started))],
      ]),
    };
    // A number as Python's JSON has it: NaN, Infinity and -Infinity stand bare.
    for (const [column, value] of values) open.row.set(trackedName(phase, column), String(value));
    if (stepId !== null) open.row.set(trackedName(phase, "step_id"), JSON.stringify(stepId));
  }
  if (open !== null) yield [open.trainStep, open.row];
}

/** Records one behind the other, cut where a block of 32 KiB ends. */
class Log {
  /** Bytes of the last block that are used. */
  #used = 0;

  begin(): Uint8Array {
    this.#used = HEADER;
    return Uint8Array.of(0x3a, 0x57, 0x26, 0x42, 0xe1, 0xbe, 0); // ":W&B", magic, version 0
  }

  *record(data: Uint8Array): Generator<Uint8Array> {
    for (let at = 0; at < data.length || at === 0;) {
      let left = BLOCK - this.#used;
      if (left < HEADER) {
        yield new Uint8Array(left);
        [this.#used, left] = [0, BLOCK];
      }
      const part = data.subarray(at, at + left - HEADER), isLast = at + part.length === data.length;
      yield fragment(at === 0 ? isLast ? FULL : FIRST : isLast ? LAST : MIDDLE, part);
      this.#used = (this.#used + HEADER + part.length) % BLOCK;
      at += part.length;
      if (isLast) return;
    }
  }
}

function fragment(kind: number, part: Uint8Array): Uint8Array {
  const out = new Uint8Array(HEADER + part.length), view = new DataView(out.buffer);
  view.setUint32(0, crc32(part, crc32(Uint8Array.of(kind))) >>> 0, true);
  view.setUint16(4, part.length, true);
  out[6] = kind;
  out.set(part, HEADER);
  return out;
}
