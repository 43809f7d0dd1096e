import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { firstKeys, listsOfFile } from "../../../data/datasets/lists_of_file.ts";

async function withFile<Read>(bytes: string | Uint8Array, read: (path: string) => Promise<Read>, name = "a.json") {
  const folder = await Deno.makeTempDir(), path = `${folder}/${name}`;
  await Deno.writeFile(path, typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes);
  try {
    return await read(path);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The object as JSON.parse would have it, but null for members that are no lists. */
async function lists(path: string) {
  const read: Record<string, unknown[] | null> = {};
  for await (const { key, items, first } of listsOfFile(path)) {
    assert.equal(first, (read[key]?.length ?? 0) + 1);
    read[key] = items === null ? null : [...read[key] ?? [], ...items];
  }
  return read;
}

const read = (text: string | Uint8Array, name?: string) => withFile(text, lists, name);

Deno.test("listsOfFile() gives the items of every list of an object, whatever their texts hold", async () => {
  const items = [1, 'a,]}"\\', { b: [[2], { c: "{[" }] }, [], null, -1.5e3, "ü\u2028"];
  for (const space of [0, 2]) {
    const text = JSON.stringify(
      { info: { a: [1, 2] }, 'k,"]': items, none: [], version: 3, last: [items] },
      null,
      space,
    );
    assert.deepEqual(await read(text), { info: null, 'k,"]': items, none: [], version: null, last: [items] });
  }
  assert.deepEqual(await read("\ufeff { } \n"), {});
  assert.deepEqual(await read(gzipSync('{"a":[1,2]}'), "a.json.gz"), { a: [1, 2] });
});

Deno.test("listsOfFile() reads items that lie across its pieces of 1 MB", async () => {
  // Every alignment of a text with quotes and backslashes occurs at some end of a piece.
  const items = Array.from({ length: 40_000 }, (_, i) => ({ i, t: '\\"],{'.repeat(i % 13), ü: [i, [i]] }));
  const text = JSON.stringify({ a: items, b: [1] });
  assert(text.length > 3 << 20);
  assert.deepEqual(await read(text), { a: items, b: [1] });
});

Deno.test("listsOfFile() reads the numbers that Python writes as their names, outside of texts", async () => {
  assert.deepEqual(await read('{"a":[1,[NaN,-Infinity,"NaN \\" NaN"],Infinity]}'), {
    a: [1, ["NaN", "-Infinity", 'NaN " NaN'], "Infinity"],
  });
});

const BROKEN: readonly (readonly [text: string | Uint8Array, problem: RegExp])[] = [
  ["", /it is empty/],
  ["[1]", /it holds no object/],
  ['"a"', /it holds no object/],
  ['{"a":[1,2', /it is cut off: it ends within "a"/],
  ['{"a":[1],', /it is cut off/],
  ['{"a":"x', /it is cut off/],
  ['{"a":[1,2}}', /"a" is no JSON: a list ends in }/],
  ['{"a":1]', /the object ends in ]/],
  ['{"a":[1,{"b":},3]}', /item 2 of "a" is no JSON: "{\\"b\\":}"/],
  ['{"a":[1,2,]}', /"a" is no JSON: its last item is followed by a comma|item 3 of "a" is no JSON/],
  ['{"a":[,1]}', /item 1 of "a" is no JSON/],
  ['{"a":[1] 2}', /" 2" follows a list/],
  ['{"a":1,}', /a comma is followed by no member/],
  ['{"a":[1],}', /a comma is followed by no member/],
  ['{"a":tru}', /one of its members is no JSON/],
  ['{"a":[1],"a":[2]}', /key "a" stands twice/],
  ['{"a":1}\n{"a":2}', /followed by something else; one object a line is .jsonl/],
  ['{"a":1}}', /followed by something else/],
  [`{"a":${"[".repeat(200)}${"]".repeat(200)}}`, /"a" has more than 100 lists and objects in one another/],
  [`{"a":["${"x".repeat(17_000_000)}"]}`, /item 1 of "a" has more than 16 MB/],
  [
    new Uint8Array([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x5b, 0x22, 0xff, 0x22, 0x5d, 0x7d]),
    /"a", from item 1 on, is no utf-8/,
  ],
  [new Uint8Array([0xff, 0xfe, 0x7b, 0, 0x7d, 0]), /it is utf-16le, want UTF-8/],
];

for (const [text, problem] of BROKEN) {
  Deno.test(`listsOfFile() refuses ${String(text).slice(0, 24)}`, () => assert.rejects(read(text), problem));
}

Deno.test("firstKeys() gives the names of members, also of what is broken later, and none of other files", async () => {
  const keys = (text: string) => withFile(text, firstKeys);
  assert.deepEqual(await keys('{"info":{"images":[]},"annotations":[{"id":1},'), ["info", "annotations"]);
  assert.deepEqual(await keys('{"images":[1],"b":[{]}'), ["images", "b"]);
  for (const text of ['[{"images":1}]', '{"images":1}\n{"images":2}', "", "x"]) assert.deepEqual(await keys(text), []);
});
