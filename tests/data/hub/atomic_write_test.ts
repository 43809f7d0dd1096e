/** Complete or not there. @module */
import assert from "node:assert/strict";
import { join } from "node:path";
import { writeFileAtomic, writeFolderAtomic, writeSynced } from "../../../data/hub/atomic_write.ts";

Deno.test("a write that fails leaves what was there and no temporary name", () => {
  const root = Deno.makeTempDirSync();
  const [file, folder] = [join(root, "a"), join(root, "b")];
  writeFileAtomic(file, [Uint8Array.of(1), Uint8Array.of(2)]);
  writeFolderAtomic(folder, (temporary) => writeSynced(join(temporary, "x"), [Uint8Array.of(3)]));
  const failing = function* () {
    yield Uint8Array.of(9);
    throw new Error("disk full");
  };
  assert.throws(() => writeFileAtomic(file, failing()), /failed after 1 bytes \(disk full\)/);
  assert.throws(() => writeFolderAtomic(folder, () => assert.fail("half")), /half/);
  assert.deepEqual([...Deno.readFileSync(file)], [1, 2]);
  assert.deepEqual([...Deno.readFileSync(join(folder, "x"))], [3]);
  assert.deepEqual([...Deno.readDirSync(root)].map(({ name }) => name).sort(), ["a", "b"]);
  Deno.removeSync(root, { recursive: true });
});
