import assert from "node:assert/strict";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import {
  cronFiles,
  jobOf,
  mark,
  markedFile,
  marksIn,
  runArguments,
  scheduleOf,
  scheduleWarnings,
} from "../../../workflows/cron/job.ts";
import { scheduled, someJob } from "./some_job.ts";

Deno.test("scheduleOf() reads entries with their defaults, and says which lines to add where there are none", () => {
  const [entry] = scheduleOf(parseWorkflow(scheduled(['cron: "0 3 * * sun"']), "a.yaml"));
  assert.deepEqual([entry!.timezone, entry!.catch_up, entry!.expression.weekdays], ["UTC", "none", [0]]);
  const without = parseWorkflow("name: plain\nsteps: [{ uses: x }]\n", "plain.yaml");
  assert.throws(() => scheduleOf(without), /Cannot schedule plain\.yaml: "plain" has no on\.schedule; add these lines/);
  try {
    scheduleOf(without);
  } catch (error) {
    // What is said can be pasted.
    const lines = (error as Error).message.split("\n\n")[1]!;
    assert.equal(scheduleOf(parseWorkflow(`name: plain\n${lines}\nsteps: [{ uses: x }]\n`, "a.yaml")).length, 1);
  }
});

Deno.test("jobOf() refuses a path that no line can hold", () => {
  const { name: _, ...around } = someJob(['cron: "0 3 * * *"']);
  const loaded = parseWorkflow(scheduled(['cron: "0 3 * * *"']), "a.yaml");
  assert.throws(() => jobOf(loaded, { ...around, file: "/a\nb.yaml" }), /a path has a line break/);
});

Deno.test("scheduleWarnings() names the place", () => {
  const loaded = parseWorkflow(scheduled(['cron: "0 3 * * *"', 'cron: "* 3 * * *"']), "a.yaml");
  assert.match(scheduleWarnings(loaded).join(), /^a\.yaml:5:15: warning: "\* 3 \* \* \*" fires every minute/);
});

Deno.test("runArguments() names the runs where they are not the project's", () => {
  const job = someJob(['cron: "0 3 * * *"']);
  assert.deepEqual(runArguments(job, "due").slice(-3), [job.file, "--scheduled", "due"]);
  assert.deepEqual(runArguments({ ...job, runs: "/r" }, "now").slice(-4), ["--scheduled", "now", "--runs", "/r"]);
});

Deno.test("mark() is read back by marksIn() and markedFile()", () => {
  const text = `# ${mark({ name: "a", file: "/x y/a: b.yaml" }, "crontab")}\nx\n# ${
    mark({ name: "b", file: "/b" }, "systemd")
  }\n`;
  assert.deepEqual(marksIn(text), [{ name: "a", file: "/x y/a: b.yaml" }, { name: "b", file: "/b" }]);
  assert.equal(markedFile(text), "/x y/a: b.yaml");
  assert.equal(markedFile("# Written by hand\n"), null);
});

Deno.test("cronFiles() lie beside the runs, where no run is looked for", () => {
  assert.deepEqual(cronFiles({ runs: "/r", name: "a" }), {
    folder: "/r/.cron",
    log: "/r/.cron/a.log",
    state: "/r/.cron/a",
  });
});
