/** Complete or not there. @module */
import assert from "node:assert/strict";
import { join } from "node:path";
import { replaceFile, writeChunks, writeFolderAtomic } from "../../../data/hub/atomic_write.ts";

Deno.test("a write that fails leaves what was there and no temporary name", () => {
  const root = Deno.makeTempDirSync();
  const [file, folder] = [join(root, "a"), join(root, "b")];
  replaceFile(file, [Uint8Array.of(1), Uint8Array.of(2)]);
  writeFolderAtomic(folder, (temporary) => writeChunks(join(temporary, "x"), [Uint8Array.of(3)]));
  const failing = function* () {
    yield Uint8Array.of(9);
    throw new Error("disk full");
  };
  assert.throws(() => replaceFile(file, failing()), /failed after 1 bytes \(disk full\)/);
  assert.throws(() => writeFolderAtomic(folder, () => assert.fail("half")), /half/);
  assert.deepEqual([...Deno.readFileSync(file)], [1, 2]);
  assert.deepEqual([...Deno.readFileSync(join(folder, "x"))], [3]);
  assert.deepEqual([...Deno.readDirSync(root)].map(({ name }) => name).sort(), ["a", "b"]);
  Deno.removeSync(root, { recursive: true });
});

Deno.test("a folder that cannot be put in place leaves the old one there", () => {
  const root = Deno.makeTempDirSync(), folder = join(root, "b"), rename = Deno.renameSync;
  writeFolderAtomic(folder, (temporary) => writeChunks(join(temporary, "x"), [Uint8Array.of(3)]));
  try {
    Deno.renameSync = (from, to) => {
      if (to === folder && String(from).includes("half")) throw new Error("quota");
      rename(from, to);
    };
    const made = crypto.randomUUID;
    crypto.randomUUID = () => {
      crypto.randomUUID = made;
      return "half-0000-0000-0000-0000";
    };
    assert.throws(() => writeFolderAtomic(folder, () => {}), /quota/);
  } finally {
    Deno.renameSync = rename;
  }
  assert.deepEqual([...Deno.readFileSync(join(folder, "x"))], [3]);
  assert.deepEqual([...Deno.readDirSync(root)].map(({ name }) => name), ["b"]);
  Deno.removeSync(root, { recursive: true });
});

Deno.test("writeChunks() goes on where the system took only a part", () => {
  const root = Deno.makeTempDirSync(), path = join(root, "a"), open = Deno.openSync;
  try {
    Deno.openSync = (...given) => {
      const file = open(...given), write = file.writeSync.bind(file);
      file.writeSync = (bytes) => write(bytes.subarray(0, 2));
      return file;
    };
    assert.equal(writeChunks(path, [Uint8Array.of(1, 2, 3, 4, 5)]), 5);
  } finally {
    Deno.openSync = open;
  }
  assert.deepEqual([...Deno.readFileSync(path)], [1, 2, 3, 4, 5]);
  Deno.removeSync(root, { recursive: true });
});
