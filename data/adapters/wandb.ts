/** W&B's offline files `run-<id>.wandb`: LevelDB log blocks of 32 KiB with a crc32, around protobuf records. @module */
import { concat } from "@deno/std/bytes/concat.js";
import { crc32 } from "node:zlib";
import { orElse } from "../file_system.ts";
import { PRODUCER } from "../tables/formats/wandb.ts";
import type { Adapter, Source } from "./adapter.ts";
import type { Intake } from "./intake/intake.ts";
import { LoggedCalls } from "./intake/logged.ts";
import { OwnMetrics } from "./intake/own_metrics.ts";
import { fields, parts, utf8 } from "./source/protobuf.ts";
import { numberOf } from "./source/python_json.ts";

const MAX_BYTES = 1 << 29;
const BLOCK = 32768;
const HEADER = 7;
const MAGIC = [0x3a, 0x57, 0x26, 0x42]; // ":W&B"

/** Records of the file; `stop` is told why reading ended early. */
function* records(bytes: Uint8Array, stop: (at: number, why: string | null) => void): Generator<Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = HEADER, parts: Uint8Array[] = [];
  for (;;) {
    const left = BLOCK - at % BLOCK;
    if (left < HEADER) {
      at += left;
      continue;
    }
    if (at >= bytes.length) return stop(at, null);
    if (at + HEADER > bytes.length) return stop(at, "it ends inside a record");
    const sum = view.getUint32(at, true), size = view.getUint16(at + 4, true), type = bytes[at + 6]!;
    if (type === 0 && size === 0) return stop(at, null); // padding that was reserved and not yet written
    if (at + HEADER + size > bytes.length) return stop(at, "it ends inside a record");
    const data = bytes.subarray(at + HEADER, at + HEADER + size);
    if ((crc32(data, crc32(Uint8Array.of(type))) >>> 0) !== sum) {
      return stop(at, `the record at byte ${at} has a wrong checksum`);
    }
    at += HEADER + size;
    if (type === 1) yield data;
    else {
      if (type === 2) parts = [];
      parts.push(data);
      if (type === 4) {
        yield concat(parts);
        parts = [];
      }
    }
  }
}

interface Item {
  readonly key: string;
  readonly value: unknown;
}

/** Key and value of an item: JSON text with Python's NaN. */
function item(bytes: Uint8Array): Item {
  let key = "", text = "";
  const nested: string[] = [];
  for (const [field, , value] of fields(bytes)) {
    if (!(value instanceof Uint8Array)) continue;
    if (field === 1) key = utf8(value);
    else if (field === 2) nested.push(utf8(value));
    else if (field === 16) text = utf8(value);
  }
  return { key: key || nested.join("."), value: jsonValue(text) };
}

function jsonValue(text: string): unknown {
  if (/^"?-?(NaN|Infinity)"?$/.test(text)) return numberOf(text.replaceAll('"', ""));
  if (text === "") return null;
  return orElse(() => JSON.parse(text), text); // an object with NaN inside is no scalar anyway
}

/** The items of a list of items. */
const items = (bytes: Uint8Array): Item[] => Array.from(parts(bytes, 1), item);

export const WANDB: Adapter = {
  about: "W&B offline files (run-*.wandb)",
  sniff: ({ head }) => head.length >= HEADER && MAGIC.every((byte, i) => head[i] === byte) ? 0.99 : 0,
  async read(source: Source, intake: Intake) {
    const bytes = await source.bytes(MAX_BYTES);
    const stop = (at: number, why: string | null) => {
      intake.source.bytes_read = Math.min(at, bytes.length);
      intake.source.partial = why;
    };
    const calls = new LoggedCalls(intake);
    let line = 0, own: OwnMetrics | null = null;
    for (const record of records(bytes, stop)) {
      line++;
      if (line === 1 && producerOf(record) === PRODUCER) own = new OwnMetrics();
      if (own !== null) {
        for (const history of parts(record, 2)) takeOwn(items(history), own);
        continue;
      }
      for (const history of parts(record, 2)) {
        const logged = items(history);
        calls.take(logged, logged.find(({ key }) => key === "_step")?.value, line);
      }
      for (const config of parts(record, 5)) takeConfig(items(config), line, intake);
      for (const run of parts(record, 17)) {
        for (const config of parts(run, 4)) takeConfig(items(config), line, intake);
      }
    }
    own?.finish(intake);
  },
};

/** Who wrote the file, as its header says. */
function producerOf(record: Uint8Array): string | null {
  for (const header of parts(record, 21)) {
    for (const version of parts(header, 1)) for (const producer of parts(version, 1)) return utf8(producer);
  }
  return null;
}

/** One train step of a run of ours. */
function takeOwn(logged: readonly Item[], own: OwnMetrics): void {
  const trainStep = numberOf(logged.find(({ key }) => key === "_step")?.value);
  if (trainStep === null) return;
  for (const { key, value } of logged) {
    if (typeof value === "number" || typeof value === "string") own.add(trainStep, key, value);
  }
}

/** W&B wraps each value of a configuration: {"desc": null, "value": …}. */
function takeConfig(config: readonly Item[], line: number, intake: Intake): void {
  for (const { key, value: wrapped } of config) {
    if (key === "_wandb") continue;
    const value = isObject(wrapped) && "value" in wrapped ? wrapped.value : wrapped;
    if (!isObject(value)) intake.setting(key, value, value === null ? "null" : typeof value, line, 1);
    else {
      for (const [name, inner] of Object.entries(value).slice(0, 200)) {
        if (!isObject(inner)) intake.setting(`${key}.${name}`, inner, typeof inner, line, 1);
      }
    }
  }
}

const isObject = (value: unknown): value is object => value !== null && typeof value === "object";
