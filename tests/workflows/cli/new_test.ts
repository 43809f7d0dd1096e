import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { PROJECT } from "../../../workflows/cli/paths.ts";
import { scaffold } from "../../../workflows/cli/new.ts";
import { inProcess } from "./in_process.ts";
import { type Kind, type KindName, KINDS } from "../../../workflows/cli/scaffold/kinds.ts";

for (const kind of Object.keys(KINDS) as KindName[]) {
  Deno.test(`new ${kind} writes a file, its test and its line in the table, once`, async () => {
    const project = await Deno.makeTempDir();
    try {
      const { tables }: Kind = KINDS[kind];
      for (const file of Object.keys(tables)) {
        await Deno.mkdir(dirname(join(project, file)), { recursive: true });
        await Deno.copyFile(join(PROJECT, file), join(project, file));
      }
      const written = await scaffold(KINDS[kind], "my_thing", project);
      for (const path of written) assert((await Deno.stat(path)).isFile, path);
      assert.equal(kind === "workflow", !written.some((path) => path.endsWith("/my_thing_test.ts")));
      for (const file of Object.keys(tables)) {
        assert(written.includes(join(project, file)));
        assert.match(await Deno.readTextFile(join(project, file)), /^ {2}my_thing: (?:myThing|\[\]),$/m);
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
  const word = await inProcess(["new", "reward", "class"]);
  assert.match(word.err, /^Cannot name it "class": the word has another meaning/);
  assert.deepEqual([kind.code, name.code, word.code], [2, 2, 2]);
});
