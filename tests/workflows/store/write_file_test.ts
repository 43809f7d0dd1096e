/** Files are complete or absent. @module */
import assert from "node:assert/strict";
import { join } from "node:path";
import { isThere, listFolder } from "../../../data/file_system.ts";
import { removeIfThere, writeFileAtomic, writePage, writing } from "../../../workflows/store/write_file.ts";
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

Deno.test("writePage() keeps the old page where the new one cannot be written, and writes through a link", () =>
  withFolder((folder) => {
    const page = join(folder, "a.html"), link = join(folder, "b.html");
    writePage(page, "old");
    Deno.symlinkSync(page, link);
    writePage(link, "new");
    assert.equal(Deno.readTextFileSync(page), "new");
    assert(Deno.lstatSync(link).isSymlink);
    Deno.mkdirSync(join(folder, ".tmp-a.html")); // As a full disk: what is written first cannot be.
    assert.throws(() => writePage(page, "newer"), /^Error: Cannot write \S+a\.html: 5 bytes/);
    assert.equal(Deno.readTextFileSync(page), "new");
  }));
