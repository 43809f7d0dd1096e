import assert from "node:assert/strict";
import { type Cause, DIAGNOSES } from "../../../../steps/diagnoses/mod.ts";
import { COURSE_PATTERNS } from "../../../../steps/diagnoses/told/course_patterns.ts";
import { PAIR_PATTERNS } from "../../../../steps/diagnoses/told/pair_patterns.ts";
import { patternsOf } from "../../../../steps/diagnoses/told/patterns.ts";
import { POLICY_PATTERNS } from "../../../../steps/diagnoses/told/policy_patterns.ts";
import { TEXT_PATTERNS } from "../../../../steps/diagnoses/told/text_patterns.ts";
import { UPDATE_PATTERNS } from "../../../../steps/diagnoses/told/update_patterns.ts";

const TABLES = { TEXT_PATTERNS, POLICY_PATTERNS, COURSE_PATTERNS, PAIR_PATTERNS, UPDATE_PATTERNS };

Deno.test("patternsOf() has every pattern of every table, those of one table in its order", () => {
  for (const [name, table] of Object.entries(TABLES)) {
    for (const [cause, patterns] of Object.entries(table)) {
      const there = patternsOf(cause as Cause).filter((one) => patterns.includes(one));
      assert.deepEqual(there, patterns, `${name}: ${cause}`);
    }
  }
});

Deno.test("patternsOf() tries the patterns of updates after all others, and has none of a cause that nobody tells", () => {
  assert.equal(patternsOf("fp16_overflow")[0], POLICY_PATTERNS.fp16_overflow![0]);
  assert.equal(patternsOf("fp16_overflow").at(-1), UPDATE_PATTERNS.fp16_overflow!.at(-1));
  assert.deepEqual(patternsOf("benign_zero_loss"), []);
});

Deno.test("a pattern wants no symptom that it also excludes", () => {
  for (const cause of Object.keys(DIAGNOSES) as Cause[]) {
    for (const { all, none = [], message } of patternsOf(cause)) {
      const excluded = all.filter((wanted) => [wanted].flat().some((name) => none.includes(name)));
      assert.deepEqual(excluded, [], `${cause}: ${message}`);
    }
  }
});
