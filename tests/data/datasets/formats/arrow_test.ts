import assert from "node:assert/strict";
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
