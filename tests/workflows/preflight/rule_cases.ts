/** Runs the cases of a file of rules: each rule must fire at its place and be silent on its look-alike. @module */
import assert from "node:assert/strict";
import type { PreflightFinding } from "../../../workflows/preflight/finding.ts";
import { preflight, type PreflightRule } from "../../../workflows/preflight/preflight.ts";
import { planText, type Settings, smallPlan, withFiles } from "./small_plans.ts";

export interface Case {
  readonly rule: PreflightRule;
  readonly what: string;
  readonly severity: PreflightFinding["severity"];
  readonly refuses?: boolean;
  readonly fires: Settings;
  /** In the message. */
  readonly says: RegExp;
  /** The text at the place that the finding points to. */
  readonly at?: string;
  readonly silent: Settings;
}

const known = new Map<string, Promise<PreflightFinding[]>>();

/** The findings on a look-alike: several cases have one in common. */
function look(silent: Settings): Promise<PreflightFinding[]> {
  const key = JSON.stringify(silent);
  if (!known.has(key)) {
    let found: PreflightFinding[] = [];
    const files = withFiles(async (folder) => void (found = await preflight(smallPlan(silent, folder))));
    known.set(key, files.then(() => found));
  }
  return known.get(key)!;
}

/** One test per case, and one that no rule lacks a case. */
export function testRules(rules: readonly PreflightRule[], cases: readonly Case[]): void {
  for (const { rule, what, severity, refuses = false, fires, says, at, silent } of cases) {
    Deno.test(`preflight() reports ${rule}: ${what}; and stays silent on its look-alike`, () =>
      withFiles(async (folder) => {
        const found = (await preflight(smallPlan(fires, folder))).filter((finding) => finding.rule === rule);
        const shown = JSON.stringify(found.map(({ message }) => message));
        const hit = found.find(({ message }) => says.test(message));
        assert(hit !== undefined, `${rule} says ${shown}`);
        assert.equal(hit.severity, severity);
        assert.equal(hit.refuses, refuses);
        if (at !== undefined) {
          const { line, column } = hit.position!;
          assert.equal(planText(fires).split("\n")[line - 1]!.slice(column - 1, column - 1 + at.length), at);
          assert(hit.text.startsWith(`small.yaml:${line}:${column}: ${severity}: `), hit.text);
        }
        const others = (await look(silent)).filter((finding) => finding.rule === rule);
        assert.deepEqual(others.filter(({ message }) => says.test(message)), []);
      }));
  }

  Deno.test(`every rule of ${rules.join(", ")} has its case`, () => {
    assert.deepEqual([...new Set(cases.map(({ rule }) => rule))].sort(), [...rules]);
  });
}
