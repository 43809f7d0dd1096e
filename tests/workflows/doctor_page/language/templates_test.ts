import assert from "node:assert/strict";
import { partsOf, templateOf } from "../../../../workflows/doctor_page/language/templates.ts";

const matched = (english: string, text: string) => {
  const { pattern, needs } = templateOf([english, ""]);
  return text.includes(needs) ? pattern.exec(text)?.slice(1) ?? null : null;
};

Deno.test("templateOf() fits a sentence with its numbers, names and words, with a capital or none", () => {
  assert.deepEqual(matched("the loss of {name} is {}", "The loss of my_run is -1.5e-3"), ["my_run", "-1.5e-3"]);
  assert.deepEqual(matched("the loss of {name} is {}", "the loss of my_run is large"), null);
  assert.deepEqual(matched("{name} are {}", "loss, reward, kl are 0"), ["loss, reward, kl", "0"]);
  assert.deepEqual(matched("{name} is {}", "correct (held out, sampled) is 0.5"), [
    "correct (held out, sampled)",
    "0.5",
  ]);
  assert.deepEqual(matched("{name} is {}", "whatever anybody may say is 0.5"), null);
  assert.deepEqual(templateOf(["{name} is {said} at {step}", ""]).kinds, ["name", "said", "said"]);
});

Deno.test("templateOf() fits without what stands in brackets, and without a train step that nobody told", () => {
  assert.deepEqual(matched("loss {}[, KL {}]", "Loss 1, KL 2"), ["1", "2"]);
  assert.deepEqual(matched("loss {}[, KL {}]", "loss 1"), ["1", undefined]);
  assert.deepEqual(matched("since {step} it falls", "Since train step 5 it falls"), ["train step 5"]);
  assert.deepEqual(matched("since {step} it falls", "It falls"), [undefined]);
  assert.deepEqual(matched("it fell from {} ({step}) to {}", "it fell from 1 to 0"), ["1", undefined, "0"]);
  assert.deepEqual(matched("it falls since {step}, and so on", "it falls, and so on"), [undefined]);
});

Deno.test("templateOf() takes no prose for a file", () => {
  for (const file of ["-:3", "Pasted text:12", "run/log.txt", "my notes.md", "kl_explosion", "console tables"]) {
    assert.deepEqual(matched("{file}: {said}", `${file}: it is empty`), [file, "it is empty"]);
  }
  assert.deepEqual(matched("{file}: {said}", "Something new is wrong here: it is empty"), null);
});

Deno.test("partsOf() says what stands in brackets where its places are filled", () => {
  assert.deepEqual(partsOf("{1*1000}[/{2*1000}]", ["7", undefined]), [{ at: 0, times: 1000 }]);
  const chinese = "从 {1}[（{2}）]到 {3}";
  assert.deepEqual(partsOf(chinese, ["1", "训练步 5", "0"]), ["从 ", { at: 0 }, "（", { at: 1 }, "）到 ", { at: 2 }]);
  assert.deepEqual(partsOf(chinese, ["1", undefined, "0"]), ["从 ", { at: 0 }, "到 ", { at: 2 }]);
});
