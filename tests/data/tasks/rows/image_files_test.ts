import assert from "node:assert/strict";
import { join } from "node:path";
import { ImageFiles } from "../../../../data/tasks/rows/image_files.ts";
import { goldenImage } from "../../images/image_goldens.ts";

Deno.test("ImageFiles reads a file once, however it is named, while it is among the last ones", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const [one, two] = [goldenImage("rgb.png"), goldenImage("grey.png")];
    const path = (name: string) => join(folder, name);
    Deno.writeFileSync(path("one.png"), one);
    Deno.writeFileSync(path("two.png"), two);
    const files = new ImageFiles(one.length + two.length), first = files.read("one.png", folder);
    assert.match(first.id, /^[0-9a-f]{32}-7x5\.png$/);
    assert.deepEqual(first.file, { bytes: one, name: "one.png" });
    assert.equal(files.read({ path: "one.png" }, folder), first);
    assert.equal(files.read({ bytes: null, path: "one.png" }, folder), first);
    assert.throws(() => files.read("one.png", join(folder, "elsewhere")), /there is no file/);
    // Both have room; a third takes that of the one that was asked for longest ago.
    const second = files.read("two.png", folder);
    assert.equal(files.read("one.png", folder), first);
    Deno.writeFileSync(path("three.png"), two);
    files.read("three.png", folder);
    assert.equal(files.read("one.png", folder), first);
    assert.notEqual(files.read("two.png", folder), second);
    // What is larger than all the room is read each time.
    const none = new ImageFiles(one.length - 1);
    assert.notEqual(none.read("one.png", folder), none.read("one.png", folder));
    assert.deepEqual(none.read("one.png", folder), first);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("ImageFiles never takes bytes for those of another source", () => {
  const files = new ImageFiles(), [one, two] = [goldenImage("rgb.png"), goldenImage("grey.png")];
  const uri = (bytes: Uint8Array) => `data:image/png;base64,${bytes.toBase64()}`;
  for (const bytes of [one, two, one]) {
    for (const source of [bytes, { bytes, path: "same.png" }, uri(bytes), { path: uri(bytes) }, { url: uri(bytes) }]) {
      assert.deepEqual(files.read(source, "").file.bytes, bytes);
    }
  }
  for (const source of [null, 3, {}, { path: null }, "https://a.b/c.png", { url: "https://a.b/c.png" }]) {
    assert.throws(() => files.read(source, ""), RangeError);
  }
});
