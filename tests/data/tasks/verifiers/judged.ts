/** Holds a verifier against a list of answers: those that must pass and those that a gullible one accepts. @module */
import assert from "node:assert/strict";
import type { Verifier } from "../../../../data/tasks/verifiers/verifier.ts";

/** A completion, the answer in the data, whether it is right. */
export type Case = readonly [completion: string, answer: string, right: boolean];

/** Each case, with the verifier's options by default or as given. */
export function assertJudged(verifier: Verifier, cases: readonly Case[], options: Record<string, unknown> = {}): void {
  const read = verifier.params.parse(options);
  for (const [completion, answer, right] of cases) {
    assert.equal(verifier.problem(answer, read, { answer }), null, `it cannot read the answer ${answer}`);
    const found = verifier.verify!(completion, { answer }, read);
    assert.equal(found, right, `${JSON.stringify(completion.slice(0, 200))} for ${answer}`);
  }
}

/** Texts of 1 MB at which a search that goes back and forth never ends. */
export const LONG = [
  "1,",
  "1",
  "a",
  "(",
  "\\boxed{",
  "####",
  "the answer is ",
  "```\n",
  "{",
  "[",
  " ",
  "\n",
  "9/",
  "**B",
]
  .map((part) => part.repeat(Math.ceil(1e6 / part.length)));
