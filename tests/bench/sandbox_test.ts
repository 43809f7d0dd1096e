/** A fixed part of `bench sandbox`, and that the bench notices what is not contained. */
import assert from "node:assert/strict";
import { report, trials } from "./sandbox.ts";
import { MISBEHAVIOURS } from "./sandbox/mod.ts";
import { BUSY, tryOrphan } from "./sandbox/orphans.ts";
import { tryMisbehaviour } from "./sandbox/trial.ts";

/** One or two of each group: the bench has them all. */
const FIXED = [
  "reads/require",
  "reads/working_folder",
  "writes/caches",
  "writes/sqlite_attach",
  "programs/node_spawn",
  "network/node_http",
  "time/load",
  "memory/errors",
  "ends/late_throw",
  "answers/forged_message",
  "answers/getter_on_objects",
];

for (const name of FIXED) {
  Deno.test(`the sandbox contains ${name}`, async () => {
    const [group, one] = name.split("/") as [string, string];
    assert.deepEqual((await tryMisbehaviour(name, MISBEHAVIOURS[group]![one]!)).problems, []);
  });
}

Deno.test("a busy reward ends with a program that is killed", { ignore: Deno.build.os !== "linux" }, async () => {
  for (const name of ["threads", "standard_input", "stopped_by_thread"]) {
    assert.deepEqual((await tryOrphan(name, BUSY[name]!)).problems, []);
  }
});

Deno.test("a trial says what is not as it should be: words, place, secret", async () => {
  const says = async (code: string, says: RegExp | null) =>
    (await tryMisbehaviour("x", { code, says })).problems.join();
  assert.match(await says("return [1, 2]", null), /^it said \[1,2\]$/);
  assert.match(await says("return ['nonzero-secret-8f2c', 1]", /gave/), /^it read the secret$/);
  assert.match(await says("const e = new Error('a'); e.stack = ''; throw e", /threw/), /^no place in threw Error: a$/);
});

Deno.test("report() counts what is contained and names what is not", async () => {
  assert.deepEqual(await trials([]), []);
  const trial = { name: "a/b", said: "", ms: 5, problems: [] };
  assert.deepEqual(report([trial, { ...trial, name: "a/c", ms: 9, problems: ["it left x"] }]), [
    "NOT CONTAINED  a/c: it left x",
    "1 of 2 contained; median 9 ms, longest 9 ms",
  ]);
  const count = Object.values(MISBEHAVIOURS).flatMap(Object.keys).length + Object.keys(BUSY).length;
  assert(count >= 100, `${count} misbehaviours`);
});
