/** W&B's offline files `run-<id>.wandb`: LevelDB log blocks of 32 KiB with a crc32, around protobuf records. @module */
import { concat } from "@deno/std/bytes/concat.js";
import { crc32 } from "node:zlib";
import { orElse } from "../file_system.ts";
import type { Adapter, Source } from "./adapter.ts";
import type { Intake } from "./intake/intake.ts";
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
    let line = 0;
    for (const record of records(bytes, stop)) {
      line++;
      for (const history of parts(record, 2)) takeHistory(items(history), line, intake);
      for (const config of parts(record, 5)) takeConfig(items(config), line, intake);
      for (const run of parts(record, 17)) {
        for (const config of parts(run, 4)) takeConfig(items(config), line, intake);
      }
    }
  },
};

/** One call of `log`: its step is W&B's own count of calls, so the trainer's, where it is logged, is better. */
function takeHistory(logged: readonly Item[], line: number, intake: Intake): void {
  const { stage } = intake;
  let calls: number | undefined;
  stage.reset();
  for (const { key, value } of logged) {
    const number = numberOf(value);
    if (key === "_step") calls = number ?? undefined;
    else if (!key.startsWith("_") && (number !== null || value === null)) stage.put(key, number);
  }
  const own = stage.infos.slice(0, stage.count).findIndex((info) => info.isStep);
  const step = own >= 0 ? stage.values[own] : calls;
  if (stage.count > 0) intake.commit({ line, step, metrics: true });
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
