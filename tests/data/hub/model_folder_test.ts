import assert from "node:assert/strict";
import { join } from "node:path";
import { folderFile, readFolderObject, readFolderText } from "../../../data/hub/model_folder.ts";

function withFolder(body: (root: string) => void): void {
  const root = Deno.makeTempDirSync();
  try {
    body(root);
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
}

Deno.test("folderFile() finds a plain file, says null where there is none, and refuses names that are paths", () =>
  withFolder((root) => {
    Deno.writeTextFileSync(join(root, "config.json"), "{}");
    assert.equal(folderFile(root, "config.json"), join(root, "config.json"));
    assert.equal(folderFile(root, "tokenizer.json"), null);
    for (const name of ["../config.json", "a/b", "a\\b", "c:x", "a\0b", "..", ".", ""]) {
      assert.throws(() => folderFile(root, name), /it is a path, want a file name/, JSON.stringify(name));
    }
  }));

Deno.test("folderFile() refuses what is no file: a pipe would hold the program", () =>
  withFolder((root) => {
    Deno.mkdirSync(join(root, "config.json"));
    assert.throws(() => folderFile(root, "config.json"), /config\.json: it is a folder, want a file/);
    if (Deno.build.os === "windows") return;
    new Deno.Command("mkfifo", { args: [join(root, "model.safetensors")] }).outputSync();
    assert.throws(() => folderFile(root, "model.safetensors"), /model\.safetensors: it is a pipe, want a file/);
  }));

Deno.test("folderFile() follows a link only into the blobs of a Hugging Face cache", () =>
  withFolder((root) => {
    const secret = join(root, "secret");
    Deno.writeTextFileSync(secret, "x");
    const snapshot = join(root, "models--x", "snapshots", "abc"), blobs = join(root, "models--x", "blobs");
    Deno.mkdirSync(snapshot, { recursive: true });
    Deno.mkdirSync(blobs);
    Deno.writeTextFileSync(join(blobs, "hash"), '{"a":1}');
    Deno.symlinkSync(join(blobs, "hash"), join(snapshot, "config.json"));
    assert.deepEqual(readFolderObject(snapshot, "config.json"), { a: 1 });
    // As huggingface_hub 2 shares large files between repositories.
    const hash = "ab".repeat(32), shared = join(root, "blobs", "ab", hash);
    Deno.mkdirSync(join(root, "blobs", "ab"), { recursive: true });
    Deno.writeTextFileSync(shared, '{"b":2}');
    Deno.symlinkSync(`../../blobs/ab/${hash}`, join(blobs, "large"));
    Deno.symlinkSync("../../blobs/large", join(snapshot, "tokenizer.json"));
    assert.deepEqual(readFolderObject(snapshot, "tokenizer.json"), { b: 2 });
    Deno.renameSync(shared, join(root, "blobs", "mine"));
    Deno.symlinkSync("../../../blobs/mine", join(snapshot, "mine.json"));
    assert.throws(() => folderFile(snapshot, "mine.json"), /symbolic link/);
    Deno.symlinkSync(secret, join(snapshot, "other.json"));
    assert.throws(() => folderFile(snapshot, "other.json"), /it is a symbolic link, want a file; copy it/);
    Deno.symlinkSync(join(blobs, "hash"), join(root, "config.json"));
    assert.throws(() => folderFile(root, "config.json"), /symbolic link/);
  }));

Deno.test("readFolderText() refuses what is too large or no UTF-8; readFolderObject() what is no object", () =>
  withFolder((root) => {
    Deno.writeTextFileSync(join(root, "text"), "größe");
    assert.equal(readFolderText(root, "text"), "größe");
    assert.equal(readFolderText(root, "none"), null);
    assert.throws(() => readFolderText(root, "text", 6), /it has 7 bytes, want at most 6/);
    Deno.writeFileSync(join(root, "bytes"), Uint8Array.of(0xff, 0xfe));
    assert.throws(() => readFolderText(root, "bytes"), /it is not UTF-8/);
    Deno.writeTextFileSync(join(root, "list"), "[1]");
    assert.throws(() => readFolderObject(root, "list"), SyntaxError);
    Deno.writeTextFileSync(join(root, "twice"), '{"a":1,"a":2}');
    assert.throws(() => readFolderObject(root, "twice"), /twice/);
  }));
