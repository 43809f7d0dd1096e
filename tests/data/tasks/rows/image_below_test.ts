import assert from "node:assert/strict";
import { join } from "node:path";
import { imageBelow } from "../../../../data/tasks/rows/image_below.ts";

const BYTES = Uint8Array.of(1, 2, 3);

function withFolder(look: (folder: string) => void): void {
  const folder = Deno.makeTempDirSync();
  try {
    look(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

function put(...path: string[]): string {
  const whole = join(...path);
  Deno.mkdirSync(join(whole, ".."), { recursive: true });
  Deno.writeFileSync(whole, BYTES);
  return whole;
}

Deno.test("imageBelow() reads what lies in the folder, itself a link or not, and calls it by its name", () => {
  withFolder((folder) => {
    put(folder, "images", "a", "b.png");
    put(folder, "images", "..c.png");
    Deno.symlinkSync(join(folder, "images"), join(folder, "linked"));
    Deno.symlinkSync("a/b.png", join(folder, "images", "d.png"));
    for (const root of ["images", "linked"]) {
      for (const name of ["a/b.png", "..c.png", "d.png"]) {
        assert.deepEqual(imageBelow(name, join(folder, root)), { bytes: BYTES, name });
      }
    }
  });
});

Deno.test("imageBelow() refuses what lies elsewhere, by name or by a link to a file or a folder", () => {
  withFolder((folder) => {
    const secret = put(folder, "secret", "s.png"), images = join(folder, "images");
    put(images, "a.png");
    put(folder, "images2", "a.png");
    Deno.symlinkSync("../secret/s.png", join(images, "file.png"));
    Deno.symlinkSync(secret, join(images, "whole.png"));
    Deno.symlinkSync("file.png", join(images, "twice.png"));
    Deno.symlinkSync("../secret", join(images, "folder"));
    for (
      const name of [
        "file.png",
        "whole.png",
        "twice.png",
        "folder/s.png",
        "../secret/s.png",
        "../images2/a.png",
        secret,
      ]
    ) {
      assert.throws(
        () => imageBelow(name, images),
        (error: Error) =>
          error instanceof RangeError &&
          error.message.startsWith(`${name} leads out of the folder of images, ${images}, want`),
        name,
      );
    }
  });
});

Deno.test("imageBelow() says what reading says of nothing, of loops and of addresses, which are names here", () => {
  withFolder((folder) => {
    const secret = put(folder, "s.png"), images = join(folder, "images");
    put(images, "a.png");
    Deno.symlinkSync("loop.png", join(images, "loop.png"));
    assert.throws(() => imageBelow("none.png", images), /^RangeError: there is no file .*none\.png/);
    assert.throws(() => imageBelow("loop.png", images), /^RangeError: .*loop\.png cannot be read/);
    assert.throws(() => imageBelow(`file://${secret}`, images), /^RangeError: there is no file/);
    assert.throws(() => imageBelow("data:image/png;base64,AQID", images), /^RangeError: there is no file/);
    assert.throws(() => imageBelow("a.png", join(folder, "none")), /^RangeError: there is no file/);
  });
});

Deno.test("imageBelow() follows the links of a Hugging Face cache into its blobs", () => {
  withFolder((folder) => {
    const home = join(folder, "datasets--a--b"), snapshot = join(home, "snapshots", "0123");
    put(home, "blobs", "abc");
    put(folder, "s.png");
    Deno.mkdirSync(join(snapshot, "train"), { recursive: true });
    Deno.symlinkSync("../../../blobs/abc", join(snapshot, "train", "a.png"));
    Deno.symlinkSync("../../../../s.png", join(snapshot, "train", "s.png"));
    assert.deepEqual(imageBelow("train/a.png", snapshot).bytes, BYTES);
    assert.deepEqual(imageBelow("a.png", join(snapshot, "train")).bytes, BYTES);
    assert.throws(() => imageBelow("train/s.png", snapshot), /leads out/);
  });
});
