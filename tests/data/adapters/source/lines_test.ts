import assert from "node:assert/strict";
import type { Source } from "../../../../data/adapters/adapter.ts";
import { Intake } from "../../../../data/adapters/intake/intake.ts";
import { eachLine, type Line, textPieces } from "../../../../data/adapters/source/lines.ts";
import { openStream } from "../../../../data/adapters/source/walk.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** A source whose bytes come in these chunks, and an intake with it open. */
async function opened(...chunks: Uint8Array[]): Promise<{ source: Source; intake: Intake }> {
  const intake = new Intake(), source = await openStream(ReadableStream.from(chunks), "-");
  intake.openSource("-", "console", NaN);
  return { source: { ...source, chunks: () => ReadableStream.from(chunks) }, intake };
}

Deno.test("textPieces() joins characters that a chunk cuts, and counts the bytes", async () => {
  const { source, intake } = await opened(...Array.from(bytes("é█x"), (byte) => Uint8Array.of(byte)));
  const pieces = await Array.fromAsync(textPieces(source, intake));
  assert.deepEqual([pieces, intake.source.bytes_read], [["é", "█", "x"], 6]);
});

Deno.test("textPieces() leaves NUL bytes out, and tells how many stand at the end or elsewhere", async () => {
  const read = async (...chunks: string[]) => {
    const { source, intake } = await opened(...chunks.map(bytes));
    const pieces = await Array.fromAsync(textPieces(source, intake));
    return [pieces.join(""), ...intake.skipped.map(({ reason }) => reason)];
  };
  assert.deepEqual(await read("a\n"), ["a\n"]);
  assert.deepEqual(await read("ab\n\0\0", "\0"), ["ab\n", "3 NUL bytes at its end"]);
  assert.deepEqual(await read("ab\n\0", "c"), ["ab\nc", "1 NUL byte in it"]);
  assert.deepEqual(await read("a\0b\n\0"), ["ab\n", "2 NUL bytes in it"]);
});

Deno.test("eachLine() joins a line over chunks, and says whether the last one has its end", async () => {
  const { source, intake } = await opened(bytes("a\nb"), bytes("c\n\nd"));
  const lines: Line[] = [];
  await eachLine(source, intake, (line) => void lines.push(line));
  assert.deepEqual(lines.map(({ text, number, ended }) => [text, number, ended]), [
    ["a", 1, true],
    ["bc", 2, true],
    ["", 3, true],
    ["d", 4, false],
  ]);
});

Deno.test("eachLine() offers a line that goes on again, together with the next one", async () => {
  const { source, intake } = await opened(bytes('x\n"a\nb"\nc\n'));
  const lines: [string, number][] = [];
  await eachLine(source, intake, ({ text, number }) => {
    if (text.split('"').length % 2 === 0) return false;
    lines.push([text, number]);
  });
  assert.deepEqual(lines, [["x", 1], ['"a\nb"', 2], ["c", 3]]);
});

Deno.test("eachLine() leaves out what is longer than a line can be", async () => {
  const { source, intake } = await opened(bytes("aaaa"), bytes("aaaa"), bytes("\nb\n"));
  const lines: string[] = [];
  await eachLine(source, intake, ({ text }) => void lines.push(text), { longest: 5, kind: "row" });
  assert.deepEqual(lines, ["", "b"]);
  assert.deepEqual(intake.skipped.map(({ line, reason }) => [line, reason]), [[1, "a row longer than 5 characters"]]);
});

Deno.test("eachLine() with bars hands over what a carriage return ends before its line ends, under the same number", async () => {
  const { source, intake } = await opened(bytes("a\rb"), bytes("c\r"), bytes("\nd\r\n"));
  const lines: [string, number][] = [];
  await eachLine(source, intake, ({ text, number }) => void lines.push([text, number]), { bars: true });
  assert.deepEqual(lines, [["a", 1], ["bc", 1], ["", 1], ["d\r", 2]]);
});
