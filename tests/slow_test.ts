/** The doctor on the long runs of tests/slow: floors of what it finds, and what holds for every answer. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { judgeFolder, tally } from "./bench/slow.ts";
import { longestRun } from "./bench/slow/longest_run.ts";
import { diagnoseRun } from "../steps/diagnoses/diagnose_run.ts";
import { tableView } from "../steps/diagnoses/view/table_view.ts";

const FOLDER = fileURLToPath(new URL("slow", import.meta.url));
/** What is reached, two cases fewer. */
const DETECTED = 34, ACCEPTED = 32, FIRST = 26, DATED = 33;

Deno.test("of forty slow deaths nearly all are found, and of healthy long runs hardly one is called faulty", async () => {
  const found = tally(await judgeFolder(FOLDER, 0));
  assert.deepEqual([found.faulty, found.healthy], [40, 24]);
  assert.ok(found.detected >= DETECTED, `detected ${found.detected}`);
  assert.ok(found.firstAccepted >= ACCEPTED, `accepted first ${found.firstAccepted}`);
  assert.ok(found.first >= FIRST, `primary first ${found.first}`);
  assert.ok(found.dated >= DATED, `first finding begins near the onset ${found.dated}`);
  assert.ok(found.alarms <= 1, `alarms ${found.alarms}`);
});

Deno.test("every finding has a value that shows it, every differential is in order and adds up to at most 1", async () => {
  for (const { name } of [...Deno.readDirSync(FOLDER)].filter(({ isDirectory }) => isDirectory)) {
    const rows = (await longestRun(`${FOLDER}/${name}`))!;
    const { findings, differential } = diagnoseRun(tableView(rows));
    for (const { cause, evidence, severity } of findings) {
      if (severity !== "info") assert.ok(evidence.some(({ value }) => value !== null), `${name} ${cause}`);
    }
    const shares = differential.map(({ probability }) => probability);
    assert.deepEqual(shares, shares.toSorted((a, b) => b - a), name);
    assert.ok(shares.reduce((sum, share) => sum + share, 0) <= 1, name);
    assert.deepEqual(diagnoseRun(tableView(rows)).differential, differential, name);
  }
});
