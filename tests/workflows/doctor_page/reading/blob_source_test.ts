import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { chunksOf, openBlob, openText } from "../../../../workflows/doctor_page/reading/blob_source.ts";

const textOf = async (chunks: AsyncIterable<Uint8Array>) => {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
  return text;
};

Deno.test("openBlob() gives head, chunks and bytes of a file that lies in no folder", async () => {
  const text = "0123456789".repeat(200_000), source = await openBlob(new Blob([text]), "run/Train.LOG");
  assert.deepEqual([source.name, source.size, source.folder, source.file], ["train.log", 2e6, null, null]);
  assert.equal(source.head.length, 65_536);
  assert.equal(await textOf(source.chunks()), text);
  assert.equal((await source.bytes(2e6)).length, 2e6);
  await assert.rejects(
    source.bytes(1000),
    /Cannot read run\/Train\.LOG at once: it has 2000000 bytes, want at most 1000/,
  );
});

Deno.test("openBlob() unpacks a .gz, more than once, and says where it is cut off", async () => {
  const packed = new Uint8Array(gzipSync("line\n".repeat(5000)));
  const source = await openBlob(new Blob([packed]), "x.log.gz");
  assert.deepEqual([source.name, source.size], ["x.log", NaN]);
  for (let i = 0; i < 2; i++) assert.equal((await textOf(source.chunks())).length, 25_000);
  const cut = await openBlob(new Blob([packed.slice(0, packed.length - 12)]), "x.log.gz");
  await assert.rejects(textOf(cut.chunks()), /Cannot unpack x\.log\.gz: its gzip data is damaged or cut off/);
});

Deno.test("openText() is what standard input is", async () => {
  const source = await openText("a\n");
  assert.deepEqual([source.path, source.name, source.size], ["-", "stdin", NaN]);
  assert.equal(await textOf(chunksOf(new Blob([]))), "");
});
