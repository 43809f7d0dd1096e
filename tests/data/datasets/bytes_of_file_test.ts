import assert from "node:assert/strict";
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
