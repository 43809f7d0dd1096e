import assert from "node:assert/strict";
import { hasTagShape } from "../../../../steps/rewards/boxes/tag_shape.ts";

Deno.test("hasTagShape() wants one block that reasons and one that answers, white space around them", () => {
  for (const text of ["<think>a</think><answer>b</answer>", "\n<think>\na\n</think>\n\n<answer>b</answer> \n"]) {
    assert(hasTagShape(text, true), text);
  }
  const wrong = [
    "",
    "<answer>b</answer>",
    "<think>a</think><answer>b",
    "<think> </think><answer>b</answer>",
    "<think>a</think><answer>\n</answer>",
    "<think>a</think>x<answer>b</answer>",
    "Sure <think>a</think><answer>b</answer>",
    "<think>a</think><answer>b</answer> c",
    "<answer>b</answer><think>a</think>",
    "<think>a<think>b</think><answer>c</answer>",
    "<think>a</think><answer>b</answer><answer>c</answer>",
    "<think>a</think><answer><think>b</answer>",
    "<think>a<answer>b</answer></think><answer>c</answer>",
  ];
  for (const text of wrong) assert(!hasTagShape(text, true), text);
});

Deno.test("hasTagShape() without reasoning wants the answer alone", () => {
  assert(hasTagShape(" <answer>b</answer>\n", false));
  for (const text of ["<think>a</think><answer>b</answer>", "<answer> </answer>", "b", "<answer>b</answer></think>"]) {
    assert(!hasTagShape(text, false), text);
  }
});
