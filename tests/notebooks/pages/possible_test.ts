import assert from "node:assert/strict";
import { renderPossible } from "../../../notebooks/pages/possible.ts";

const ONE = { cause: "nan_loss", probability: 0.9, why: "a < b", look: "read it", how: ["beta=0.01"] };

Deno.test("renderPossible() is a table with bars, that tells its numbers as text and its columns on a narrow screen", () => {
  const html = renderPossible([{ ...ONE, isFirst: true }, { ...ONE, probability: 0.002, look: null, how: [] }]);
  assert.match(html, /<b>90 %<\/b><div class="bar" aria-hidden="true"><div class="more" style="width:90\.0%">/);
  assert.match(html, /<b>&lt; 1 %<\/b>/);
  assert.match(html, /a &lt; b/);
  assert.match(html, /class="scroll stacked"/);
  assert.match(html, /data-name="look"><div>read it<pre class="code">beta=0\.01<\/pre>/);
  assert.match(html, /the run shows it already/);
  assert.equal(html.split('class="first"').length, 2);
  assert.equal(renderPossible([]), "");
  const alone = renderPossible([{ ...ONE, isFirst: true, isFound: true }]);
  assert.equal(alone, '<p>read it</p><pre class="code">beta=0.01</pre>');
  assert.match(renderPossible([ONE]), /<table>/);
});
