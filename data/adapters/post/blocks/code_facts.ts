/** What people measured by a line of code and tell with its result: "`(labels != -100).sum()` gives 0". @module */
import type { Intake } from "../../intake/intake.ts";
import type { PredicateName } from "../words/predicates.ts";
import type { SubjectName } from "../words/subjects.ts";

const ZERO = "(?:tensor\\()?[`\"' ]*0(?:\\.0*)?(?![\\d.]*[1-9])";
const GIVES = "[^\\d\\n]{0,24}?";

const FACTS: readonly (readonly [SubjectName, PredicateName, RegExp])[] = [
  [
    "labels",
    "zero",
    new RegExp(`-100\\s*\\)*\\s*\\.(?:sum|any|count_nonzero)\\([^)]*\\)${GIVES}(?:${ZERO}|False)`, "i"),
  ],
  ["labels", "zero", /(?:labels?|targets?)\b[^\n]{0,30}==\s*-100\s*\)*\s*\.all\([^)]*\)[^\n]{0,16}?\bTrue\b/i],
  ["labels", "zero", /set\(labels?\)[^\n]{0,12}\{\s*-100\s*\}|unique\(labels?\)[^\n]{0,16}\[\s*-100\s*\]/i],
  ["adapter", "zero", new RegExp(`lora_?[ab]\\b[^\\n=→]{0,40}(?:==?|→|->|=>|:|\\bis\\b)\\s*${ZERO}`, "i")],
  ["adapter", "constant", /torch\.(?:equal|allclose)\([^\n]{0,120}?\)[^\n]{0,12}?\bTrue\b/i],
  [
    "parameters",
    "not_finite",
    /isfinite\([^\n]{0,40}?\)[^\n]{0,24}?\bFalse\b|isnan\([^\n]{0,40}?\)\.any\(\)[^\n]{0,24}?\bTrue\b/i,
  ],
  [
    "parameters",
    "not_finite",
    /not\s+torch\.isfinite\([^\n]{0,60}[^\n]{0,80}(?:→|->|=>|gives?|prints?|returns?|:)\s*\[?['"]?[1-9]\d*\s+(?:names?|tensors?|param\w*|weights?|layers?)/i,
  ],
  [
    "parameters",
    "zero",
    new RegExp(`requires_grad[^\\n]{0,40}(?:sum|len)\\b[^\\n=→]{0,24}(?:==?|→|->|=>|:)\\s*${ZERO}`, "i"),
  ],
];

/** A reward function that a sentence quotes: `return [1.0] * len(completions)`. */
const CONSTANT = /\breturn\s*\[\s*(-?\d+(?:\.\d+)?)\s*\]\s*\*\s*len\(/;

/** Takes what such code on a line shows. */
export function readCodeFacts(intake: Intake, text: string, line: number): void {
  if (text.length > 2000) return;
  const value = CONSTANT.exec(text)?.[1];
  if (value !== undefined) {
    const said = `the reward function gives ${value} for every completion`;
    intake.message("constant_reward_function", said, Number(value), line);
  }
  const taken = new Set<string>();
  for (const [subject, predicate, pattern] of FACTS) {
    const key = `${subject} ${predicate}`;
    if (taken.has(key) || !pattern.test(text)) continue;
    taken.add(key);
    intake.claim({
      subject,
      predicate,
      value: predicate === "zero" ? 0 : null,
      from: null,
      to: null,
      throughout: false,
      by: "author",
      elsewhere: false,
      line,
      text: text.trim(),
    });
  }
}
