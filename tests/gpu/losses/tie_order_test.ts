import assert from "node:assert/strict";
import { tieOrder } from "../../../gpu/losses/tie_order.ts";

/** Tokens of a row, share of them that is taken, and which `torch.topk` (2.13, CPU) takes of equal keys. */
const TAKEN: readonly (readonly [tokens: number, fraction: number, taken: readonly number[]])[] = [
  [2, 0.0002, [0]],
  [3, 0.0002, [0]],
  [4, 0.0002, [2]],
  [9, 0.0002, [7]],
  [13, 0.0002, [8]],
  [31, 0.0002, [21]],
  [47, 0.0002, [32]],
  [63, 0.0002, [41]],
  [64, 0.0002, [0]],
  [200, 0.0002, [0]],
  [9, 0.3, [5, 7]],
  [17, 0.3, [9, 10, 11, 12, 13]],
  [24, 0.1, [15, 17]],
  [128, 0.01, [0]],
  [129, 0.01, [0]],
  [33, 0.1, [21, 22, 23]],
];

function taken(mask: readonly number[][], fraction: number): number[] {
  const order = tieOrder(mask, fraction).flatMap((row) => [...row]), tokens = mask.flat().filter((m) => m).length;
  const count = Math.max(1, Math.floor(tokens * fraction));
  return order.flatMap((place, token) => place < count ? [token] : []);
}

Deno.test("tieOrder() takes of equal keys those that torch.topk takes", () => {
  for (const [tokens, fraction, want] of TAKEN) {
    assert.deepEqual(taken([Array.from({ length: tokens }, () => 1)], fraction), want, `${tokens} tokens, ${fraction}`);
  }
});

Deno.test("tieOrder() counts tokens that count alone, over rows", () => {
  // 4 tokens count, of which torch takes the third.
  assert.deepEqual(tieOrder([[0, 1, 1], [1, 0, 1]], 2e-4).map((row) => [...row].map((place) => place === 0)), [
    [false, false, false],
    [true, false, false],
  ]);
  assert.deepEqual([...tieOrder([[0, 1]], 1)[0]!], [1, 0], "what does not count comes last");
});
