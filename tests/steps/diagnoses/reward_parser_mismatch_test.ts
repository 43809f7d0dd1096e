/** The rule reward_parser_mismatch: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { diagnoseRun } from "../../../steps/diagnoses/diagnose_run.ts";
import { flat, group, healthyBut, ramp, testRule, viewOf } from "./synthetic.ts";

testRule("reward_parser_mismatch", {
  fires: {
    "right sums with reward 0": healthyBut({
      reward: flat(0),
      "reward.accuracy_reward": flat(0),
      zero_spread_fraction: flat(1),
    }, {
      completions: [[1, 2], [3, 4], [5, 5], [2, 9]].flatMap(([a, b]) =>
        group(`${a}+${b}=`, [
          `<answer>${a! + b!}</answer>`,
          `<answer>${a! + b!}</answer>`,
          "<answer>1</answer>",
          "<answer>0</answer>",
        ], flat(0, 4))
      ),
    }),
    "a fallback of 0.5 on training and evaluation": healthyBut({
      "reward.accuracy_reward": flat(0.5, 2),
      "reward.steps_reward": [0.89, 0.91],
      reward: [1.38, 1.4],
      zero_spread_fraction: [],
      kl: [],
      entropy: [],
      loss: [0.01, 0.01],
      grad_norm: [3.2, 3.6],
      learning_rate: [5e-6, 5e-6],
      reward_std: [0.14, 0.13],
      completion_length: [251, 252],
      truncated_fraction: [],
      clip_fraction: [],
    }, { evaluations: { "reward.accuracy_reward": [0.5] } }),
    "accuracy exactly 0 beside a good format": healthyBut({
      "reward.accuracy_reward": flat(0),
      "reward.format_reward": ramp(0.7, 0.9),
      reward: ramp(0.7, 0.9),
    }),
  },
  silent: {
    "three early records of wrong answers in a format half learned": healthyBut({
      reward: [0.6, 0.62, 0.61],
      "reward.accuracy_reward": [0, 0, 0],
      "reward.format_reward": [0.6, 0.62, 0.61],
    }),
    "wrong sums": healthyBut({ reward: flat(0), "reward.accuracy_reward": flat(0), zero_spread_fraction: flat(1) }, {
      completions: [[1, 2], [3, 4], [5, 5], [2, 9]].flatMap(([a, b]) =>
        group(`${a}+${b}=`, flat(0, 4).map(() => "<answer>77</answer>"), flat(0, 4))
      ),
    }),
    "a score that moves around 0.5": healthyBut({ "reward.accuracy_reward": ramp(0.5, 0.5) }),
  },
});

/** A run of ours whose verifier rejects every completion, four to a prompt. */
const rejecting = (verifier: string, rows: readonly (readonly [answer: string, texts: readonly string[]])[]) =>
  diagnoseRun(viewOf({
    ...healthyBut({
      reward: flat(0),
      accuracy: flat(0),
      "reward.accuracy_reward": [],
      "reward.verifier": flat(0),
      zero_spread_fraction: flat(1),
      reward_std: flat(0),
      grad_norm: flat(0),
    }),
    own: true,
    verifier,
    completions: rows.flatMap(([answer, texts], i) =>
      group(`question ${i}`, texts, flat(0, 4), {
        answer,
        correct: false,
        rewards: { verifier: 0 },
        table: "completions",
      })
    ),
  }));

const WORDED = (n: number) => [`The answer is ${n}.`, `It is ${n}`, `so we get ${n}.`, "I do not know"];

for (
  const [when, verifier, rows, want] of [
    ["numbers in sentences", "exact", [["42", WORDED(42)], ["7", WORDED(7)]], "numeric"],
    ["fractions in boxes", "exact", [
      ["\\frac{1}{2}", ["x = \\boxed{\\sqrt{4}/4}", "\\boxed{\\frac{2}{4}}", "\\boxed{2^{-1}}", "\\boxed{2}"]],
      ["\\frac{3}{4}", ["it is \\boxed{\\frac{\\sqrt{9}}{4}}", "\\boxed{\\frac{6}{8}}", "\\boxed{3/4}", "\\boxed{2}"]],
    ], "boxed"],
    ["letters in sentences", "exact", [
      ["B", ["The answer is (B).", "Answer: B", "The answer is (C).", "Answer: A"]],
      ["D", ["The answer is (D).", "Answer: D", "Answer: D", "Answer: A"]],
    ], "multiple_choice"],
    ["wrong numbers in sentences", "exact", [["42", WORDED(41)], ["7", WORDED(8)]], null],
    [
      "numbers that are right now and then",
      "exact",
      [["42", [...WORDED(41).slice(1), "It is 42"]], ["7", WORDED(8)]],
      null,
    ],
    ["what the verifier is made for", "numeric", [["42", WORDED(41)], ["7", WORDED(8)]], null],
    ["a task's own verifier", "addition", [["42", WORDED(42)], ["7", WORDED(7)]], null],
  ] as [string, string, [string, string[]][], string | null][]
) {
  Deno.test(`reward_parser_mismatch names the verifier that reads the completions: ${when}`, () => {
    const { findings } = rejecting(verifier, rows);
    const patch = findings[0]!.remedy.patches.find(({ step }) => step === "load_prompts") ?? null;
    assert.equal(patch?.value ?? null, want, JSON.stringify(findings.map(({ cause, message }) => [cause, message])));
    if (want === null) return;
    assert.equal(findings[0]!.cause, "reward_parser_mismatch");
    assert.match(findings[0]!.message, new RegExp(`he verifier ${want} accepts [\\d.]+ % of 8 that exact rejects$`));
    assert.match(findings[0]!.hint, new RegExp(`^Set verifier: ${want} in load_prompts`));
  });
}
