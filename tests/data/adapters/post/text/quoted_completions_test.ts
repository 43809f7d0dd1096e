import assert from "node:assert/strict";
import { Intake } from "../../../../../data/adapters/intake/intake.ts";
import { quotedCompletions } from "../../../../../data/adapters/post/text/quoted_completions.ts";

function quoted(...texts: string[]) {
  const intake = new Intake();
  intake.openSource("post.md", "post", 0);
  quotedCompletions(intake, texts.map((text, i) => ({ text, number: i + 1, ended: true })));
  return intake.completions.map(({ line, text, cut }) => `${line} ${text}${cut ? " …" : ""}`);
}

Deno.test("quotedCompletions() takes what stands in quotation marks behind a word for completions", () => {
  assert.deepEqual(quoted(`every response is "the cat sat on"`), ["1 the cat sat on …"]);
  assert.deepEqual(quoted("模型的回答是", "“好的好的好的”"), ["2 好的好的好的 …"]);
  assert.deepEqual(quoted("出力は「はいはいはい」です"), ["1 はいはいはい …"]);
});

Deno.test("quotedCompletions() takes a line that runs in a circle behind what says that it is written", () => {
  const loop = "car ".repeat(12).trim();
  assert.deepEqual(quoted("this is what the model generates for any prompt:", loop), [`2 ${loop} …`]);
  assert.deepEqual(quoted("the loop of my script:", "step ".repeat(12).trim()), []);
  assert.deepEqual(quoted("the model generates text:", "I went to the shop and it was closed"), []);
});

Deno.test("quotedCompletions() takes one character over and over without marks", () => {
  assert.deepEqual(quoted("It prints !!!!!!!! all day"), ["1 !!!!!!!!!!!! …"]);
  assert.deepEqual(quoted("输出！！！！！！"), ["1 !!!!!!!!!!!! …"]);
  assert.deepEqual(quoted("Help!!! Please!!"), []);
});

Deno.test("quotedCompletions() leaves names, data and what is quoted of others alone", () => {
  assert.deepEqual(quoted(`the output of "my_run.py"`), []);
  assert.deepEqual(quoted(`"output": "the cat sat on"`), []);
  assert.deepEqual(quoted(`The error says "no space left on it"`), []);
});
