import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { imageColumns, imageFile, sourcesIn } from "../../../../data/tasks/rows/image_source.ts";

Deno.test("sourcesIn() finds none, one or several images in a cell", () => {
  for (const none of [null, undefined, "", []]) assert.deepEqual(sourcesIn(none), []);
  assert.deepEqual(sourcesIn("a.png"), ["a.png"]);
  assert.deepEqual(sourcesIn(["a.png", null, { path: "b.png" }]), ["a.png", { path: "b.png" }]);
  assert.deepEqual(sourcesIn('["a.png", "b.png"]'), ["a.png", "b.png"]);
  assert.deepEqual(sourcesIn("[1] a.png"), ["[1] a.png"]);
});

Deno.test("imageColumns() takes image and images where their cells look like it", () => {
  const known = ["image", "images", "picture"];
  assert.deepEqual(imageColumns([{ image: "a photo of a cat", images: 3, picture: "a.png" }], known), []);
  for (
    const cell of [
      "a/b.JPG",
      ["a.webp"],
      { bytes: null, path: "x" },
      new Uint8Array(1),
      "data:image/png;base64,",
      "https://a.b/c",
    ]
  ) {
    assert.deepEqual(imageColumns([{ image: null }, { image: cell, images: null }], known), ["image"]);
  }
});

Deno.test("imageFile() reads paths, bytes, structs, data URIs and file URLs", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const bytes = Uint8Array.of(1, 2, 3), path = join(folder, "a b.png");
    Deno.writeFileSync(path, bytes);
    for (
      const source of [
        "a b.png",
        path,
        pathToFileURL(path).href,
        bytes,
        { bytes, path: null },
        { bytes: null, path: "a b.png" },
        { url: "data:image/png;base64,AQID" },
        "data:image/png;base64,AQID",
      ]
    ) {
      assert.deepEqual(imageFile(source, folder).bytes, bytes);
    }
    Deno.mkdirSync(join(folder, "sub"));
    const cases: readonly (readonly [unknown, RegExp])[] = [
      ["none.png", /^there is no file .*none\.png; paths begin where the data file lies, or in image_folder/],
      ["a b.png/c.png", /^there is no file/],
      ["sub", /^sub is a folder, want a file/],
      ["https://a.b/c.png", /^"https:\/\/a\.b\/c\.png" is an address, and a run fetches nothing; download the images/],
      ["s3://a/b.png", /is an address/],
      [{ url: "http://a.b/c" }, /is an address/],
      ["file://elsewhere/c.png", /is no file of this machine|there is no file/],
      ["data:image/png,abc", /^its data URI begins "data:image\/png,abc", want/],
      ["data:image/png;base64,???", /^its data URI holds no base64/],
      [{}, /^it is an object of nothing, want \{ bytes, path \}/],
      [`${"x".repeat(5e6)}.png`, /^(?=.{1,700}$)x{219}…x{16}\.png cannot be read \(/],
      [`${"x/".repeat(2.5e6)}.png`, /^(?=.{1,700}$)x\/.*….*\.png cannot be read \(/],
      [{ path: `https://${"x".repeat(5e6)}` }, /^.{1,200}$/],
      [{ ["x".repeat(5e6)]: 1 }, /^.{1,200}$/],
      [7, /^it is 7, want a path, bytes or a data URI/],
    ];
    for (const [source, want] of cases) {
      assert.throws(
        () => imageFile(source, folder),
        (error: Error) => error instanceof RangeError && want.test(error.message),
      );
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
