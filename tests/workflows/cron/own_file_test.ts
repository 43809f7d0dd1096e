import assert from "node:assert/strict";
import { join } from "node:path";
import { mark } from "../../../workflows/cron/job.ts";
import { removing, writing } from "../../../workflows/cron/own_file.ts";
import { someJob } from "./some_job.ts";
import { withFolder } from "./scheduled_history.ts";

const JOB = someJob(['cron: "0 3 * * *"']);
const TEXT = `# ${mark(JOB, "systemd")}\nours\n`;

Deno.test("writing() makes the file and its folder, replaces our own; removing() takes it away", () =>
  withFolder(async (folder) => {
    const path = join(folder, "a", "b.timer");
    await writing(path, TEXT, JOB).apply();
    assert.equal(Deno.readTextFileSync(path), TEXT);
    await writing(path, `${TEXT}more\n`, JOB).apply();
    assert.equal(Deno.readTextFileSync(path), `${TEXT}more\n`);
    assert.deepEqual(removing(path, "/another.yaml"), []);
    for (const change of removing(path, JOB.file)) await change.apply();
    assert.deepEqual([...Deno.readDirSync(join(folder, "a"))], []);
    assert.deepEqual(removing(path, JOB.file), []);
  }));

Deno.test("writing() leaves another's file, and one that is written while a person reads", () =>
  withFolder(async (folder) => {
    const path = join(folder, "b.timer");
    const change = writing(path, TEXT, JOB);
    Deno.writeTextFileSync(path, "theirs\n");
    await assert.rejects(async () => await change.apply(), /it was changed in the meantime; run the command again/);
    assert.throws(() => writing(path, TEXT, JOB), /was not written by Nonzero; rename the workflow, or the file/);
    assert.equal(Deno.readTextFileSync(path), "theirs\n");
  }));

Deno.test({
  name: "writing() goes through a link, and removing() leaves neither it nor what it led to",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withFolder(async (folder) => {
      const path = join(folder, "link.yml"), real = join(folder, "real.yml");
      Deno.writeTextFileSync(real, TEXT);
      Deno.symlinkSync(real, path);
      await writing(path, `${TEXT}more\n`, JOB).apply();
      assert(Deno.lstatSync(path).isSymlink);
      assert.equal(Deno.readTextFileSync(real), `${TEXT}more\n`);
      for (const change of removing(path, JOB.file)) await change.apply();
      assert.deepEqual([...Deno.readDirSync(folder)], []);
    }),
});
