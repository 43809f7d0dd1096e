/** Boxes beside gold ones: what is one pair, and when they are the same in other coordinates. */
import assert from "node:assert/strict";
import { boxPairs, boxScale, firstBox } from "../../../../steps/diagnoses/view/box_scale.ts";
import { group } from "../synthetic.ts";

Deno.test("firstBox() reads the first four numbers in brackets that have an area", () => {
  assert.deepEqual(firstBox("[{'Position': [1, 2.5, 30, 40], 'Confidence': 1}, {'Position': [0, 0, 9, 9]}]"), [
    1,
    2.5,
    30,
    40,
  ]);
  for (const text of [null, "", "[1, 2, 3]", "[5, 5, 5, 9]", "[9, 9, 1, 1]", "[1.2.3, 0, 4, 5]"]) {
    assert.equal(firstBox(text), null, String(text));
  }
});

Deno.test("boxPairs() makes one pair of the completions of a gold box, with their median", () => {
  const answer = "[10, 20, 30, 40]";
  const pairs = boxPairs([
    ...group("a?", ["[1, 2, 3, 4]", "[2, 3, 5, 6]", "[9, 9, 99, 99]", "no box"], [0, 0, 0, 0], { answer }),
    ...group("b?", ["[1, 2, 3, 4]"], [0], { answer: "nowhere" }),
  ]);
  assert.deepEqual(pairs.map(({ gold, said }) => ({ gold, said })), [{ gold: [10, 20, 30, 40], said: [2, 3, 5, 6] }]);
});

Deno.test("boxScale() fits boxes of each picture's own factors, and tells those that fit any picture", () => {
  const pairsOf = (said: (gold: readonly number[], i: number) => readonly number[]) =>
    boxPairs([0, 1, 2, 3, 4].flatMap((i) => {
      const gold = [100 * i, 400 - 100 * i, 100 * i + 150, 550 - 100 * i];
      return group(`${i}?`, [`[${said(gold, i).join(", ")}]`], [0], { answer: `[${gold.join(", ")}]` });
    }));
  const own = boxScale(pairsOf((gold, i) => gold.map((at, side) => at * (side % 2 === 0 ? 2 + i : 3))), true);
  assert.deepEqual(own.factors.map(({ across, down }) => [across, down]), [[2, 3], [3, 3], [4, 3], [5, 3], [6, 3]]);
  assert.equal(own.fitting, 1);
  assert(own.fittingOthers <= 0.2, `${own.fittingOthers}`);
  const blind = boxScale(pairsOf(() => [200, 200, 900, 900]), true);
  assert(blind.fitting <= 0.2, `${blind.fitting}`);
  const same = boxScale(pairsOf((gold) => gold.map((at) => at / 2)), false);
  assert.deepEqual([same.fitting, same.fittingOthers], [1, 0]);
});
