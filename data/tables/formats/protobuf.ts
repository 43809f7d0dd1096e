/** Writes fields of protobuf messages: enough for the event files of trackers. @module */
import { concat } from "@deno/std/bytes/concat.js";

const encoder = new TextEncoder();

function varint(value: number): number[] {
  const out: number[] = [];
  for (; value > 127; value = Math.floor(value / 128)) out.push((value % 128) | 128);
  return [...out, value];
}

/** A message from its fields; a field from its parts. */
export function join(...parts: readonly Uint8Array[]): Uint8Array {
  return concat([...parts]);
}

/** A field that holds bytes, or a message. */
export function bytesField(field: number, ...parts: readonly Uint8Array[]): Uint8Array {
  let size = 0;
  for (const part of parts) size += part.length;
  const head = [...varint(field * 8 + 2), ...varint(size)], out = new Uint8Array(head.length + size);
  out.set(head);
  let at = head.length;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

export function textField(field: number, value: string): Uint8Array {
  return bytesField(field, encoder.encode(value));
}

/** A whole number from 0 to 2^53. */
export function wholeField(field: number, value: number): Uint8Array {
  return Uint8Array.from([...varint(field * 8), ...varint(value)]);
}

export function float64Field(field: number, value: number): Uint8Array {
  return fixed(field * 8 + 1, 8, (view, at) => view.setFloat64(at, value, true));
}

export function float32Field(field: number, value: number): Uint8Array {
  return fixed(field * 8 + 5, 4, (view, at) => view.setFloat32(at, value, true));
}

function fixed(key: number, size: number, set: (view: DataView, at: number) => void): Uint8Array {
  const head = varint(key), out = new Uint8Array(head.length + size);
  out.set(head);
  set(new DataView(out.buffer), head.length);
  return out;
}

/** A repeated double, packed. */
export function float64ListField(field: number, values: readonly number[]): Uint8Array {
  return bytesField(field, new Uint8Array(Float64Array.from(values).buffer));
}
