import assert from "node:assert/strict";
import { htmlLines } from "../../../../../data/adapters/post/text/html.ts";
import { readPost, recordsOf } from "../read_post.ts";

const rows = (html: string) =>
  htmlLines(html).map(({ text }) => text).filter((text) => text !== "").map((text) => text.replace(/\s+/g, " "));

Deno.test("CellSpans repeats a cell that reaches over rows, and keeps the columns of one that reaches over columns", () => {
  assert.deepEqual(
    rows(
      '<table><tr><th rowspan="2">Step</th><th colspan="2">Train</th><th>Eval</th></tr><tr><th>loss</th><th>grad norm</th><th>loss</th></tr>' +
        "<tr><td>100</td><td>0.5</td><td>1</td><td>0.6</td></tr></table>",
    ),
    ["| Step | Train | | Eval |", "| Step | loss | grad norm | loss |", "| 100 | 0.5 | 1 | 0.6 |"],
  );
  assert.deepEqual(
    rows("<table><tr><td>1</td><td rowspan=2>a</td></tr><tr><td>2</td></tr><tr><td>3</td><td>b</td></tr></table>"),
    ["| 1 | a |", "| 2 | a |", "| 3 | b |"],
  );
});

Deno.test("CellSpans stays small where a page says that a cell reaches far", () => {
  const [row] = rows('<table><tr><td colspan="9999">a</td><td>b</td></tr></table>');
  assert(row!.length < 1000);
});

Deno.test("a page's table with two rows of heads gives each number its column", async () => {
  const intake = await readPost(
    '<html><body><p>Why is it so?</p><table><tr><th rowspan="2">Step</th><th colspan="2">Train</th></tr><tr><th>loss</th><th>grad norm</th></tr>\n' +
      [100, 200, 300].map((step) => `<tr><td>${step}</td><td>0.5</td><td>1.2</td></tr>\n`).join("") +
      "</table></body></html>",
    "post.html",
  );
  assert.deepEqual(recordsOf(intake), [
    "2 100 loss=0.5 grad_norm=1.2",
    "3 200 loss=0.5 grad_norm=1.2",
    "4 300 loss=0.5 grad_norm=1.2",
  ]);
});
