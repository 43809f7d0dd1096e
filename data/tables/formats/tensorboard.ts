/** Metrics as a TensorBoard event file: TFRecord frames around Event messages. @module */
import type { ColumnTable } from "arquero";
import { maskedCrc } from "../../crc32c.ts";
import { columnArray } from "../column_array.ts";

function record(data: Uint8Array): Uint8Array {
  const out = new Uint8Array(16 + data.length);
  const view = new DataView(out.buffer);
  view.setBigUint64(0, BigInt(data.length), true);
  view.setUint32(8, maskedCrc(out.subarray(0, 8)), true);
  out.set(data, 12);
  view.setUint32(12 + data.length, maskedCrc(data), true);
  return out;
}

function varint(value: number): number[] {
  const out: number[] = [];
  for (; value > 127; value = Math.floor(value / 128)) out.push((value % 128) | 128);
  return [...out, value];
}

const message = (field: number, bytes: ArrayLike<number>) => [
  ...varint(field * 8 + 2),
  ...varint(bytes.length),
  ...Array.from(bytes),
];
const text = (field: number, value: string) => message(field, new TextEncoder().encode(value));
const float64 = (field: number, value: number) => [field * 8 + 1, ...new Uint8Array(Float64Array.of(value).buffer)];
const float32 = (field: number, value: number) => [field * 8 + 5, ...new Uint8Array(Float32Array.of(value).buffer)];

/** The writer that the first event names (SourceMetadata): by it we know a file of ours again. */
export const WRITER = "nonzero";

/**
 * The bytes of an event file with one event per row: tag `<column>`, step = train step; values rounded to float32.
 * Times are in seconds since 1970: when the run began, and when each train step ended. Absent values are left out.
 */
export function* toTensorboard(
  metrics: ColumnTable,
  started: number,
  wallTime: (trainStep: number) => number,
): Generator<Uint8Array> {
  const version = [...float64(1, started), ...text(3, "brain.Event:2"), ...message(10, text(1, WRITER))];
  yield record(Uint8Array.from(version));
  const steps = columnArray(metrics, "train_step") as ArrayLike<number>;
  const columns = metrics.columnNames().filter((name) => name !== "train_step")
    .map((name) => [name, columnArray(metrics, name)] as const);
  for (let row = 0; row < metrics.numRows(); row++) {
    const values = columns.flatMap(([name, cells]) => {
      const value = cells[row];
      return typeof value === "number" ? message(1, [...text(1, name), ...float32(2, value)]) : [];
    });
    if (values.length === 0) continue;
    const event = [...float64(1, wallTime(steps[row]!)), 2 * 8, ...varint(steps[row]!), ...message(5, values)];
    yield record(Uint8Array.from(event));
  }
}
