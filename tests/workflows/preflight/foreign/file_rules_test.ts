import assert from "node:assert/strict";
import { checkConfiguration } from "../../../../workflows/preflight/configuration.ts";
import { FILE_RULES } from "../../../../workflows/preflight/foreign/file_rules.ts";
import { testRules } from "./cases.ts";

testRules(FILE_RULES);

Deno.test("flag_twice shows numbers as the file writes them", async () => {
  const path = decodeURIComponent(new URL("cases/flag_twice/fires.sh", import.meta.url).pathname);
  const [{ problems } = { problems: [] }] = await checkConfiguration([path]);
  const { message, change } = problems.find(({ rule }) => rule === "flag_twice")!;
  assert.match(message, /given twice, 1e-6 in line 4 and 5e-6 here/);
  assert.deepEqual(change, ["--learning_rate 1e-6"]);
});
