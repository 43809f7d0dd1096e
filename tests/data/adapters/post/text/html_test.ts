import assert from "node:assert/strict";
import { htmlLines, isHtml } from "../../../../../data/adapters/post/text/html.ts";
import { claimsOf, readPost } from "../read_post.ts";

const lines = (html: string) =>
  htmlLines(html).filter(({ text }) => text !== "").map(({ text, number }) => `${number} ${text}`);

Deno.test("htmlLines() gives what a person sees, each with the line of the file that it begins on", () => {
  assert.deepEqual(
    lines(
      "<html>\n<body>\n<h1>Help</h1>\n<p>The reward\nis <b>zero</b>.</p>\n<ul><li>one</li>\n<li>two</li></ul>\n</body>",
    ),
    ["3 Help", "4 The reward", "5 is zero.", "6 one", "7 two"],
  );
});

Deno.test("htmlLines() makes a fence of preformatted text, with every line where it stands", () => {
  assert.deepEqual(lines("<p>Log:</p>\n<pre><code>{'loss': 0.0}\n  {'loss': 0.1}\n</code></pre>\n<p>end</p>"), [
    "1 Log:",
    "2 ```",
    "2 {'loss': 0.0}",
    "3   {'loss': 0.1}",
    "4 ```",
    "5 end",
  ]);
  assert.deepEqual(lines("<pre>a<br>b"), ["1 ```", "1 a", "1 b", "1 ```"], "a fence without an end");
});

Deno.test("htmlLines() makes a quotation of blockquote, rows of pipes of a table", () => {
  assert.deepEqual(lines("<blockquote>it is zero</blockquote>\n<p>no</p>"), ["1 > it is zero", "2 no"]);
  assert.deepEqual(lines("<table><tr><th>step</th><th>reward</th></tr>\n<tr><td>1</td><td>0.5</td></tr></table>"), [
    "1 | step | reward |",
    "2 | 1 | 0.5 |",
  ]);
});

Deno.test("htmlLines() shows nothing of scripts, styles, comments and attributes, and keeps their lines", () => {
  assert.deepEqual(
    lines(
      "<script>\nvar loss = 0;\n</script>\n<style>p{}</style><!-- the reward\nis zero -->\n<p onclick=\"x('>')\">seen</p>",
    ),
    ["6 seen"],
  );
  assert.deepEqual(lines("<p>a</p><script>never closed\n<p>b</p>"), ["1 a"]);
  assert.deepEqual(lines(`<p><img src="data:image/png;base64,AAAA" alt="loss 0">seen</p>`), ["1 seen"]);
  assert.deepEqual(lines("<html><head><title>Loss 0</title><body><p>seen</p>"), ["1 seen"], "a head without an end");
});

Deno.test("htmlLines() decodes entities once, and keeps those that it does not know", () => {
  assert.deepEqual(lines("<p>a &lt; b &amp;amp; c &#39;d&#x27; &nbsp;&euro; &#0; &#x110000;</p>"), [
    "1 a < b &amp; c 'd'  &euro; &#0; &#x110000;",
  ]);
});

Deno.test("htmlLines() keeps tags that a model printed", () => {
  assert.deepEqual(lines("<p>It prints <think>hm</think> and &lt;answer&gt;</p>"), [
    "1 It prints <think>hm</think> and <answer>",
  ]);
});

Deno.test("isHtml() is true of pages, not of a text that mentions a tag", () => {
  assert(isHtml("<!DOCTYPE html>\n<html>"));
  assert(isHtml("<div><p>a</p><p>b</p></div>"));
  assert(isHtml("<p>The reward is zero.</p>\n<p>Why?</p>\n"), "short, and it begins with a tag");
  assert(!isHtml("The <p>reward</p> is <div>."), "it begins with words");
  assert(!isHtml("It prints <p> and <div>."));
  assert(!isHtml("<think>a</think><answer>b</answer><box></box>"));
});

Deno.test("htmlLines() keeps columns that are set by spaces, and code in a sentence apart from its words", () => {
  assert.deepEqual(lines("<p>step   reward\t kl<br>\n1     0.5  0.1</p>").filter(Boolean), [
    "1 step  reward  kl",
    "2 1  0.5  0.1",
  ]);
  assert.deepEqual(lines("<p>with <code>--a_b false</code> it runs</p>").filter(Boolean), [
    "1 with `--a_b false` it runs",
  ]);
});

Deno.test("htmlLines() keeps a power of ten one", () => {
  const [line] = htmlLines("<p>lr 2 × 10<sup>-6</sup>, see<sup>1</sup></p>");
  assert.equal(line!.text, "lr 2 × 10^-6, see1");
});

Deno.test("htmlLines() counts the lines within a tag: a claim stands on its own line of the file", async () => {
  const page = '<html><body>\n<p\n class="x">Hi, the loss is NaN.</p>\n<p>The reward is zero.</p>\n</body></html>\n';
  assert.deepEqual(claimsOf(await readPost(page, "post.html")), ["3 loss.not_finite", "4 reward.zero"]);
});

Deno.test("htmlLines() reads hostile pages in time that grows with them", () => {
  for (const part of ["<!--", "<script>", "<style>", "<details>", "<td>", "<pre>", "<a ", '<a "', "~~", "```"]) {
    for (const end of ["", "\n"]) assert(htmlLines(`${part}${end}`.repeat(250_000)).length <= 750_001, part);
  }
});
