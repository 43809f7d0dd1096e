import assert from "node:assert/strict";
import { join } from "node:path";
import { PROJECT } from "../../../workflows/cli/paths.ts";
import { scaffold } from "../../../workflows/cli/new.ts";
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

Deno.test("what new writes for a reward and a task passes its own test", async () => {
  const project = await Deno.makeTempDir();
  try {
    for (const folder of ["steps", "data", "gpu", "notebooks"]) {
      await new Deno.Command("cp", { args: ["-r", join(PROJECT, folder), project] }).output();
    }
    await Deno.copyFile(join(PROJECT, "deno.json"), join(project, "deno.json"));
    await Deno.copyFile(join(PROJECT, "deno.lock"), join(project, "deno.lock"));
    await Deno.symlink(join(PROJECT, "node_modules"), join(project, "node_modules"));
    await scaffold(KINDS.reward, "my_reward", project);
    await scaffold(KINDS.task, "my_task", project);
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["test", "-A", "--quiet", "tests/"],
      cwd: project,
    }).output();
    const printed = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    assert.equal(code, 0, printed);
  } finally {
    await Deno.remove(project, { recursive: true });
  }
});
