/** Files are complete or absent. @module */
import assert from "node:assert/strict";
import { join } from "node:path";
import { isThere, listFolder } from "../../../data/file_system.ts";
import { removeIfThere, writeFileAtomic, writing } from "../../../workflows/store/write_file.ts";
import { withFolder } from "../engine/fake_runs.ts";

Deno.test("writeFileAtomic() replaces a file and leaves no temporary one", () =>
  withFolder((folder) => {
    const path = join(folder, "a");
    writeFileAtomic(path, new Uint8Array([1, 2, 3]), { sync: true });
    writeFileAtomic(path, new Uint8Array([4]));
    assert.deepEqual(Deno.readFileSync(path), new Uint8Array([4]));
    assert.deepEqual(listFolder(folder), ["a"]);
  }));

Deno.test("writing() names path, bytes and reason in one line", () => {
  const fails = () => writing("/x/y", 12, () => Deno.writeFileSync("/no/such/folder/file", new Uint8Array(1)));
  assert.throws(fails, /^Error: Cannot write \/x\/y: 12 bytes, No such file or directory; free space [^\n]*$/);
});

Deno.test("removeIfThere() takes an absent folder as removed", () => {
  removeIfThere("/no/such/folder");
  assert(!isThere("/no/such/folder"));
});
