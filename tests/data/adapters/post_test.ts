import assert from "node:assert/strict";
import { POST } from "../../../data/adapters/post.ts";
import { headText } from "../../../data/adapters/source/text.ts";
import { claimsOf, readPost, recordsOf } from "./post/read_post.ts";

function sniffed(name: string, text: string): number {
  const head = new TextEncoder().encode(text), bytes = () => Promise.resolve(head);
  async function* chunks(): AsyncGenerator<Uint8Array> {}
  return POST.sniff(
    { path: name, name, size: head.length, head, folder: null, file: null, chunks, bytes },
    headText(head),
  );
}

const PROSE = "Hi all, my reward stays at zero, why is that?\n", LOG = "{'loss': 0.5, 'epoch': 1}\n".repeat(20);

const TABLE = "step,reward,entropy\n";

for (
  const [name, text, want] of [
    ["post.md", PROSE, 0.5],
    ["readme.markdown", LOG, 0.5],
    ["page.html", "x", 0.5],
    ["samples.md", PROSE, 0],
    ["-", PROSE, 0.3],
    ["log.txt", PROSE, 0.3],
    ["log.txt", LOG, 0],
    ["-", TABLE + "1,0.5,0.1\n2,0.5,0.1\n", 0],
    ["-", TABLE + "1,0.5,0.1\n2,0.5,0.1\n\nWhy does my entropy fall so fast here?\n", 0.65],
    ["post.md", TABLE + "1,0.5,0.1\n\nWhy does my entropy fall so fast here?\n", 0.65],
    ["-", "prompt,completion,reward\na,I do not know what my answer is,0.5\n", 0.3],
    ["run.log", PROSE, 0],
    ["train.py", PROSE, 0],
    ["config.yaml", PROSE, 0],
    ["a.json", PROSE, 0],
    ["-", "<html><body><p>x</p></body></html>", 0.3],
    ["-", "\0\0\0\0", 0],
    ["-", "", 0],
  ] as const
) {
  Deno.test(`POST.sniff() gives ${want} to ${name} with ${JSON.stringify(text.slice(0, 20))}`, () => {
    assert.equal(sniffed(name, text), want);
  });
}

Deno.test("POST reads the same of Markdown and of a page, each at its own lines", async () => {
  const told = await readPost(
    "Hi, why?\n\nThe loss is NaN.\n\n| step | reward |\n|---|---|\n| 1 | 0.5 |\n| 2 | 0.5 |\n",
  );
  const page = await readPost(
    "<html><body><p>Hi, why?</p>\n\n<p>The loss is NaN.</p>\n\n<table><tr><th>step</th><th>reward</th></tr>\n\n" +
      "<tr><td>1</td><td>0.5</td></tr>\n<tr><td>2</td><td>0.5</td></tr></table></body></html>",
    "post.html",
  );
  for (const intake of [told, page]) {
    assert.deepEqual(claimsOf(intake), ["3 loss.not_finite"]);
    assert.deepEqual(recordsOf(intake), ["7 1 reward=0.5", "8 2 reward=0.5"]);
  }
});

Deno.test("POST reads a page in UTF-16, and of one that has no end the first 8 MiB", async () => {
  const text = "\ufeff<html><body><p>Hi, why? The loss is NaN.</p></body></html>";
  const bytes = new Uint8Array(text.length * 2), view = new DataView(bytes.buffer);
  for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), true);
  assert.deepEqual(claimsOf(await readPost(bytes, "page.html")), ["1 loss.not_finite"]);
  const long = await readPost("<html><body><p>The loss is NaN.</p>" + " ".repeat(9 << 20), "page.html");
  assert.deepEqual(claimsOf(long), ["1 loss.not_finite"]);
  assert.match(long.source.partial!, /first 8 MiB/);
});
