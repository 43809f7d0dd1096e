import assert from "node:assert/strict";
import * as F from "@uwdata/flechette";
import { openArrow } from "../../../../data/datasets/formats/arrow.ts";

Deno.test("openArrow() says the types of columns in words", async () => {
  const file = await openArrow(new URL("../../../goldens/datasets/types.arrow", import.meta.url).pathname);
  file.close();
  const types = file.types!;
  assert.equal(types["question"], "text");
  assert.equal(types["tags"], "list<text>");
  assert.equal(types["messages"], "list<struct<role: text, content: text>>");
  assert.equal(types["price"], "decimal(9, 2)");
  assert.match(types["at"]!, /timestamp/);
  assert.match(types["large"]!, /^uint_?64$/);
});

Deno.test("openArrow() refuses types that are nested too deep", async () => {
  const opened = async (depth: number) => {
    let type: F.DataType = F.int32();
    for (let i = 0; i < depth; i++) type = F.list(type);
    const path = await Deno.makeTempFile({ suffix: ".arrow" });
    await Deno.writeFile(path, F.tableToIPC(F.tableFromArrays({ a: [null] }, { types: { a: type } }), {})!);
    try {
      (await openArrow(path)).close();
    } finally {
      await Deno.remove(path);
    }
  };
  await opened(20);
  await assert.rejects(opened(150), /^RangeError: its schema has more than 100 lists and objects in one another/);
});
