import assert from "node:assert/strict";
import { promptWithImages } from "../../../data/datasets/prompt_images.ts";
import { beforeAfter, chosenPairs, countGains } from "../../../notebooks/pictures/before_after.ts";

const prompt = (i: number) => promptWithImages(`Find ${i}`, [`${String(i).repeat(32)}-56x56.png`]);
const box = (width: number) => `[[0, 0, ${width}, 100]]`;
/** Gold boxes are 100 wide: a said one of w ≤ 100 has IoU w / 100. */
const row = (step_id: string, train_step: number, i: number, width: number, more = {}) => ({
  step_id,
  train_step,
  mode: "greedy",
  prompt: prompt(i),
  answer: box(100),
  text: box(width),
  correct: width > 50,
  ...more,
});

Deno.test("beforeAfter() pairs the same prompts, the largest gain first, and measures them by IoU", () => {
  const rows = [
    ...[20, 80, 50].map((width, i) => row("before", 1, i, width)),
    ...[90, 60].map((width, i) => row("middle", 5, i, width)),
    ...[70, 60, 50].map((width, i) => row("after", 9, i, width)),
    row("after", 9, 7, 100), // asked once alone
    row("after", 9, 0, 1, { mode: "sampled" }),
  ];
  const found = beforeAfter(rows, "thousandths")!;
  assert.deepEqual(found.names, ["before", "after"]);
  assert.deepEqual([found.mode, found.measure], ["greedy", "iou"]);
  assert.deepEqual(found.pairs.map(({ prompt }) => prompt), ["Find 0", "Find 2", "Find 1"]);
  assert.deepEqual(found.pairs.map(({ gain }) => Math.round(100 * gain)), [50, 0, -20]);
  assert.deepEqual(found.means.map((mean) => Math.round(1000 * mean)), [500, 600]);
  assert.deepEqual(countGains(found.pairs), { better: 1, worse: 1, same: 1 });
});

Deno.test("beforeAfter() takes the first and the last of a step that ran again and again", () => {
  const found = beforeAfter([3, 6, 9].map((step) => row("evaluate", step, 1, 10 * step)), "thousandths")!;
  assert.deepEqual(found.names, ["evaluate, train step 3", "evaluate, train step 9"]);
  assert.equal(Math.round(100 * found.pairs[0]!.gain), 60);
});

Deno.test("beforeAfter() measures words by whether they are right", () => {
  const words = { answer: "<answer>7</answer>", text: "<answer>1</answer>" };
  const rows = [
    row("before", 1, 1, 0, { ...words, correct: false }),
    row("after", 2, 1, 0, { ...words, correct: true }),
  ];
  const found = beforeAfter(rows, "thousandths")!;
  assert.deepEqual([found.measure, found.means], ["right", [0, 1]]);
  assert.equal(beforeAfter([...rows, row("before", 1, 2, 9), row("after", 2, 2, 9)], "thousandths")!.measure, "both");
});

Deno.test("beforeAfter() is null of one evaluation, of plain prompts, and where nothing is asked twice", () => {
  assert.equal(beforeAfter([], "thousandths"), null);
  assert.equal(beforeAfter([row("before", 1, 1, 50)], "thousandths"), null);
  const plain = { prompt: "1+1=", answer: "2", text: "2", correct: true };
  assert.equal(beforeAfter([row("before", 1, 1, 50, plain), row("after", 2, 1, 50, plain)], "thousandths"), null);
  assert.equal(beforeAfter([row("before", 1, 1, 50), row("after", 2, 2, 50)], "thousandths"), null);
});

Deno.test("chosenPairs() shows gains, the middle and losses alike, each once", () => {
  const rows = Array.from({ length: 9 }, (_, i) => [row("before", 1, i, 50), row("after", 2, i, 10 * (i + 1))]).flat();
  const { pairs } = beforeAfter(rows, "thousandths")!;
  assert.deepEqual(chosenPairs(pairs, 9), [{ name: "", pairs }]);
  const chosen = chosenPairs(pairs, 6);
  assert.deepEqual(chosen.map(({ pairs: some }) => some.map((pair) => pairs.indexOf(pair))), [[0, 1], [3, 4], [7, 8]]);
  const names = ["The largest gains", "From the middle", "The least gains and the losses"];
  assert.deepEqual(chosen.map(({ name }) => name), names);
  for (let most = 3; most < 9; most++) {
    const all = chosenPairs(pairs, most).flatMap(({ pairs }) => pairs);
    assert.equal(new Set(all).size, all.length);
    assert(all.length <= most && all.includes(pairs[0]!) && all.includes(pairs[8]!), String(most));
  }
});
