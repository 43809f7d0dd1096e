import assert from "node:assert/strict";
import { exampleLog } from "../../../../workflows/doctor_page/app/example.ts";
import { GivenRun } from "../../../../workflows/doctor_page/reading/diagnose_given.ts";

Deno.test("exampleLog() shows what the page does: a fault with an onset, what follows from it, series that decide", async () => {
  const { runs: [shown] } = await new GivenRun().diagnose({ kind: "text", text: exampleLog() });
  const { verdict, findings, decisive, changes, follows } = shown!.run;
  assert.deepEqual([verdict, findings[0]!.cause], ["faulty", "kl_explosion"]);
  assert(decisive.length > 0 && decisive[0]!.mark !== null && changes.length > 0 && follows.length > 0);
});
