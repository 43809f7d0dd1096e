/** Reads what describes a message of Arrow as far as its sizes go: they may lie, and the library believes them. @module */
import { LIMITS } from "../limits.ts";

const SCHEMA = 1, DICTIONARY = 2, RECORDS = 3;
/** Bytes of a reference, and of a node or buffer of a batch. */
const REFERENCE = 4, STRUCT = 16;
/** Fields of a schema, those in others too. */
const MOST_FIELDS = 10 * LIMITS.columns;

/** A table of a flatbuffer. A DataView throws RangeError for a place outside of it. */
class FlatTable {
  readonly #fields: number;

  constructor(readonly view: DataView, readonly at: number) {
    this.#fields = at - view.getInt32(at, true);
  }

  /** Where a field begins; null where it has none. */
  field(number: number): number | null {
    const at = 4 + 2 * number, size = this.view.getUint16(this.#fields, true);
    const offset = at < size ? this.view.getUint16(this.#fields + at, true) : 0;
    return offset === 0 ? null : this.at + offset;
  }

  table(number: number): FlatTable | null {
    const at = this.field(number);
    return at === null ? null : new FlatTable(this.view, at + this.view.getUint32(at, true));
  }

  /** Places of the members of a list. Throws RangeError for one that is longer than the message. */
  list(number: number, bytes: number): readonly number[] {
    const at = this.field(number);
    if (at === null) return [];
    const start = at + this.view.getUint32(at, true), count = this.view.getUint32(start, true);
    if (start + 4 + count * bytes > this.view.byteLength) throw new RangeError("a list is longer than its message");
    return Array.from({ length: count }, (_, i) => start + 4 + i * bytes);
  }

  tables(number: number): readonly FlatTable[] {
    return this.list(number, REFERENCE).map((at) => new FlatTable(this.view, at + this.view.getUint32(at, true)));
  }
}

/** Kind of a message and bytes of its body. Throws RangeError for sizes that cannot be. */
export function describedMessage(view: DataView): { readonly kind: number; readonly body: number } {
  const message = new FlatTable(view, view.getUint32(0, true)), kindAt = message.field(1), bodyAt = message.field(3);
  const kind = kindAt === null ? 0 : view.getUint8(kindAt), header = message.table(2);
  const body = bodyAt === null ? 0 : Number(view.getBigInt64(bodyAt, true));
  if (body < 0) throw new RangeError("a body of a negative size");
  if (header && kind === SCHEMA) checkSchema(header);
  const batch = kind === DICTIONARY ? header?.table(1) : kind === RECORDS ? header : null;
  for (const list of [1, 2]) batch?.list(list, STRUCT);
  return { kind, body };
}

/** Fields may stand in several others: what is walked is counted, not what is written. */
function checkSchema(schema: FlatTable): void {
  schema.tables(2);
  let count = 0, level = schema.tables(1);
  while (level.length > 0) {
    count += level.length;
    if (count > MOST_FIELDS) throw new RangeError(`it has more than ${MOST_FIELDS} fields in one another`);
    level = level.flatMap((field) => {
      field.tables(6);
      return field.tables(5);
    });
  }
}
