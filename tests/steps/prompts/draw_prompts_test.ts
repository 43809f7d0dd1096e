import assert from "node:assert/strict";
import { table } from "arquero";
import { type Draw, drawPrompts } from "../../../steps/prompts/draw_prompts.ts";

const size = 40, ids = Array.from({ length: size }, (_, i) => i);
const prompts = table({
  prompt_id: ids,
  prompt: ids.map((id) => `p${id}`),
  answer: ids.map((id) => `a${id}`),
  split: ids.map((id) => id % 4 ? "train" : "held_out"),
});
const base: Draw = { seed: 7, trainStep: 1, batch: 1, split: "train", count: 6, drawn: new Set(), groups: null };
const drawn = (given: Partial<Draw>) => drawPrompts(prompts, { ...base, ...given }).map(({ prompt_id }) => prompt_id);

Deno.test("drawPrompts() takes every prompt of the split once per pass, in another order each time", () => {
  const pass = [1, 2, 3, 4, 5].flatMap((trainStep) => drawn({ trainStep }));
  assert.deepEqual(pass.toSorted((a, b) => a - b), ids.filter((id) => id % 4));
  assert.notDeepEqual([6, 7, 8, 9, 10].flatMap((trainStep) => drawn({ trainStep })), pass);
  assert.deepEqual(drawPrompts(prompts, base)[0], { prompt_id: pass[0], prompt: `p${pass[0]}`, answer: `a${pass[0]}` });
});

Deno.test("drawPrompts() of a further batch has an order of its own and no prompt twice while others are left", () => {
  const first = drawn({}), second = drawn({ batch: 2, drawn: new Set(first) });
  assert.notDeepEqual(second, drawn({ trainStep: 2 }));
  assert.equal(new Set([...first, ...second]).size, 12);
  const most = ids.filter((id) => id % 4 && id !== 5);
  assert.deepEqual(drawn({ batch: 2, drawn: new Set(most), count: 1 }), [5]);
  assert.equal(drawn({ batch: 2, drawn: new Set(ids) }).length, 6);
});

Deno.test("drawPrompts() by pass rate favours what is solved sometimes, in proportion to its weight", () => {
  const sometimes = new Set([1, 2, 3, 5, 6]);
  const groups = table({
    prompt_id: ids,
    completions: ids.map(() => 98),
    pass_rate: ids.map((id) => sometimes.has(id) ? 0.5 : 0),
  });
  const count = new Map<number, number>();
  for (let trainStep = 1; trainStep <= 2000; trainStep++) {
    const [id] = drawn({ trainStep, count: 1, groups });
    count.set(id!, (count.get(id!) ?? 0) + 1);
  }
  const share = [...sometimes].reduce((sum, id) => sum + count.get(id)!, 0) / 2000;
  const want = 5 / (5 + 25 * 0.05); // weights 1 and 0.05
  assert(Math.abs(share - want) < 0.03, `${share}, want ${want}`);
  const all = drawn({ count: 30, groups });
  assert.equal(new Set(all).size, 30);
  assert.deepEqual(drawn({ count: 30, groups }), all);
});

Deno.test("drawPrompts() says when there is nothing, or not enough, to draw", () => {
  assert.throws(() => drawn({ split: "validation" }), /has no row of split "validation"/);
  const groups = table({ prompt_id: [1], completions: [2], pass_rate: [0.5] });
  assert.throws(() => drawn({ count: 31, groups }), /Cannot draw 31 prompts by pass rate: split "train" has 30/);
});
