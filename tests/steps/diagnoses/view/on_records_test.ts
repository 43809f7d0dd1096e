/** Words for how many records show something: none is counted that nobody printed. */
import assert from "node:assert/strict";
import { diagnoseRun } from "../../../../steps/diagnoses/diagnose_run.ts";
import {
  capital,
  hasTold,
  onAll,
  onSome,
  onThese,
  printedOnes,
  recordsAndTold,
} from "../../../../steps/diagnoses/view/on_records.ts";
import { tableView } from "../../../../steps/diagnoses/view/table_view.ts";
import { readText } from "../../../data/adapters/read_text.ts";

const RECORD = "{'loss': 0.01, 'grad_norm': 0.31, 'reward': 0.4, 'learning_rate': 1e-06, 'epoch': 0.1}\n";
const TOLD = "GRPO with TRL. The reward goes from 0.2 at step 10 to 0.5 at step 300, and the entropy stays at 0.6.\n\n";
const viewOf = async (text: string) => tableView((await readText(text)).rows);

Deno.test("records of a log are counted", async () => {
  const view = await viewOf(RECORD.repeat(3));
  assert.equal(hasTold(view), false);
  assert.deepEqual(printedOnes(view), [0, 1, 2]);
  assert.deepEqual([onAll(view, 3), onAll(view, 1)], ["on all 3 records", "on the one record"]);
  assert.deepEqual([onSome(view, 1, 3), onThese(view, 1), onThese(view, 2)], [
    "on 1 of 3 records",
    "on 1 record",
    "on 2 records",
  ]);
  assert.deepEqual([recordsAndTold(view), capital(onAll(view, 3))], ["3 records", "On all 3 records"]);
});

Deno.test("records that stand for what is told are not counted", async () => {
  const view = await viewOf(TOLD);
  assert(hasTold(view));
  assert.deepEqual([onAll(view, 12), onThese(view, 3), onSome(view, 12, 12)], Array(3).fill("wherever it is told"));
  assert.equal(onSome(view, 2, 12), "in part (as told)");
  assert.equal(recordsAndTold(view), "what is told");
});

Deno.test("a healthy post says what it prints, and that nothing is printed that is told alone", async () => {
  const view = await viewOf(TOLD), { verdict, reasons } = diagnoseRun(view);
  assert.equal(verdict, "benign");
  assert.deepEqual(reasons.filter((one) => /printed|finite|on \d/.test(one)), []);
  assert.equal(reasons[0], "no rule fires on what is told");
});
