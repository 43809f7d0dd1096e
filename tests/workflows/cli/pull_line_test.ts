import assert from "node:assert/strict";
import { PullLine } from "../../../workflows/cli/pull_line.ts";

/** What is written for a file of 1 MB that comes at 100 kB in each 100 ms. */
function written(live: boolean): string[] {
  const texts: string[] = [];
  let now = 0;
  const out = {
    live,
    columns: 100,
    write: (text: string) => texts.push(text),
    line: (text = "") => texts.push(`${text}\n`),
  };
  const line = new PullLine(out, "org/tiny", () => now);
  for (let part = 0; part <= 60; part++, now += 100) {
    const done = Math.min(part, 60) * 100_000;
    line.show({
      files: 2,
      filesDone: part === 60 ? 2 : 1,
      bytes: 6_000_000,
      bytesDone: done,
      bytesFetched: done,
      current: "model.safetensors",
    });
  }
  line.close();
  return texts;
}

Deno.test("PullLine keeps one live line on a terminal, erased at the end", () => {
  const texts = written(true);
  assert(
    texts.length > 25 && texts.slice(0, -1).every((text) => text.startsWith("\r\x1b[Korg/tiny  ")),
    texts.join("|"),
  );
  assert.equal(texts.at(-1), "\r\x1b[K");
  assert.equal(
    texts.at(-2),
    "\r\x1b[Korg/tiny  100 %  6.0 MB of 6.0 MB  1.0 MB/s, 0.0 s left  file 2 of 2  model.safetensors",
  );
});

Deno.test("PullLine writes a line every two seconds elsewhere", () => {
  const texts = written(false);
  assert.deepEqual(texts.map((text) => /(\d+) %/.exec(text)![1]), ["33", "66", "100"]);
  assert.match(
    texts[0]!,
    /^org\/tiny {2}33 % {2}2\.0 MB of 6\.0 MB {2}1\.0 MB\/s, 4\.0 s left {2}file 2 of 2 {2}model\.safetensors\n$/,
  );
});

Deno.test("PullLine says nothing of what was there at once, and makes control characters of a name visible", () => {
  const texts: string[] = [],
    out = { live: false, columns: 100, write: () => {}, line: (text = "") => texts.push(text) };
  const line = new PullLine(out, "org/tiny", () => 0);
  line.show({ files: 1, filesDone: 1, bytes: 0, bytesDone: 0, bytesFetched: 0, current: "a" });
  line.say("bell \u0007");
  assert.deepEqual(texts, ["bell \ufffd"]);
});
