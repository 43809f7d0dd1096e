import assert from "node:assert/strict";
import { markedParts } from "../../../../workflows/doctor_page/app/marked_parts.ts";

const marked = (text: string, ...words: string[]) =>
  markedParts(text, words).map(({ text, marked }) => marked ? `[${text}]` : text).join("");

Deno.test("markedParts() marks a name with its value, as each system writes it", () => {
  assert.equal(marked("{'reward': 0.25, 'kl': nan, 'a': 1}", "kl"), "{'reward': 0.25, '[kl': nan], 'a': 1}");
  assert.equal(marked("step:3 - actor/entropy:0.01 - x:1", "actor/entropy"), "step:3 - [actor/entropy:0.01] - x:1");
  assert.equal(marked("| reward_std | 0.0 |", "reward_std"), "| [reward_std | 0.0] |");
  assert.equal(marked("kl_max: 6,821,680,128.0", "kl_max"), "[kl_max: 6,821,680,128.0]");
  assert.equal(marked("export MODEL_PATH=a/b-c \\", "MODEL_PATH"), "export [MODEL_PATH=a/b-c] \\");
});

Deno.test("markedParts() takes a name for itself alone, each once, and leaves the text whole", () => {
  assert.equal(marked("kl_max: 3, kl: 1, kl: 2", "kl"), "kl_max: 3, [kl: 1], kl: 2");
  assert.equal(marked("approx_kl: 3, actor/kl: 2, kl: 1", "kl"), "approx_kl: 3, actor/kl: 2, [kl: 1]");
  assert.equal(marked("a: 1, b: 2", "b", "a", "a", "c"), "[a: 1], [b: 2]");
  for (const text of ["", "x", "<b onclick=1>a: 1</b>"]) {
    assert.equal(markedParts(text, ["a", "x"]).map((part) => part.text).join(""), text);
  }
});
