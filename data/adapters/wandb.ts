/**
 * W&B's offline files `run-<id>.wandb`: LevelDB log blocks of 32 KiB with a crc32, around protobuf records.
 * @module
 */
import { crc32 } from "node:zlib";
import type { Adapter, Source } from "./adapter.ts";
import type { Intake } from "./intake/intake.ts";
import { fields, utf8 } from "./source/protobuf.ts";
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
        const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
        let to = 0;
        for (const part of parts) {
          whole.set(part, to);
          to += part.length;
        }
        parts = [];
        yield whole;
      }
    }
  }
}

/** Key and value of an item: JSON text with Python's NaN. */
function item(bytes: Uint8Array): { key: string; value: unknown } {
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
  try {
    return JSON.parse(text);
  } catch {
    return text; // an object with NaN inside: no scalar anyway
  }
}

function items(bytes: Uint8Array, wanted: number): { key: string; value: unknown }[] {
  const found = [];
  for (const [field, , value] of fields(bytes)) {
    if (field === wanted && value instanceof Uint8Array) found.push(item(value));
  }
  return found;
}

export const WANDB: Adapter = {
  about: "W&B offline files (run-*.wandb)",
  sniff: ({ head }) => head.length >= HEADER && MAGIC.every((byte, i) => head[i] === byte) ? 0.99 : 0,
  async read(source: Source, intake: Intake) {
    const bytes = await source.bytes(MAX_BYTES);
    const { stage } = intake;
    let line = 0;
    const stop = (at: number, why: string | null) => {
      intake.source.bytes_read = Math.min(at, bytes.length);
      intake.source.partial = why;
    };
    const config = (entry: { key: string; value: unknown }) => {
      // W&B wraps each value: {"desc": null, "value": …}.
      const { key } = entry;
      let { value } = entry;
      if (value !== null && typeof value === "object" && "value" in value) value = (value as { value: unknown }).value;
      if (key === "_wandb") return;
      if (value !== null && typeof value === "object") {
        for (const [name, inner] of Object.entries(value).slice(0, 200)) {
          if (inner === null || typeof inner !== "object") {
            intake.setting(`${key}.${name}`, inner, typeof inner, line, 1);
          }
        }
      } else intake.setting(key, value, value === null ? "null" : typeof value, line, 1);
    };
    for (const record of records(bytes, stop)) {
      line++;
      for (const [field, , value] of fields(record)) {
        if (!(value instanceof Uint8Array)) continue;
        if (field === 2) {
          stage.reset();
          let step: number | undefined;
          for (const { key, value: printed } of items(value, 1)) {
            if (key === "_step") {
              step = numberOf(printed) ?? undefined;
              continue;
            }
            if (key.startsWith("_")) continue;
            const number = numberOf(printed);
            if (number !== null || printed === null) stage.put(key, number);
          }
          // W&B counts its own log calls: the trainer's step, where it is logged, is better.
          const own = stage.infos.slice(0, stage.count).findIndex((info) => info.isStep);
          if (own >= 0) step = stage.values[own];
          if (stage.count > 0) intake.commit({ line, step, metrics: true });
        } else if (field === 5) items(value, 1).forEach(config);
        else if (field === 17) {
          for (const [key, , run] of fields(value)) {
            if (key === 4 && run instanceof Uint8Array) items(run, 1).forEach(config);
          }
        }
      }
    }
  },
};
