import assert from "node:assert/strict";
import { join } from "node:path";
import { onError } from "../../../../workflows/doctor/follow/on_error.ts";
import { oneExamined } from "../one_examined.ts";
import { inFolder } from "./collected.ts";

const examined = oneExamined(), finding = examined.diagnosis.findings[0]!;
const trouble = { examined, finding, records: 4, trainStep: 4 };

/** Whether a process still does anything: one that has ended may wait to be reaped. */
async function isRunning(pid: string): Promise<boolean> {
  const { stdout } = await new Deno.Command("cat", { args: [`/proc/${pid}/stat`], stderr: "null" }).output();
  return /\) [^ZX] /.test(new TextDecoder().decode(stdout));
}

Deno.test("onError() runs the command with what was found in its environment, and as JSON on its stdin", () =>
  inFolder(async (folder) => {
    const out = join(folder, "out");
    const names = ["CAUSE", "SEVERITY", "STEP", "MESSAGE", "PATH"].map((name) => `"$NONZERO_${name}"`).join(" ");
    assert.equal(await onError(`printf '%s\\n' ${names} > '${out}'; cat >> '${out}'`, trouble), null);
    const [cause, severity, step, message, path, json] = (await Deno.readTextFile(out)).split("\n");
    assert.deepEqual([cause, severity, step], ["entropy_collapse", "error", "3"]);
    assert.deepEqual([message, path], [finding.message, examined.path]);
    const told = JSON.parse(json!);
    assert.deepEqual([told.path, told.system, told.records, told.train_step], [examined.path, "verl", 4, 4]);
    assert.deepEqual([told.finding.cause, told.finding.train_steps], ["entropy_collapse", [3, 4]]);
  }));

Deno.test("onError() says that the command failed; one that does not read its stdin is none", async () => {
  assert.match((await onError("exit 7", trouble))!, /^The command of --on-error \(exit 7\) failed: exit code 7$/);
  assert.match((await onError("kill -9 $$", trouble))!, /failed: SIGKILL$/);
  assert.equal(await onError("exec 0<&-; true", trouble), null);
});

Deno.test("onError() asks a command that hangs to end first: it may tidy up", () =>
  inFolder(async (folder) => {
    const tidy = join(folder, "tidy");
    await onError(`trap 'touch ${tidy}; exit 1' TERM; while :; do sleep 0.05; done`, trouble, 300);
    assert(Deno.statSync(tidy).isFile);
  }));

Deno.test("onError() ends a command that hangs, with what it started, and says so", () =>
  inFolder(async (folder) => {
    const pid = join(folder, "pid"), command = `sh -c 'trap "" TERM; echo $$ > ${pid}; while :; do sleep 0.1; done'`;
    const said = await onError(`${command} & wait`, trouble, 1000);
    assert.match(said!, /was ended: it took longer than 1 s$/);
    while (await isRunning(Deno.readTextFileSync(pid).trim())) await new Promise((resolve) => setTimeout(resolve, 10));
  }));
