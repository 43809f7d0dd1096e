import assert from "node:assert/strict";
import { withoutHidden } from "../../../../../data/adapters/post/text/hidden_elements.ts";
import { htmlLines } from "../../../../../data/adapters/post/text/html.ts";

const plain = (html: string) => withoutHidden(html).replace(/ +/g, " ");

Deno.test("withoutHidden() leaves out what nobody sees and what is struck out, with what stands in it", () => {
  for (
    const html of [
      "a <div style='display:none'><div>b</div> c</div> d",
      "a <p hidden>b</p> d",
      "a <span style=visibility:hidden>b</span> d",
      'a <p class="x" hidden="">b</p> d',
      "a <del>b</del> d",
      "a <s>b</s> d",
    ]
  ) assert.equal(plain(html), "a d", html);
  assert.equal(withoutHidden("<p hidden>a\nb</p>c"), " \n c");
});

Deno.test("withoutHidden() keeps what is seen: other attributes, the page as a whole, an element without an end", () => {
  for (
    const html of [
      '<p class="hidden" aria-hidden="true" title="a hidden b">a</p>',
      "<body style='visibility:hidden'><p>a</p></body>",
      '<input type="hidden" hidden>a',
      "<p hidden>a",
      "<p style='display:block'>a</p>",
    ]
  ) assert.equal(withoutHidden(html), html);
});

Deno.test("htmlLines() shows whether a box is ticked, and nothing that is hidden", () => {
  const html =
    '<ul><li><input type="checkbox" disabled> a</li><li><input type="checkbox" checked> b</li></ul>\n<p hidden>c</p>\n<p>d</p>';
  assert.deepEqual(htmlLines(html).filter(({ text }) => text !== "").map(({ text, number }) => `${number} ${text}`), [
    "1 [ ] a",
    "1 [x] b",
    "3 d",
  ]);
});

Deno.test("withoutHidden() reads hostile pages in time that grows with them", () => {
  for (const part of ["<p hidden>", "</p>", "<p style='", "<del>a"]) withoutHidden(part.repeat(20_000));
});
