import assert from "node:assert/strict";
import { join } from "node:path";
import { htmlPage } from "../../../notebooks/pages/parts.ts";
import { pageFile } from "../../../workflows/cli/page_file.ts";
import { inProcess } from "./in_process.ts";
import { withFolder } from "../engine/fake_runs.ts";

Deno.test("pageFile() takes a new name in .html, an empty file and a page of ours, and nothing else", () =>
  withFolder((folder) => {
    const at = (name: string, text?: string | Uint8Array) => {
      const path = join(folder, name);
      if (typeof text === "string") Deno.writeTextFileSync(path, text);
      else if (text) Deno.writeFileSync(path, text);
      return path;
    };
    for (
      const good of [at("new.html"), at("NEW.HTM"), at("empty.html", ""), at("ours.html", htmlPage("A", "b", "c"))]
    ) assert.equal(pageFile(good, "--html"), good);
    const there = /a file that is no page of Nonzero lies there; move it away, or want another name$/;
    const mine = "<!doctype html><title>My own</title>";
    for (const bad of [at("a.jsonl", "{}"), at("b.html", mine), at("c.png", new Uint8Array(9).fill(200))]) {
      assert.throws(() => pageFile(bad, "--html"), there);
    }
    // By its name a page in disguise would be taken for data the next time.
    assert.throws(
      () => pageFile(at("ours.jsonl", htmlPage("A", "b", "c")), "--html"),
      /want a name that ends in \.html$/,
    );
    assert.throws(
      () => pageFile(at("out.png"), "--html"),
      /Cannot write the page "\S+out\.png": want a name that ends/,
    );
    assert.throws(() => pageFile(folder, "--html"), /it is a folder; want a file$/);
    assert.throws(() => pageFile(at("no/such.html"), "--html"), /there is no folder "\S+no"$/);
  }));

Deno.test("data --contact-sheet, runs compare --html and diagnose --html leave the files of others as they are", async () => {
  const folder = await Deno.makeTempDir(), rows = join(folder, "rows.jsonl"), text = '{"prompt": "a", "answer": "b"}\n';
  try {
    await Deno.writeTextFile(rows, text);
    for (
      const words of [
        ["data", rows, "--contact-sheet", rows],
        ["runs", "compare", rows, join(folder, "b.jsonl"), "--html", rows],
        ["diagnose", rows, "--html", rows],
      ]
    ) {
      const { code, err } = await inProcess(words);
      assert.deepEqual([code, err.includes("no page of Nonzero lies there")], [2, true], words.join(" "));
      assert.equal(await Deno.readTextFile(rows), text);
    }
    const page = join(folder, "page.html");
    for (let i = 0; i < 2; i++) assert.equal((await inProcess(["data", rows, "--contact-sheet", page])).code, 0);
    assert.match(await Deno.readTextFile(page), /contact sheet/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
