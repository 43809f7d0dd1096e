import assert from "node:assert/strict";
import { TimeShare } from "../../data/time_share.ts";

Deno.test("TimeShare gives credit on the first eight turns, on 16, 32 and so on, and none before the first", () => {
  const share = new TimeShare(0.01, () => 0), credited: number[] = [];
  assert(!share.isOnCredit);
  for (let turn = 1; turn <= 100; turn++) {
    share.turn();
    if (share.isOnCredit) credited.push(share.turns);
  }
  assert.deepEqual(credited, [1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 64]);
});

Deno.test("TimeShare counts the first time too: what it took beyond its share is saved before there is time again", () => {
  let now = 5000;
  const share = new TimeShare(0.01, () => now), work = (ms: number) => share.spend(() => now += ms);
  share.turn();
  assert.deepEqual([share.isLeft, share.isEnough], [true, true]);
  work(30);
  assert.deepEqual([share.isLeft, share.isEnough], [false, false], "0.3 ms of the 30 ms that it took");
  now += 2970;
  assert.deepEqual([share.isLeft, share.isEnough], [true, false]);
  now += 3000;
  assert(share.isEnough);
  work(40);
  assert.deepEqual([share.isLeft, share.isEnough], [false, false], "70 ms of 60.4 ms are taken");
  now += 1000;
  assert.deepEqual([share.isLeft, share.isEnough], [true, false]);
});

Deno.test("TimeShare gives back what the work gives, and spends at most its share and one more time", () => {
  let now = 0, spent = 0;
  const share = new TimeShare(0.05, () => now);
  for (let step = 0; step < 1000; step++) {
    now += 20;
    share.turn();
    if (!share.isEnough) continue;
    const took = 1 + step % 7;
    assert.equal(share.spend(() => (now += took, took)), took);
    spent += took;
  }
  assert(spent <= 0.05 * now + 7 && spent > 0.04 * now, `${spent} of ${now} ms`);
});
