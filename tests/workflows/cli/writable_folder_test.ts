import assert from "node:assert/strict";
import { join } from "node:path";
import { UsageError } from "../../../workflows/terminal/usage_error.ts";
import { requireWritable } from "../../../workflows/cli/writable_folder.ts";

Deno.test("requireWritable() makes the folder and leaves it empty", async () => {
  const folder = await Deno.makeTempDir();
  try {
    requireWritable(join(folder, "a", "b"));
    assert.deepEqual([...Deno.readDirSync(join(folder, "a", "b"))], []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("requireWritable() says in one line why it cannot be written", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const file = join(folder, "file");
    Deno.writeTextFileSync(file, "");
    for (const path of [file, join(file, "runs"), "/proc/nowhere"]) {
      assert.throws(() => requireWritable(path), (error) => {
        assert(error instanceof UsageError);
        assert.match(error.message, /^Cannot write runs into "[^"]+": [^\n]+; want --runs DIR$/);
        assert.doesNotMatch(error.message, /allow-|os error/);
        return true;
      });
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
