import assert from "node:assert/strict";
import { fields, float, utf8 } from "../../../../data/adapters/source/protobuf.ts";

Deno.test("fields() reads numbers, bytes and floats of a message", () => {
  // field 1 varint 300; field 2 "hi"; field 3 float 0.5; field 4 double 2
  const message = [8, 0xac, 2, 18, 2, 104, 105, 29, 0, 0, 0, 63, 33, 0, 0, 0, 0, 0, 0, 0, 64];
  const found = [...fields(Uint8Array.from(message))];
  assert.equal(found[0]![2], 300n);
  assert.equal(utf8(found[1]![2] as Uint8Array), "hi");
  assert.equal(float(found[2]![2] as Uint8Array), 0.5);
  assert.equal(float(found[3]![2] as Uint8Array), 2);
});

for (const broken of [[8], [8, 0x80], [18, 200, 1], [29, 0], [11], new Array(12).fill(0xff)]) {
  Deno.test(`fields() refuses the bytes ${broken.slice(0, 4)}`, () => {
    assert.throws(() => [...fields(Uint8Array.from(broken))], /^SyntaxError: Cannot read a record: /);
  });
}
