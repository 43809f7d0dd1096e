import assert from "node:assert/strict";
import { linesOfFile } from "../../../data/datasets/lines_of_file.ts";

async function linesIn(bytes: Uint8Array, encoding?: "utf-16le" | "gb18030") {
  const path = await Deno.makeTempFile(), lines: string[] = [];
  await Deno.writeFile(path, bytes);
  try {
    for await (const some of linesOfFile(path, encoding)) {
      assert.equal(some.first, lines.length + 1);
      lines.push(...some.lines);
    }
    return lines;
  } finally {
    await Deno.remove(path);
  }
}

Deno.test("linesOfFile() gives every line once, across the pieces that are read", async () => {
  const want = Array.from({ length: 50_000 }, (_, i) => `${i} ${"é".repeat(i % 90)}`);
  assert.deepEqual(await linesIn(new TextEncoder().encode(want.join("\n"))), want);
});

Deno.test("linesOfFile() reads UTF-16 by its mark, and names a line that is no text beyond the first piece", async () => {
  const text = "\ufeffa\nñ\n", wide = new Uint8Array(text.length * 2);
  [...text].forEach((letter, i) => new DataView(wide.buffer).setUint16(2 * i, letter.charCodeAt(0), true));
  assert.deepEqual((await linesIn(wide)).slice(0, 2), ["a", "ñ"]);
  const broken = new Uint8Array(3e6).fill(0x61);
  for (let i = 99; i < broken.length; i += 100) broken[i] = 10;
  broken[2_500_050] = 0xff;
  await assert.rejects(linesIn(broken), /line 25001 is no utf-8 text/);
});
