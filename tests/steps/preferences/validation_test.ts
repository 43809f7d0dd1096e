import assert from "node:assert/strict";
import type { Sequences } from "../../../gpu/language_model.ts";
import type { Example } from "../../../steps/preferences/examples.ts";
import { measure, type Measured } from "../../../steps/preferences/validation.ts";

const example = (label: 0 | 1 | null, ...ids: number[]): Example => ({
  row: 0,
  prompt: Int32Array.of(1),
  completions: ids.map((id) => Int32Array.of(id)),
  label,
});
/** A completion's log-prob is minus its id; the reference's -10, of completion 12 -14. */
const logprobs = ({ completions }: Sequences) => Promise.resolve(completions.map((row) => [-row[0]!]));
const reference = (batch: readonly Example[]) =>
  Promise.resolve({
    own: batch.flatMap(({ completions }) => completions.map(([id]) => [id === 12 ? -14 : -10])),
    mismatched: null,
  });

Deno.test("measure() tells the share of pairs in order, and of completions on their side of 0", async () => {
  const pairs: Measured = await measure([example(null, 8, 9), example(null, 12, 11)], logprobs, reference, {
    beta: 0.5,
  });
  assert.deepEqual(pairs, { accuracy: 1, margin: 1 }); // 12 to 11 is -1 alone, and 3 over the reference
  const labelled = [example(1, 8), example(0, 12), example(0, 9), example(1, 11)];
  assert.deepEqual(await measure(labelled, logprobs, reference, { beta: 0.5 }), { accuracy: 0.25, margin: -0.5 });
  assert.deepEqual(await measure([example(null, 8, 9)], logprobs, null, { beta: 1 }), { accuracy: 1, margin: 1 });
});
