import assert from "node:assert/strict";
import { ColumnCount } from "../../../data/preview/column_survey.ts";

Deno.test("ColumnCount counts nulls, those before its first row too, and empty cells, the most frequent type first", () => {
  const count = new ColumnCount(2);
  for (const value of ["", "a", 3, null, undefined, []]) count.add(value);
  assert.deepEqual(count.end(undefined), { type: "text, number, list", nulls: 4, empty: 2 });
  assert.equal(count.end("int64").type, "int64");
  const chat = new ColumnCount(0);
  chat.add([{ role: "user", content: "a" }]);
  chat.add(new Uint8Array(3));
  assert.equal(chat.end(undefined).type, "list of messages, bytes");
  assert.equal(new ColumnCount(1).end(undefined).type, "null");
});
