/** What the doctor says of a post, and the tests that each table of symptoms and of patterns has. */
import assert from "node:assert/strict";
import { diagnoseRun } from "../../../../steps/diagnoses/diagnose_run.ts";
import type { Cause } from "../../../../steps/diagnoses/mod.ts";
import { claimed } from "../../../../steps/diagnoses/told/claimed.ts";
import type { Pattern, Patterns } from "../../../../steps/diagnoses/told/pattern.ts";
import { patternsOf } from "../../../../steps/diagnoses/told/patterns.ts";
import type { Symptom } from "../../../../steps/diagnoses/told/symptom.ts";
import { type SymptomName, symptomsOf } from "../../../../steps/diagnoses/told/symptoms.ts";
import { toldFinding } from "../../../../steps/diagnoses/told/told_finding.ts";
import { viewOfPost } from "./view_of_post.ts";

/** The causes that a post is alarmed of, the first one first. */
export async function alarmsOf(post: string): Promise<readonly string[]> {
  const { findings } = diagnoseRun(await viewOfPost(post));
  return findings.filter(({ severity }) => severity !== "info").map(({ cause }) => cause);
}

export const seen = async (post: string) => [...symptomsOf(await viewOfPost(post)).keys()];

/** Posts of a symptom: one that says it, one whose numbers show it, one that has neither. */
export interface Told {
  readonly claim?: string;
  readonly numbers?: string;
  readonly absent: string;
}

/** Registers the tests of a table of symptoms: a claim for what has `says`, numbers for what has `shows`. */
export function testSymptoms(table: string, symptoms: Readonly<Record<string, Symptom>>, posts: Record<string, Told>) {
  for (const [name, { claim, numbers, absent }] of Object.entries(posts)) {
    Deno.test(`symptomsOf() sees ${name} where it is told or shown, and not in its twin`, async () => {
      const { says = [], shows } = symptoms[name]!;
      if (claim !== undefined) assert(claimed(await viewOfPost(claim), says).length > 0, claim);
      if (numbers !== undefined) assert((shows?.(await viewOfPost(numbers)) ?? null) !== null, numbers);
      for (const post of [claim, numbers]) {
        if (post !== undefined) assert((await seen(post)).includes(name as SymptomName), post);
      }
      assert(!(await seen(absent)).includes(name as SymptomName), absent);
    });
  }
  Deno.test(`each of ${table} has a post for what it says and for what shows it`, () => {
    const lacking = Object.entries(symptoms).flatMap(([name, { says, shows }]) => [
      ...(says !== undefined && posts[name]?.claim === undefined ? [`${name}: a claim`] : []),
      ...(shows !== undefined && posts[name]?.numbers === undefined ? [`${name}: numbers`] : []),
    ]);
    assert.deepEqual(lacking, []);
  });
}

/** For each pattern of a cause, in their order: a post that it names first, and a twin of which the cause is not named. */
export type Pairs = Partial<Record<Cause, readonly (readonly [there: string, twin: string])[]>>;

/** The pattern of a cause that a finding comes from; its message ends with the symptoms where there are several. */
const speaks = (cause: Cause, message: string): Pattern | undefined =>
  patternsOf(cause).find((pattern) => message === pattern.message || message.startsWith(`${pattern.message} (`));

/** Registers the tests of a table of patterns. */
export function testPatterns(table: string, patterns: Patterns, posts: Pairs) {
  for (const [cause, pairs] of Object.entries(posts) as [Cause, readonly (readonly [string, string])[]][]) {
    for (const [i, [there, twin]] of pairs.entries()) {
      const pattern = patterns[cause]![i]!;
      Deno.test(`${cause} is named first where "${pattern.message}", and not of its twin`, async () => {
        assert.equal((await alarmsOf(there))[0], cause, there);
        assert.equal(speaks(cause, toldFinding(cause, await viewOfPost(there))?.message ?? ""), pattern, there);
        assert(!(await alarmsOf(twin)).includes(cause), twin);
      });
    }
  }
  Deno.test(`each of ${table} has a post and a twin`, () => {
    const lacking = Object.entries(patterns).filter(([cause, list]) => posts[cause as Cause]?.length !== list.length);
    assert.deepEqual(lacking.map(([cause]) => cause), []);
  });
}
