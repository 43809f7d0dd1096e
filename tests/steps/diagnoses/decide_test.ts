/** The order of decisions. */
import assert from "node:assert/strict";
import { DECISION_ORDER, ORDER } from "../../../steps/diagnoses/decide.ts";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";

Deno.test("ORDER names every diagnosis once and explains only others", () => {
  assert.deepEqual([...DECISION_ORDER].sort(), Object.keys(DIAGNOSES).sort());
  for (const cause of DECISION_ORDER) {
    assert(!ORDER[cause].includes(cause), `${cause} explains itself`);
    assert.equal(new Set(ORDER[cause]).size, ORDER[cause].length, `${cause} names an effect twice`);
  }
});

Deno.test("DIAGNOSES is what the folder holds", async () => {
  const files: string[] = [];
  for await (const entry of Deno.readDir(new URL("../../../steps/diagnoses", import.meta.url))) {
    if (entry.isFile && entry.name.endsWith(".ts")) files.push(entry.name.slice(0, -3));
  }
  const own = ["diagnosis", "decide", "diagnose_run", "explain", "mod"];
  assert.deepEqual(files.filter((name) => !own.includes(name)).sort(), Object.keys(DIAGNOSES).sort());
});

Deno.test("every cause of CAUSES.md has its rule, and every other rule says what taught it", async () => {
  const text = await Deno.readTextFile(new URL("../../cases/CAUSES.md", import.meta.url));
  const slugs = [...text.matchAll(/^\| `(\w+)`/gm)].map((hit) => hit[1]!).filter((slug) => slug !== "healthy");
  const rules = Object.entries(DIAGNOSES);
  assert.deepEqual(slugs.filter((slug) => !(slug in DIAGNOSES)), []);
  assert(
    text.includes(`\n${slugs.length + 1} slugs, \`healthy\` among them.`),
    `there are ${slugs.length} and healthy`,
  );
  assert.deepEqual(rules.filter(([name, { taughtBy }]) => !slugs.includes(name) && taughtBy === ""), []);
});
