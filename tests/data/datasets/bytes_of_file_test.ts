import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { chunksOfFile, PlacedFile } from "../../../data/datasets/bytes_of_file.ts";

Deno.test("PlacedFile reads from any place, and says where a file is cut off", async () => {
  const path = await Deno.makeTempFile();
  await Deno.writeTextFile(path, "0123456789");
  const file = await PlacedFile.open(path);
  assert.equal(new TextDecoder().decode(file.slice(3, 6)), "345");
  assert.throws(() => file.slice(5, 20), /it is cut off: it has 10 bytes, want 20/);
  file.close();
  let text = "";
  for await (const chunk of chunksOfFile(path)) text += new TextDecoder().decode(chunk);
  assert.equal(text, "0123456789");
  await Deno.remove(path);
});

Deno.test("chunksOfFile() stops unpacking what holds far more than a text does", async () => {
  const path = await Deno.makeTempFile({ suffix: ".gz" });
  const read = async (text: Uint8Array) => {
    await Deno.writeFile(path, gzipSync(text, { level: 9 }));
    let bytes = 0;
    for await (const chunk of chunksOfFile(path)) bytes += chunk.length;
    return bytes;
  };
  assert.equal(await read(new Uint8Array(20e6)), 20e6);
  await assert.rejects(
    read(new Uint8Array(110e6)),
    /^RangeError: it unpacks to more than 10\d MB from 1, want at most 100 times its size/,
  );
  await Deno.remove(path);
});
