import assert from "node:assert/strict";
import type { Finding } from "../../../steps/diagnoses/diagnosis.ts";
import { oneChangeEach } from "../../../workflows/preflight/one_change.ts";

/** A finding with options to write, on an option of a line. */
const finding = (line: number, name: string, ...options: readonly string[]) =>
  ({
    message: `${name} in line ${line}`,
    hint: "h",
    evidence: [{ source: "a", line, name, value: 1, train_step: null }],
    remedy: { patches: [], options },
  }) as unknown as Finding;

const lines = (found: readonly Finding[]) =>
  found.map(({ remedy }) => [...remedy.options, ...remedy.by_hand === undefined ? [] : [remedy.by_hand]].join("|"));

Deno.test("oneChangeEach() lets the first finding change an option, in whatever form both write it", () => {
  const rate = "learning_rate";
  for (
    const [first, second] of [
      ["learning_rate: 2.0e-4", "learning_rate: 5.0e-2"],
      ["--learning_rate 1.0e-6", "--learning-rate 1e-6"],
      ["trl: learning_rate=1.0e-6", "learning_rate=1e-6"],
      ["leave out --learning_rate", "--learning_rate 1e-6"],
    ] as const
  ) {
    const found = oneChangeEach([finding(8, rate, first), finding(8, rate, second, "bf16: true")], "trl", 1);
    assert.deepEqual(lines(found), [first, "bf16: true"]);
    const alone = oneChangeEach([finding(8, rate, first), finding(8, rate, second)], "trl", 1);
    assert.deepEqual(lines(alone), [first, `As above: ${first}`]);
  }
});

Deno.test("oneChangeEach() leaves other options, and those of another training of the file", () => {
  const both = [finding(3, "beta", "--beta 0.04"), finding(9, "beta", "--beta 0.1")];
  assert.deepEqual(lines(oneChangeEach(both, "trl", 2)), ["--beta 0.04", "--beta 0.1"]);
  const others = [finding(3, "beta", "--beta 0.04"), finding(4, "epsilon", "--epsilon 0.2"), finding(5, "x")];
  assert.deepEqual(oneChangeEach(others, "trl", 1), others);
});
