/**
 * TensorBoard event files: TFRecord framing with masked crc32c around Event messages; a torn tail is read up to the tear.
 * @module
 */
import { maskedCrc } from "../crc32c.ts";
import { WRITER } from "../tables/formats/tensorboard.ts";
import type { Adapter, Source } from "./adapter.ts";
import type { Intake } from "./intake/intake.ts";
import { OwnMetrics } from "./intake/own_metrics.ts";
import { StepRows } from "./intake/step_rows.ts";
import { fields, float, parts, utf8 } from "./source/protobuf.ts";
import { parseObject } from "./source/python_json.ts";

const MAX_BYTES = 1 << 29;

/** One scalar or text of an event file. */
interface EventValue {
  step: number;
  tag: string;
  value: number | string;
}

function tensorValue(bytes: Uint8Array): number | string | null {
  let dtype = 0, content: Uint8Array | null = null, number: number | null = null, text: string | null = null;
  for (const [field, wire, value] of fields(bytes)) {
    if (field === 1 && wire === 0) dtype = Number(value);
    else if (value instanceof Uint8Array) {
      if (field === 4) content = value;
      else if (field === 5 && value.length >= 4) number = float(value.subarray(0, 4));
      else if (field === 6 && value.length >= 8) number = float(value.subarray(0, 8));
      else if (field === 8) text = utf8(value);
    }
  }
  if (text !== null) return text;
  if (number !== null) return number;
  if (content !== null && dtype === 1 && content.length >= 4) return float(content.subarray(0, 4));
  if (content !== null && dtype === 2 && content.length >= 8) return float(content.subarray(0, 8));
  return null;
}

function* eventValues(event: Uint8Array): Generator<EventValue> {
  let step = 0;
  for (const [field, , value] of fields(event)) {
    if (field === 2 && typeof value === "bigint") step = Number(BigInt.asIntN(64, value));
  }
  for (const summary of parts(event, 5)) {
    for (const item of parts(summary, 1)) {
      let tag = "", found: number | string | null = null;
      for (const [key, wire, value] of fields(item)) {
        if (!(value instanceof Uint8Array)) continue;
        if (key === 1) tag = utf8(value);
        else if (key === 2 && wire === 5) found = float(value);
        else if (key === 8) found = tensorValue(value);
      }
      if (found !== null) yield { step, tag, value: found };
    }
  }
}

/** Who wrote the file, as its first event says (SourceMetadata); null if it does not. */
function writerOf(bytes: Uint8Array): string | null {
  if (bytes.length < 12) return null;
  const size = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  for (const metadata of parts(bytes.subarray(12, 12 + size), 10)) {
    for (const name of parts(metadata, 1)) return utf8(name);
  }
  return null;
}

/** Reads an event file's bytes; returns the bytes that were sound and why it stopped, if it did. */
function readEvents(
  bytes: Uint8Array,
  onValue: (value: EventValue) => void,
): { read: number; partial: string | null } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0, records = 0;
  while (at < bytes.length) {
    if (at + 12 > bytes.length) return { read: at, partial: `it ends inside record ${records + 1}` };
    const size = Number(view.getBigUint64(at, true));
    if (maskedCrc(bytes.subarray(at, at + 8)) !== view.getUint32(at + 8, true)) {
      return { read: at, partial: `the length of record ${records + 1} has a wrong checksum` };
    }
    if (at + 16 + size > bytes.length) return { read: at, partial: `it ends inside record ${records + 1}` };
    const data = bytes.subarray(at + 12, at + 12 + size);
    if (maskedCrc(data) !== view.getUint32(at + 12 + size, true)) {
      return { read: at, partial: `record ${records + 1} has a wrong checksum` };
    }
    for (const value of eventValues(data)) onValue(value);
    at += 16 + size;
    records++;
  }
  return { read: at, partial: null };
}

export const TENSORBOARD: Adapter = {
  about: "TensorBoard event files (events.out.tfevents.*)",
  sniff({ name, head }) {
    if (head.length < 16) return 0;
    const view = new DataView(head.buffer, head.byteOffset, head.length);
    const framed = maskedCrc(head.subarray(0, 8)) === view.getUint32(8, true);
    return framed ? 0.99 : name.includes("tfevents") ? 0.5 : 0;
  },
  async read(source: Source, intake: Intake) {
    const bytes = await source.bytes(MAX_BYTES);
    const steps = new StepRows();
    const { read, partial } = readEvents(bytes, ({ step, tag, value }) => {
      if (typeof value === "number") {
        steps.add(step, tag, value);
        return;
      }
      // transformers writes its arguments as JSON text under "args"; other texts are samples.
      const found = /^args(\/|$)/.test(tag) ? parseObject(value) : null;
      if (found === null) return;
      for (const [name, item] of Object.entries(found)) {
        if (item === null || typeof item !== "object") {
          intake.setting(name, item, item === null ? "null" : typeof item, 1, 1);
        }
      }
    });
    intake.source.bytes_read = read;
    intake.source.partial = partial;
    if (read === 0) throw new SyntaxError(`Cannot read ${source.path} as an event file: ${partial}`);
    if (writerOf(bytes) !== WRITER) return steps.commit(intake);
    const own = new OwnMetrics();
    for (const [step, row] of steps.rows) for (const [tag, value] of row) own.add(step, tag, value);
    own.finish(intake);
  },
};
