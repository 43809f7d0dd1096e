import assert from "node:assert/strict";
import { narrowTable } from "../../../workflows/terminal/narrow_table.ts";

const HEAD = ["run", "steps", "time", "size", "finding"];
const FORK = "20261122-104436-first_run-6frn.r1a";
const ROWS = [
  ["20261122-104436-first_run-6frn", "120", "1 min 15 s", "5.9 MB", ""],
  [FORK, "40", "12 s", "913 kB", "zero_reward_variance"],
];

Deno.test("narrowTable() leaves out spare columns, the first named first, and keeps ids and findings whole", () => {
  const lines = narrowTable(HEAD, ROWS, 72, ["size", "time"]);
  assert.match(lines[0]!, /^run +steps +finding$/);
  assert.equal(lines[2], `${FORK}     40  zero_reward_variance`);
  assert.match(narrowTable(HEAD, ROWS, 77, ["size", "time"])[0]!, /^run +steps +time +finding$/);
});

Deno.test("narrowTable() leaves a table that fits as it is, and cuts what still does not at its end", () => {
  assert.match(narrowTable(HEAD, ROWS, 100, ["size"])[0]!, /^run +steps +time +size +finding$/);
  const cut = narrowTable(HEAD, ROWS, 50, ["size", "time"]);
  assert.equal(cut[2], `${FORK}     40  zero_r…`);
  for (const line of cut) assert(line.length <= 50, line);
});
