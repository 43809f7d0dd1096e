import assert from "node:assert/strict";
import { PALETTE } from "../../../notebooks/charts/palette.ts";
import {
  bullets,
  codeBlock,
  escapeHtml,
  factList,
  figure,
  heading,
  htmlPage,
  scrollTable,
  section,
} from "../../../notebooks/pages/parts.ts";

Deno.test("escapeHtml() makes markup and control characters harmless", () => {
  assert.equal(escapeHtml(`<a href="x">'&'\u0000`), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;\ufffd");
});

Deno.test("parts escape what they are given as text", () => {
  const parts = [
    htmlPage("<t>", "", "<t>"),
    heading("<t>", "<t>", { text: "<t>", look: "<t>" }, "<t>"),
    section("<t>", ""),
    bullets(["<t>"]),
    factList({ "<t>": "<t>" }),
    scrollTable(["<t>"], []),
    figure("<t>", "<t>", "", "name"),
    codeBlock("<t>"),
  ];
  for (const part of parts) assert.doesNotMatch(part, /<t>/);
});

Deno.test("figure() gives a drawing ids of its own and the page's colours", () => {
  const svg =
    `<svg a="b" width="10" height="20"><path id="clip" fill="${PALETTE.first}" clip-path="url(#clip)"/></svg>`;
  const html = figure("title", "about", svg, "loss");
  assert.match(
    html,
    /<svg a="b" width="100%"><path id="loss_clip" fill="var\(--first\)" clip-path="url\(#loss_clip\)"/,
  );
});

Deno.test("scrollTable() ends the title of a column of numbers where the numbers end", () => {
  const html = scrollTable(["a", "b"], [
    '<tr><td>x</td><td class="number">1</td></tr>',
    '<tr><th colspan="2">g</th></tr>',
  ]);
  assert.match(html, /<th>a<\/th><th class="number">b<\/th>/);
});
