import assert from "node:assert/strict";
import { z } from "zod";
import { REWARDS } from "../../../steps/rewards/mod.ts";
import { defineReward, type Reward } from "../../../steps/rewards/reward.ts";
import { rewardBatch } from "./batch.ts";

Deno.test("defineReward() gives back the reward", () => {
  const reward = { about: "", params: z.strictObject({}), score: () => [] };
  assert.equal(defineReward(reward), reward);
});

/** Options of the rewards that have required ones. */
const OPTIONS: Record<string, unknown> = {
  overlong: { max_new_tokens: 20, buffer: 4 },
  regex: { pattern: "a" },
};

for (const [name, entry] of Object.entries(REWARDS)) {
  const reward: Reward = entry;

  Deno.test(`${name}.score() gives one finite number or null per completion, whatever the text`, () => {
    const texts = ["", " ", "\0", "a", "😀".repeat(99), "<think></think><answer></answer>", "1e999", "-", "NaN"];
    const rows = texts.map(() => ({ verifier: "addition", answer: "2" })), model_scores = texts.map(() => -0.5);
    const values = reward.score(reward.params.parse(OPTIONS[name] ?? {}), {
      ...rewardBatch(texts, { rows }),
      model_scores,
    });
    assert.equal(values.length, texts.length);
    for (const value of values) assert(value === null || Number.isFinite(value));
  });

  Deno.test(`${name}.params describes every option and refuses unknown ones`, () => {
    for (const [option, schema] of Object.entries((reward.params as z.ZodObject).shape)) {
      assert((schema as z.ZodType).description, option);
    }
    assert(!reward.params.safeParse({ ...OPTIONS[name] as object, unknown: 1 }).success);
  });
}

/** Texts that a program could choke on. */
const HOSTILE = [
  `<answer>[${"{'Position': [1, 2, 3, 4], 'Confidence': 0.5},".repeat(1e5)}]</answer>`,
  ...[
    "<answer>",
    "<think></think><answer></answer>",
    "</think><answer>",
    "[",
    "{'a':",
    "(",
    "(1,1)",
    "'",
    '\\"',
    " ",
    "1",
    "-",
    "x",
  ]
    .flatMap((
      piece,
    ) => [piece.repeat(1e6 / piece.length), `<think>${piece.repeat(3000)}</think><answer>${piece.repeat(3000)}`]),
  "[{'Position': [NaN, Infinity, -Infinity, 1e999], 'Confidence': NaN}]",
  "<answer>[{'Position': [١, ٢, ٣, ٤]}]</answer>",
  "\ud800<answer>\udc00</answer>",
];
const ANSWERS: Record<string, string> = {
  "visual/iou": "<answer>[{'Position': [1, 2, 3, 4], 'Confidence': 1}]</answer>",
  "visual/confidence": "<answer>[{'Position': [1, 2, 3, 4], 'Confidence': 1}]</answer>",
  "visual/format": "",
  "visual/classification": "cat",
  "visual/giou": "(1,2),(3,4)",
  "visual/grounding": "(1,2),(3,4)",
  "visual/reasoning_grounding": "(1,2),(3,4)",
};

for (const [name, answer] of Object.entries(ANSWERS)) {
  Deno.test(`${name} gives a hostile completion a number within seconds, in both forms`, () => {
    const { params, score }: Reward = REWARDS[name as keyof typeof REWARDS];
    for (const compat of [false, true]) {
      for (const text of HOSTILE) {
        const start = performance.now();
        const [value] = score(params.parse({ compat }), rewardBatch([text], { answers: [answer] }));
        assert(performance.now() - start < 3000, `${compat} ${text.slice(0, 40)}: ${performance.now() - start} ms`);
        // A confidence NaN makes Visual-RFT's reward NaN.
        const isTheirNaN = compat && name === "visual/confidence" && text.includes("NaN") && Number.isNaN(value);
        assert(isTheirNaN || (value! >= 0 && value! <= 3), `${compat} ${text.slice(0, 40)}: ${value}`);
      }
    }
  });
}
