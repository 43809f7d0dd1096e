/**
 * The header of a safetensors file: checked before a byte of its tensors is allocated or read.
 *
 * Format: huggingface/safetensors (8-byte little-endian length, JSON, data). Stricter than the reference: duplicate
 * and unknown keys are refused and there are at most 100,000 tensors (a 67 MB header of empty ones costs 800 MB).
 * @module
 */
import { parseJsonObject } from "../strict_json.ts";
import { type DtypeName, DTYPES } from "./dtypes.ts";

export interface TensorEntry {
  readonly dtype: DtypeName;
  readonly shape: readonly number[];
  /** From the start of the file. */
  readonly byteOffset: number;
  readonly byteLength: number;
}

export interface SafetensorsHeader {
  readonly tensors: ReadonlyMap<string, TensorEntry>;
  readonly metadata: Readonly<Record<string, string>>;
}

const MAX_HEADER_BYTES = 100_000_000;
const MAX_TENSORS = 100_000;

/** The length of the header from the file's first 8 bytes; throws when it cannot be true. */
export function headerLength(first: Uint8Array, fileBytes: number, where: string): number {
  if (first.length < 8) fail(where, `it has ${fileBytes} bytes, want at least 8`);
  const length = new DataView(first.buffer, first.byteOffset, 8).getBigUint64(0, true);
  if (length > BigInt(MAX_HEADER_BYTES)) {
    fail(where, `its header says ${length} bytes, want at most ${MAX_HEADER_BYTES}`);
  }
  if (Number(length) > fileBytes - 8) {
    fail(where, `its header says ${length} bytes, but only ${fileBytes - 8} follow; the file is cut or no safetensors`);
  }
  return Number(length);
}

/**
 * Parses and checks a header.
 *
 * bytes       the JSON, without the 8 bytes before it
 * fileBytes   size of the whole file: the tensors must fill it without holes, overlaps or a rest
 * Throws SyntaxError "Cannot read <where>: …" that names the tensor.
 */
export function parseHeader(bytes: Uint8Array, fileBytes: number, where: string): SafetensorsHeader {
  if (bytes[0] !== 0x7b) fail(where, 'its header does not begin with "{"');
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new SyntaxError(`Cannot read ${where}: its header is not UTF-8`, { cause });
  }
  const { __metadata__, ...entries } = parseJsonObject(text, where, {
    depth: 3,
    members: MAX_TENSORS + 1,
    naturalNumbers: true,
  });
  const dataStart = 8 + bytes.length;
  const tensors = new Map<string, TensorEntry>();
  for (const [name, entry] of Object.entries(entries)) tensors.set(name, checkEntry(name, entry, dataStart, where));
  if (tensors.size > MAX_TENSORS) fail(where, `it has more than ${MAX_TENSORS} tensors`);
  checkLayout(tensors, dataStart, fileBytes, where);
  return { tensors, metadata: checkMetadata(__metadata__, where) };
}

function fail(where: string, what: string): never {
  throw new SyntaxError(`Cannot read ${where}: ${what}`);
}

function checkEntry(name: string, entry: unknown, dataStart: number, where: string): TensorEntry {
  const tensor = `tensor ${JSON.stringify(name.slice(0, 200))}`;
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) fail(where, `${tensor} is no object`);
  const { dtype, shape, data_offsets: offsets, ...rest } = entry as Record<string, unknown>;
  const unknown = Object.keys(rest)[0];
  if (unknown !== undefined) fail(where, `${tensor} has an unknown key ${JSON.stringify(unknown.slice(0, 80))}`);
  if (typeof dtype !== "string" || !Object.hasOwn(DTYPES, dtype)) {
    fail(where, `${tensor} has dtype ${JSON.stringify(dtype)}; known: ${Object.keys(DTYPES).join(", ")}`);
  }
  if (!isNaturals(shape)) fail(where, `${tensor} has no list of sizes as its shape`);
  if (!isNaturals(offsets) || offsets.length !== 2) fail(where, `${tensor} has no two data_offsets`);
  const [begin, end] = offsets as [number, number];
  if (begin > end) fail(where, `${tensor} ends at ${end}, before it begins at ${begin}`);
  const size = DTYPES[dtype as DtypeName].bytes;
  const wanted = shape.reduce((product, extent) => {
    const next = product * BigInt(extent);
    if (next > 1n << 60n) fail(where, `${tensor} has shape [${shape}], too many elements`);
    return next;
  }, BigInt(size));
  if (BigInt(end - begin) !== wanted) {
    fail(where, `${tensor} has ${end - begin} bytes, want ${wanted} for ${dtype} [${shape}]`);
  }
  return { dtype: dtype as DtypeName, shape, byteOffset: dataStart + begin, byteLength: end - begin };
}

function isNaturals(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((item) => Number.isSafeInteger(item) && item >= 0);
}

function checkLayout(tensors: Map<string, TensorEntry>, dataStart: number, fileBytes: number, where: string): void {
  let end = dataStart;
  const byOffset = [...tensors].sort(([, a], [, b]) => a.byteOffset - b.byteOffset || a.byteLength - b.byteLength);
  for (const [name, entry] of byOffset) {
    if (entry.byteOffset !== end) {
      const what = entry.byteOffset < end
        ? "overlaps the one before it"
        : `leaves a hole of ${entry.byteOffset - end} bytes`;
      fail(where, `tensor ${JSON.stringify(name.slice(0, 200))} ${what}`);
    }
    end += entry.byteLength;
  }
  if (end !== fileBytes) {
    const what = end < fileBytes
      ? `${fileBytes - end} bytes follow the last tensor`
      : `${end - fileBytes} bytes are missing`;
    fail(where, `${what}; the file is damaged or cut`);
  }
}

function checkMetadata(metadata: unknown, where: string): Record<string, string> {
  if (metadata === undefined) return {};
  const texts = typeof metadata === "object" && metadata !== null && !Array.isArray(metadata) &&
    Object.values(metadata).every((value) => typeof value === "string");
  if (!texts) fail(where, "its __metadata__ is not an object of texts");
  return metadata as Record<string, string>;
}
