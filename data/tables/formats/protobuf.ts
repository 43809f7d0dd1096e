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
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  return concat([Uint8Array.from([...varint(field * 8 + 2), ...varint(size)]), ...parts]);
}

export function textField(field: number, value: string): Uint8Array {
  return bytesField(field, encoder.encode(value));
}

/** A whole number from 0 to 2^53. */
export function wholeField(field: number, value: number): Uint8Array {
  return Uint8Array.from([...varint(field * 8), ...varint(value)]);
}

export function float64Field(field: number, value: number): Uint8Array {
  return Uint8Array.from([...varint(field * 8 + 1), ...new Uint8Array(Float64Array.of(value).buffer)]);
}

export function float32Field(field: number, value: number): Uint8Array {
  return Uint8Array.from([...varint(field * 8 + 5), ...new Uint8Array(Float32Array.of(value).buffer)]);
}

/** A repeated double, packed. */
export function float64ListField(field: number, values: readonly number[]): Uint8Array {
  return bytesField(field, new Uint8Array(Float64Array.from(values).buffer));
}
