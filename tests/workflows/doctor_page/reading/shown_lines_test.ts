import assert from "node:assert/strict";
import { openBlob } from "../../../../workflows/doctor_page/reading/blob_source.ts";
import { LineIndex, shownLine } from "../../../../workflows/doctor_page/reading/shown_lines.ts";

async function indexOf(text: BlobPart, name = "x.log"): Promise<LineIndex> {
  const blob = new Blob([text]);
  return (await LineIndex.of(await openBlob(blob, name), blob))!;
}

const texts = async (index: LineIndex, from: number, count: number) =>
  (await index.lines(from, count, {})).lines.map(({ text }) => text);

Deno.test("LineIndex gives any lines of a file, with their numbers, and no line behind the last", async () => {
  const lines = Array.from({ length: 12_345 }, (_, i) => `line ${i + 1} é`);
  for (const end of ["", "\n"]) {
    const index = await indexOf(lines.join("\n") + end);
    assert.equal(index.total, 12_345);
    for (const from of [1, 199, 200, 201, 12_000]) {
      assert.deepEqual(await texts(index, from, 405), lines.slice(from - 1, from + 404), `from ${from}`);
    }
    const last = await index.lines(99_999, 10, {});
    assert.deepEqual([last.from, last.lines.map(({ text }) => text)], [12_345, [lines.at(-1)]]);
  }
});

Deno.test("LineIndex reads an empty file, Windows' line ends and UTF-16; bytes have no lines", async () => {
  assert.deepEqual(await texts(await indexOf(""), 1, 5), [""]);
  assert.deepEqual(await texts(await indexOf("a\r\nb\r\n"), 1, 5), ["a", "b"]);
  const utf16 = Uint8Array.from(
    [0xff, 0xfe, ..."loss 1\nkl 2\n".repeat(9)].flatMap((c) => typeof c === "number" ? [c] : [c.charCodeAt(0), 0]),
  );
  assert.deepEqual(await texts(await indexOf(utf16), 2, 2), ["kl 2", "loss 1"]);
  const bytes = new Blob([Uint8Array.from({ length: 900 }, (_, i) => i % 7)]);
  assert.equal(await LineIndex.of(await openBlob(bytes, "x.bin"), bytes), null);
});

Deno.test("shownLine() shows of a long line the part that is meant, and how much is left out", () => {
  const long = "x".repeat(1 << 20) + " kl: 3 " + "y".repeat(5000);
  const { text, before, behind } = shownLine(long, ["kl"]);
  assert(text.includes(" kl: 3 ") && text.length < 3000);
  assert.equal(before + text.length + behind, long.length);
  assert.deepEqual(shownLine("\x1b[31mred\x1b[0m\r", []), { text: "red", before: 0, behind: 0 });
});
