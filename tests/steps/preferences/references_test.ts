import assert from "node:assert/strict";
import { tableOfRows } from "../../../data/tables/mod.ts";
import type { Sequences } from "../../../gpu/language_model.ts";
import type { Example } from "../../../steps/preferences/examples.ts";
import { askedReference, keptReference, type ReferenceOptions } from "../../../steps/preferences/references.ts";
import { lists, withRun } from "../contexts/training_run.ts";

const EXAMPLES: Example[] = [2, 0].map((row, i) => ({
  row,
  prompt: Int32Array.of(row),
  completions: [Int32Array.of(10 + row)],
  label: i as 0 | 1,
}));
/** Minus the prompt's and the completion's id. */
const logprobs = ({ prompts, group, completions }: Sequences) =>
  Promise.resolve(completions.map((row, i) => [-row[0]! - prompts[Math.floor(i / group)]![0]! / 100]));

Deno.test("keptReference() writes each row's log-probs once; a resumed step reads them", () =>
  withRun(async (run) => {
    const rows = [0, 1, 2].map((preference_id) => ({
      preference_id,
      prompt: "p",
      split: "train",
      completion: "c",
      label: true,
    }));
    run.tables.write({ preferences: tableOfRows("preferences", rows) }, "test");
    const options: ReferenceOptions = { klBatches: [EXAMPLES], pairs: false };
    const kept = await keptReference(run.context("test"), EXAMPLES, logprobs, options);
    const close = (got: readonly ArrayLike<number>[], want: number[]) =>
      got.forEach((row, i) => assert(Math.abs(row[0]! - want[i]!) < 1e-5, `${row[0]}, want ${want[i]}`));
    const once = await kept(EXAMPLES, true), asked = await askedReference(logprobs)(EXAMPLES, true);
    close(once.own!, [-12.02, -10]);
    close(once.mismatched!, [-10.02, -12]);
    close(once.own!, asked.own!.map((row) => row[0]!));
    close(once.mismatched!, asked.mismatched!.map((row) => row[0]!));
    assert.deepEqual(lists(run.tables.table("preferences"), "ref_logprobs").map(({ length }) => length), [1, 0, 1]);
    const never = () => Promise.reject(new Error("asked again"));
    const resumed = await keptReference(run.context("test", { position: 1 }), EXAMPLES, never, options);
    close((await resumed(EXAMPLES.slice(1), false)).own!, [-10]);
    assert.equal((await kept(EXAMPLES, false)).mismatched, null);
  }));

Deno.test("askedReference() runs the reference once for a batch, on mismatched pairs only where those are wanted", async () => {
  const asked: number[] = [];
  const reference = askedReference((sequences) => {
    asked.push(sequences.completions.length);
    return logprobs(sequences);
  });
  assert.deepEqual(await reference(EXAMPLES, true), { own: [[-12.02], [-10]], mismatched: [[-10.02], [-12]] });
  assert.deepEqual(await reference(EXAMPLES, false), { own: [[-12.02], [-10]], mismatched: null });
  assert.deepEqual(asked, [4, 2]);
});
