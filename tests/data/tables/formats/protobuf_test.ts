import assert from "node:assert/strict";
import {
  bytesField,
  float32Field,
  float64Field,
  float64ListField,
  join,
  textField,
  wholeField,
} from "../../../../data/tables/formats/protobuf.ts";
import { fields, float, utf8 } from "../../../../data/adapters/source/protobuf.ts";

Deno.test("fields that are written are read again: sizes of more than one byte, large numbers, no text", () => {
  const long = "é".repeat(200),
    message = join(
      wholeField(1, 2 ** 53 - 1),
      textField(16, long),
      bytesField(3, float32Field(1, 0.5), float64Field(2, NaN)),
      float64ListField(4, [1, -0.5]),
      textField(5, ""),
    );
  const read = [...fields(message)];
  assert.deepEqual(read.map(([field, wire]) => [field, wire]), [[1, 0], [16, 2], [3, 2], [4, 2], [5, 2]]);
  assert.deepEqual([read[0]![2], utf8(read[1]![2] as Uint8Array), utf8(read[4]![2] as Uint8Array)], [
    2n ** 53n - 1n,
    long,
    "",
  ]);
  assert.deepEqual([...fields(read[2]![2] as Uint8Array)].map(([, , value]) => float(value as Uint8Array)), [0.5, NaN]);
  assert.deepEqual([...new Float64Array((read[3]![2] as Uint8Array).slice().buffer)], [1, -0.5]);
});
