import assert from "node:assert/strict";
import { pageRun } from "../../../workflows/doctor/page_run.ts";
import { oneExamined } from "./one_examined.ts";

Deno.test("pageRun() is plain data, with the series that decide first and the onset in each", () => {
  const run = pageRun(oneExamined(), false);
  assert.deepEqual(structuredClone(run), run);
  assert.deepEqual([run.decisive, run.usual].map(([first]) => first!.name), ["entropy", "reward"]);
  assert(run.decisive.every(({ mark }) => mark === 3));
  assert.equal(run.findings[0]!.probability ?? null, null);
});
