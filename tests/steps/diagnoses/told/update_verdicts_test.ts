/** Verdicts on posts as people ask: a cause is named, too little is said, or nothing is wrong. */
import assert from "node:assert/strict";
import type { RunDiagnosis } from "../../../../steps/diagnoses/diagnosis.ts";
import { diagnoseRun } from "../../../../steps/diagnoses/diagnose_run.ts";
import { tableView } from "../../../../steps/diagnoses/view/table_view.ts";
import { readFiles } from "../../../data/adapters/read_text.ts";
import { HELD_BACK, NAMED, SOUND } from "./update_verdicts.ts";

async function diagnosed(post: string): Promise<RunDiagnosis> {
  return diagnoseRun(tableView((await readFiles({ "post.md": post })).rows));
}

const alarms = ({ findings }: RunDiagnosis) =>
  findings.filter(({ severity }) => severity !== "info").map(({ cause }) => cause);

Deno.test("a post that shows a cause has it named first", async () => {
  for (const [causes, post] of NAMED) {
    const diagnosis = await diagnosed(post);
    assert.equal(diagnosis.verdict, "faulty", post);
    assert(causes.some((cause) => cause === alarms(diagnosis)[0]), `${alarms(diagnosis)}: ${post}`);
  }
});

Deno.test("a post that says too little has no cause named, and is not called healthy", async () => {
  for (const post of HELD_BACK) assert.equal((await diagnosed(post)).verdict, "insufficient", post);
});

Deno.test("a post of a sound run raises no alarm", async () => {
  for (const post of SOUND) assert.deepEqual(alarms(await diagnosed(post)), [], post);
});
