/** A run as a TensorBoard event file: TFRecord frames around Event messages. @module */
import { maskedCrc } from "../../crc32c.ts";
import { bytesField, float32Field, float64Field, float64ListField, join, textField, wholeField } from "./protobuf.ts";
import { trackedName, type TrackedStep } from "./tracked_steps.ts";

/** The writer that the first event names (SourceMetadata): by it we know a file of ours again. */
export const WRITER = "nonzero";

/** What stands in an event file besides the metrics; times as theirs. */
interface EventExtras {
  /** Values whose distribution a train step has, as a histogram. */
  readonly histograms?: Iterable<
    { readonly trainStep: number; readonly tag: string; readonly values: readonly number[] }
  >;
  /** Markdown that a train step has. */
  readonly texts?: Iterable<{ readonly trainStep: number; readonly tag: string; readonly text: string }>;
}

/**
 * The bytes of an event file with one event per row: tag `<phase>/<column>`, step = train step; values rounded to float32,
 * NaN and infinities as they are. `started` and `time` are in seconds since 1970. Absent values are left out.
 */
export function* toTensorboard(
  steps: Iterable<TrackedStep>,
  started: number,
  time: (trainStep: number) => number,
  { histograms = [], texts = [] }: EventExtras = {},
): Generator<Uint8Array> {
  yield record(join(float64Field(1, started), textField(3, "brain.Event:2"), bytesField(10, textField(1, WRITER))));
  for (const { trainStep, phase, time: at, values } of steps) {
    if (values.length === 0) continue;
    const summary = values.map(([column, value]) =>
      bytesField(1, textField(1, trackedName(phase, column)), float32Field(2, value))
    );
    yield event(trainStep, at, summary);
  }
  for (const { trainStep, tag, values } of histograms) {
    const finite = values.filter(Number.isFinite);
    if (finite.length === 0) continue;
    yield event(trainStep, time(trainStep), [bytesField(1, textField(1, tag), bytesField(5, histogram(finite)))]);
  }
  for (const { trainStep, tag, text } of texts) {
    const plugin = bytesField(9, bytesField(1, textField(1, "text")));
    const tensor = bytesField(8, wholeField(1, 7), bytesField(2, bytesField(2, wholeField(1, 1))), textField(8, text));
    yield event(trainStep, time(trainStep), [bytesField(1, textField(1, tag), tensor, plugin)]);
  }
}

function event(trainStep: number, time: number, values: readonly Uint8Array[]): Uint8Array {
  return record(join(float64Field(1, time), wholeField(2, trainStep), bytesField(5, ...values)));
}

const BUCKETS = 30;

/** A HistogramProto of finite numbers: 30 buckets of one width between the smallest and the largest. */
function histogram(values: readonly number[]): Uint8Array {
  const sum = (of: (value: number) => number) => values.reduce((total, value) => total + of(value), 0);
  const low = Math.min(...values), high = Math.max(...values), width = (high - low) / BUCKETS;
  const buckets = width > 0 ? BUCKETS : 1, counts = new Array<number>(buckets).fill(0);
  for (const value of values) counts[width > 0 ? Math.min(BUCKETS - 1, Math.floor((value - low) / width)) : 0]!++;
  const limits = counts.map((_, i) => i === buckets - 1 ? high : low + (i + 1) * width);
  return join(
    float64Field(1, low),
    float64Field(2, high),
    float64Field(3, values.length),
    float64Field(4, sum((value) => value)),
    float64Field(5, sum((value) => value * value)),
    float64ListField(6, limits),
    float64ListField(7, counts),
  );
}

function record(data: Uint8Array): Uint8Array {
  const out = new Uint8Array(16 + data.length);
  const view = new DataView(out.buffer);
  view.setBigUint64(0, BigInt(data.length), true);
  view.setUint32(8, maskedCrc(out.subarray(0, 8)), true);
  out.set(data, 12);
  view.setUint32(12 + data.length, maskedCrc(data), true);
  return out;
}
