import assert from "node:assert/strict";
import { environmentFacts } from "../../../workflows/cli/env.ts";
import { inProcess } from "./in_process.ts";

Deno.test("environmentFacts() names every version that a bug report needs", async () => {
  const facts = await environmentFacts();
  assert.match(String(facts["deno"]), new RegExp(`^${Deno.version.deno.replaceAll(".", "\\.")}, V8 `));
  assert.match(String(facts["memory"]), /^[\d.]+ [kMGT]B free of /);
  assert.match(String(facts["packages"]), /onnxruntime-node@1\.30\.0/);
  const usable = facts["cuda"] as readonly string[];
  assert.match(usable[0]!, /^(usable|not usable)$/);
  assert(usable[0] === "usable" || usable.some((line) => line.startsWith("missing: ")), usable.join("\n"));
});

Deno.test("env prints a line per fact, aligned, and one object with --json", async () => {
  const { code, out } = await inProcess(["env"]);
  assert.equal(code, 0);
  assert.match(out, /^nonzero +\d+\.\d+\.\d+$/m);
  assert.match(out, /^ +missing: |^cuda +usable$/m);
  const facts = JSON.parse((await inProcess(["env", "--json"])).out);
  for (const name of Object.keys(facts)) assert.match(out, new RegExp(`^${name} `, "m"));
});
