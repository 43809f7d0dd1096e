/** Files are told from what blocks when it is read. @module */
import assert from "node:assert/strict";
import { notAFile } from "../../data/file_kind.ts";

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
