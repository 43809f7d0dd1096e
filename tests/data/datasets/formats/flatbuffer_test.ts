import assert from "node:assert/strict";
import { describedMessage } from "../../../../data/datasets/formats/flatbuffer.ts";

const GOLDEN = new URL("../../../goldens/datasets/types.arrow", import.meta.url);

/** The description of the first message, its schema. */
async function schema(): Promise<DataView> {
  const bytes = await Deno.readFile(GOLDEN), length = new DataView(bytes.buffer).getUint32(4, true);
  return new DataView(bytes.slice(8, 8 + length).buffer);
}

Deno.test("describedMessage() says kind and body of a message", async () => {
  assert.deepEqual(describedMessage(await schema()), { kind: 1, body: 0 });
});

Deno.test("describedMessage() believes no size: whatever byte is damaged, it ends at once", async () => {
  const { byteLength } = await schema(), refused = new Set<string>();
  for (let at = 0; at < byteLength; at++) {
    const view = await schema();
    view.setUint8(at, view.getUint8(at) ^ 0xff);
    try {
      describedMessage(view);
    } catch (error) {
      assert(error instanceof RangeError, `${at}: ${error}`);
      refused.add(error.message);
    }
  }
  assert(refused.has("a list is longer than its message"));
});

Deno.test("describedMessage() counts a field as often as it stands in others", () => {
  // Tables from the end to the front: each has two children, which are the same table.
  const levels = 40, size = 64, view = new DataView(new ArrayBuffer(size * (levels + 2)));
  const write = (at: number, fields: Readonly<Record<number, number>>) => {
    view.setInt32(at, -8, true);
    const table = at + 8;
    view.setUint16(table, 4 + 2 * 8, true);
    view.setUint16(table + 2, 4, true);
    for (const [field, offset] of Object.entries(fields)) view.setUint16(table + 4 + 2 * Number(field), offset, true);
  };
  const list = (at: number, targets: readonly number[]) => {
    view.setUint32(at, 4, true);
    view.setUint32(at + 4, targets.length, true);
    targets.forEach((target, i) => view.setUint32(at + 8 + 4 * i, target - (at + 8 + 4 * i), true));
  };
  // The message, with its kind 1 and its header; the header is a table whose list 1 are its fields.
  view.setUint32(0, 8, true);
  write(8, { 1: 4, 2: 0 });
  const message = 8, header = size;
  view.setUint16(message + 8 + 4 + 2, 5, true);
  view.setUint8(message + 5, 1);
  view.setUint16(message + 8 + 4 + 4, 40, true);
  view.setUint32(message + 40, header - (message + 40), true);
  for (let i = 0; i <= levels; i++) {
    const at = size * (i + 1), next = at + size, number = i === 0 ? 1 : 5;
    write(at, i < levels ? { [number]: 40 } : {});
    if (i < levels) list(at + 40, [next, next]);
  }
  assert.throws(() => describedMessage(view), /^RangeError: it has more than 100000 fields in one another/);
});
