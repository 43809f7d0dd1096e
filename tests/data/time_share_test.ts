import assert from "node:assert/strict";
import { TimeShare } from "../../data/time_share.ts";

Deno.test("TimeShare lets the first eight runs pass and then keeps all others within its share of the time", () => {
  let now = 5000;
  const share = new TimeShare(0.01, () => now), work = (ms: number) => share.spend(() => now += ms);
  for (let run = 0; run < 8; run++) {
    assert.deepEqual([share.isLeft, share.isEnough], [true, true]);
    work(30);
  }
  assert.deepEqual([share.isLeft, share.isEnough], [true, false], "2.4 ms of the 30 ms that the last one took");
  now += 3000;
  assert(share.isEnough);
  work(40);
  assert.deepEqual([share.isLeft, share.isEnough], [false, false], "40 ms of 32.8 ms are taken");
  now += 1000;
  assert.deepEqual([share.isLeft, share.isEnough], [true, false]);
});

Deno.test("TimeShare gives back what the work gives, and spends at most its share and one more run", () => {
  let now = 0, spent = 0, runs = 0;
  const share = new TimeShare(0.05, () => now);
  for (let step = 0; step < 1000; step++) {
    now += 20;
    if (!share.isEnough) continue;
    const took = 1 + step % 7;
    assert.equal(share.spend(() => (now += took, took)), took);
    if (++runs > 8) spent += took;
  }
  assert(spent <= 0.05 * now + 7 && spent > 0.04 * now, `${spent} of ${now} ms`);
});
