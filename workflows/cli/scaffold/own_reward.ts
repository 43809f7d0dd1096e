/** A reward function for a folder of one's own, as `new reward NAME --into FOLDER` writes it. @module */

/** The file: what `uses: ./NAME.ts` runs in a process without permissions. */
export function ownReward(name: string): string {
  return `/**
 * The reward \`${name}\`: say in one line what it rewards.
 *
 *     rewards: [{ uses: ./${name}.ts, with: { bonus: 0.5 } }]
 */

/** Arrays over the completions of a batch; row i of \`rows\` is the prompt that text i answers. */
export interface Batch {
  readonly prompts: readonly string[];
  readonly texts: readonly string[];
  readonly answers: readonly string[];
  /** Tokens of each completion, its end of sequence included. */
  readonly completion_tokens: readonly number[];
  /** Reached max_new_tokens without an end of sequence. */
  readonly truncated: readonly boolean[];
  /** prompt_id, prompt, answer, split, difficulty, verifier, and the columns that load_prompts keeps. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** One number per completion, or null where it cannot be judged; also as a promise. \`options\` is the \`with\`. */
export function score({ texts, answers }: Batch, { bonus = 0 }: { readonly bonus?: number } = {}): (number | null)[] {
  return texts.map((text, i) => {
    const answer = answers[i]!;
    if (answer === "") return null;
    return text.trim() === answer ? 1 + bonus : 0;
  });
}
`;
}

/** Its test: `deno test` beside it. */
export function ownRewardTest(name: string): string {
  return `import assert from "node:assert/strict";
import { score } from "./${name}.ts";

const batch = {
  prompts: ["1+1=", "1+2=", "?"],
  texts: ["2", "4", "x"],
  answers: ["2", "3", ""],
  completion_tokens: [2, 2, 2],
  truncated: [false, false, false],
  rows: [{}, {}, {}],
};

Deno.test("${name} rewards the answer, and judges nothing without one", () => {
  assert.deepEqual(score(batch), [1, 0, null]);
  assert.deepEqual(score(batch, { bonus: 0.5 }), [1.5, 0, null]);
});
`;
}
