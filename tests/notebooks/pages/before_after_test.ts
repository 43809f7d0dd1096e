import assert from "node:assert/strict";
import { promptWithImages } from "../../../data/datasets/prompt_images.ts";
import { renderBeforeAfter, renderSeenPrompts } from "../../../notebooks/pages/before_after.ts";
import { beforeAfter } from "../../../notebooks/pictures/before_after.ts";
import { ShownImages } from "../../../notebooks/pictures/shown_images.ts";

const images = () => new ShownImages(() => ({ href: "data:image/png;base64,AA" }));
const row = (step_id: string, i: number, width: number, more = {}) => ({
  step_id,
  train_step: step_id === "before" ? 1 : 9,
  mode: "greedy",
  prompt: promptWithImages(`<i>Find ${i}</i>`, [`${i.toString(16).padStart(32, "0")}-56x56.png`]),
  answer: "[[0, 0, 100, 100]]",
  text: `[[0, 0, ${width}, 100]]`,
  correct: width > 50,
  ...more,
});
const found = (count: number, width = (i: number) => 10 * i) =>
  beforeAfter(
    Array.from({ length: count }, (_, i) => [row("before", i, 50), row("after", i, width(i))]).flat(),
    "thousandths",
  )!;

Deno.test("renderBeforeAfter() counts all prompts, shows some, and tells gains by sign, word and colour", () => {
  const html = renderBeforeAfter(found(3, (i) => [90, 50, 20][i]!), images());
  assert.match(
    html,
    /3 prompts that both evaluations asked, greedy: mean IoU of the boxes 0\.50 → 0\.53; 1 better, 1 worse, 1 the same/,
  );
  const told = [...html.matchAll(/<span class="(\w*)">([^<]*)<\/span><\/h4>/g)].map(([, look, text]) => [look, text]);
  assert.deepEqual(told, [["good", "▲ IoU +0.40"], ["", "IoU ±0.00"], ["wrong", "▼ IoU −0.30"]]);
  assert.match(html, /<small>before<\/small>.*<small>after<\/small>/);
  assert(!html.includes("<i>Find"));
  const many = renderBeforeAfter(found(40), images());
  assert.equal(many.match(/class="pair"/g)!.length, 12);
  assert.match(many, /The largest gains.*From the middle.*The least gains and the losses/s);
});

Deno.test("renderBeforeAfter() says of words how many are right", () => {
  const words = { answer: "<answer>7</answer>", text: "<answer>1</answer>" };
  const rows = [row("before", 1, 0, { ...words, correct: false }), row("after", 1, 0, { ...words, correct: true })];
  const html = renderBeforeAfter(beforeAfter(rows, "thousandths")!, images());
  assert.match(html, /1 prompt that both evaluations asked, greedy: 0\.0 % → 100\.0 % right;/);
  assert.match(html, /<span class="good">▲ now right<\/span>/);
});

Deno.test("renderSeenPrompts() has a column for each run", () => {
  const runs = [found(2, () => 80), found(2, () => 20)];
  const prompts = [0, 1].map((i) => runs.map((run) => run.pairs.find(({ prompt }) => prompt.includes(String(i)))!));
  const html = renderSeenPrompts({ runs, shared: 2, prompts }, ["a<b", "c"], images());
  assert.match(
    html,
    /2 prompts that all evaluated.*a&lt;b: mean IoU of the boxes 0\.50 → 0\.80; c: mean IoU of the boxes 0\.50 → 0\.20/,
  );
  assert.equal(html.match(/<td class="seen"><b class="good">▲ IoU \+0\.30<\/b>/g)!.length, 2);
  assert.equal(html.match(/<td class="seen"><b class="wrong">▼ IoU −0\.30<\/b>/g)!.length, 2);
});
