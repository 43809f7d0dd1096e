import assert from "node:assert/strict";
import { judgedText } from "../../../data/boxes/judged_text.ts";

Deno.test("judgedText() is the last answer, else what follows the reasoning, else all", () => {
  const cases: [text: string, want: string | null][] = [
    ["<think>a</think><answer>\n b\n</answer>", "b"],
    ["<answer>a</answer> <answer>b</answer> c", "b"],
    ["<answer><answer>a</answer></answer>", "a"],
    ["<answer></answer>", ""],
    ["<think>a</think> b ", "b"],
    ["<think>a</think>b</think> c", "c"],
    [" b ", "b"],
    ["", ""],
    ["<think>a</think><answer>b", null],
    ["<answer>a</answer><answer>", null],
  ];
  for (const [text, want] of cases) assert.equal(judgedText(text), want, text);
});
