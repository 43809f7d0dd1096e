/** Files are told from what blocks when it is read. @module */
import assert from "node:assert/strict";
import { isFile, notAFile } from "../../data/file_kind.ts";

Deno.test("notAFile() names folders and devices, and pipes where they can be made", async () => {
  const folder = Deno.makeTempDirSync();
  try {
    Deno.writeTextFileSync(`${folder}/file`, "");
    assert.equal(notAFile(Deno.statSync(`${folder}/file`)), null);
    assert.equal(notAFile(Deno.statSync(folder)), "a folder");
    if (Deno.build.os === "windows") return;
    assert.equal(notAFile(Deno.statSync("/dev/null")), "a device");
    await new Deno.Command("mkfifo", { args: [`${folder}/pipe`] }).output();
    assert.equal(notAFile(Deno.statSync(`${folder}/pipe`)), "a pipe");
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("isFile() is false for a folder, for what is not there, and below a file", () => {
  const folder = Deno.makeTempDirSync();
  try {
    Deno.writeTextFileSync(`${folder}/file`, "");
    assert.deepEqual(["/file", "", "/none", "/file/x"].map((path) => isFile(folder + path)), [
      true,
      false,
      false,
      false,
    ]);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
