import assert from "node:assert/strict";
import { inProcess } from "./in_process.ts";

Deno.test("bench without a name, or with a wrong one, lists the programs of tests/bench and no tests, exit 2", async () => {
  const { code, err } = await inProcess(["bench"]);
  assert.equal(code, 2);
  assert.match(err, /diagnoses/);
  assert.doesNotMatch(err, /_test/);
  assert.match((await inProcess(["bench", "diagnose"])).err, /did you mean "diagnoses"\?/);
});

Deno.test("bench NAME --help prints what the benchmark measures, and its options", async () => {
  const { code, out } = await inProcess(["bench", "verdicts", "--help"]);
  assert.equal(code, 0);
  assert.match(out, /^One run, one verdict/);
  assert.match(out, /deno task bench verdicts \[--only /);
  assert.doesNotMatch(out, /\*|@module/);
  assert.match((await inProcess(["bench", "--help"])).out, /NAME --help/);
});
