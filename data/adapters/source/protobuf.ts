/** Walks the fields of a protobuf message: enough for event files of trackers. @module */

/** Field number, wire type and value: bigint (0), 8 bytes (1), bytes (2) or 4 bytes (5). */
type Field = readonly [field: number, wire: number, value: bigint | Uint8Array];

/** Fields of a message, in order. Throws SyntaxError where the bytes are no message. */
export function* fields(bytes: Uint8Array): Generator<Field> {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n, shift = 0n;
    for (;;) {
      if (at >= bytes.length || shift > 63n) throw new SyntaxError("Cannot read a record: a number runs over its end");
      const byte = bytes[at++]!;
      value |= BigInt(byte & 127) << shift;
      if ((byte & 128) === 0) return value;
      shift += 7n;
    }
  };
  while (at < bytes.length) {
    const key = Number(varint()), field = key >>> 3, wire = key & 7;
    if (wire === 0) {
      yield [field, wire, varint()];
      continue;
    }
    const size = wire === 1 ? 8 : wire === 5 ? 4 : wire === 2 ? Number(varint()) : -1;
    if (size < 0) throw new SyntaxError(`Cannot read a record: wire type ${wire} is not known`);
    if (at + size > bytes.length) throw new SyntaxError("Cannot read a record: a field runs over its end");
    yield [field, wire, bytes.subarray(at, at + size)];
    at += size;
  }
}

/** The messages, texts or bytes of one field. */
export function* parts(bytes: Uint8Array, wanted: number): Generator<Uint8Array> {
  for (const [field, , value] of fields(bytes)) if (field === wanted && value instanceof Uint8Array) yield value;
}

const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

/** A float of 4 bytes, a double of 8. */
export function float(bytes: Uint8Array): number {
  return bytes.length === 4 ? view(bytes).getFloat32(0, true) : view(bytes).getFloat64(0, true);
}

const decoder = new TextDecoder();

export function utf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
