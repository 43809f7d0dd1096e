import assert from "node:assert/strict";
import { join } from "node:path";
import { PROJECT } from "../../../workflows/cli/paths.ts";
import { scaffold } from "../../../workflows/cli/new.ts";
import { inProcess } from "./in_process.ts";
import { type KindName, KINDS } from "../../../workflows/cli/scaffold/kinds.ts";

for (const kind of Object.keys(KINDS) as KindName[]) {
  Deno.test(`new ${kind} writes a file, its test and its line in the table, once`, async () => {
    const project = await Deno.makeTempDir();
    try {
      const { folder, registered } = KINDS[kind];
      await Deno.mkdir(join(project, folder), { recursive: true });
      if (registered) await Deno.copyFile(join(PROJECT, folder, "mod.ts"), join(project, folder, "mod.ts"));
      const written = await scaffold(KINDS[kind], "my_thing", project);
      for (const path of written) assert((await Deno.stat(path)).isFile, path);
      if (registered) {
        assert(written.includes(join(project, "tests", folder, "my_thing_test.ts")));
        const table = await Deno.readTextFile(join(project, folder, "mod.ts"));
        assert.match(table, /from "\.\/my_thing\.ts";/);
        assert.match(table, /^ {2}my_thing: myThing,$/m);
      }
      await assert.rejects(() => scaffold(KINDS[kind], "my_thing", project), /it exists/);
    } finally {
      await Deno.remove(project, { recursive: true });
    }
  });
}

Deno.test("new refuses an unknown kind and a name that is not snake_case, exit 2", async () => {
  const kind = await inProcess(["new", "rewrd", "a"]);
  assert.match(kind.err, /^Cannot make a new "rewrd": .*did you mean "reward"\?/);
  const name = await inProcess(["new", "reward", "MyReward"]);
  assert.match(name.err, /^Cannot name it "MyReward": want snake_case/);
  assert.deepEqual([kind.code, name.code], [2, 2]);
});
