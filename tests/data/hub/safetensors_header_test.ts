/** Hostile and damaged safetensors headers. @module */
import assert from "node:assert/strict";
import { headerLength, parseHeader } from "../../../data/hub/safetensors_header.ts";

const entry = (dtype: string, shape: number[], begin: number, end: number) => ({
  dtype,
  shape,
  data_offsets: [begin, end],
});

function parse(header: string | object, dataBytes: number) {
  const bytes = new TextEncoder().encode(typeof header === "string" ? header : JSON.stringify(header));
  return parseHeader(bytes, 8 + bytes.length + dataBytes, "x");
}

Deno.test("parseHeader() reads entries, scalars, empty tensors and metadata", () => {
  const header = {
    __metadata__: { format: "pt" },
    b: entry("F32", [2], 4, 12),
    a: entry("I32", [], 0, 4),
    c: entry("F32", [0, 9], 4, 4),
  };
  const { tensors, metadata } = parse(header, 12);
  assert.deepEqual(metadata, { format: "pt" });
  assert.equal(tensors.get("b")!.byteOffset, 8 + JSON.stringify(header).length + 4);
  assert.equal(tensors.get("c")!.byteLength, 0);
  assert.equal(parse({ "../../etc/x": entry("U8", [1], 0, 1) }, 1).tensors.size, 1); // names are data, never paths
});

Deno.test("parseHeader() refuses each kind of damage by name", () => {
  const ok = '"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}';
  const cases: [string | object, number, RegExp][] = [
    [`{${ok},${ok}}`, 1, /key "a" stands twice/],
    [{ a: entry("U8", [2], 0, 2), b: entry("U8", [2], 1, 3) }, 3, /"b" overlaps/],
    [{ a: entry("U8", [1], 0, 1), b: entry("U8", [1], 2, 3) }, 3, /"b" leaves a hole of 1 bytes/],
    [{ a: entry("U8", [1], 1, 2) }, 2, /"a" leaves a hole/],
    [{ a: entry("U8", [1], 0, 1) }, 2, /1 bytes follow the last tensor/],
    [{ a: entry("U8", [4], 0, 4) }, 2, /2 bytes are missing/],
    [{ a: entry("U8", [-1], 0, 1) }, 1, /-1 is no natural number/],
    [{ a: entry("U8", [2 ** 32, 2 ** 32], 0, 1) }, 1, /too many elements/],
    [{ a: entry("F32", [2], 0, 4) }, 4, /has 4 bytes, want 8 for F32 \[2\]/],
    [{ a: entry("F32", [1], 0, 8) }, 8, /has 8 bytes, want 4 for F32 \[1\]/],
    [{ a: entry("F31", [1], 0, 4) }, 4, /has dtype "F31"; known: F64/],
    [{ a: entry("U8", [0], 1, 0) }, 1, /before it begins/],
    [{ a: { ...entry("U8", [1], 0, 1), extra: 1 } }, 1, /unknown key "extra"/],
    [{ a: 1 }, 1, /tensor "a" is no object/],
    [{ __metadata__: { n: 1 } }, 0, /__metadata__ is not an object of texts/],
    ['{"a":{"dtype":"U8","shape":[1.0],"data_offsets":[0,1]}}', 1, /1\.0 is no natural number/],
    ["[1]", 0, /does not begin with "\{"/],
    [' {"a":1}', 0, /does not begin with "\{"/],
    ["{", 0, /it is not JSON/],
  ];
  for (const [header, bytes, message] of cases) assert.throws(() => parse(header, bytes), message);
  assert.throws(() => parseHeader(Uint8Array.of(0x7b, 0xff, 0x7d), 11, "x"), /not UTF-8/);
});

Deno.test("parseHeader() refuses more than 100,000 tensors before building them", () => {
  const many = Array.from({ length: 100_002 }, (_, i) => `"${i}":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}`);
  assert.throws(() => parse(`{${many.join(",")}}`, 0), /more than 100001 members/);
});

Deno.test("headerLength() refuses lengths that cannot be true", () => {
  const length = (value: bigint) => new Uint8Array(new BigUint64Array([value]).buffer);
  assert.equal(headerLength(length(2n), 10, "x"), 2);
  assert.throws(() => headerLength(length(1n << 63n), 100, "x"), /want at most 100000000/);
  assert.throws(() => headerLength(length(101_000_000n), 2e8, "x"), /want at most/);
  assert.throws(() => headerLength(length(3n), 10, "x"), /only 2 follow/);
  assert.throws(() => headerLength(new Uint8Array(3), 3, "x"), /it has 3 bytes/);
});
