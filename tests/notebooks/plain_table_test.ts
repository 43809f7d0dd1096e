import assert from "node:assert/strict";
import { table } from "arquero";
import { plainTable } from "../../notebooks/plain_table.ts";

Deno.test("plainTable() lays rows in columns, numbers to the right, absent values empty", () => {
  const rows = table({ text: ["a\nb", null], reward: [1, 0.123456789], ids: [Int32Array.of(1, 2), null] });
  assert.equal(
    plainTable(rows),
    `text    reward  ids
a↵b          1  [1, 2]
      0.123457
[2 rows × 3 columns]`,
  );
});

Deno.test("plainTable() shows the first rows, cuts long cells, and says what an empty table has", () => {
  const long = plainTable(table({ text: ["x".repeat(100), "y", "z"] }), 2);
  assert.match(long, /^x{39}…$/m);
  assert.match(long, /\[3 rows × 1 columns; the first 2 are shown\]$/);
  assert.doesNotMatch(long, /z/);
  assert.equal(plainTable(table({ a: [], b: [] })), "[table of 0 rows × 2 columns: a, b]");
});
