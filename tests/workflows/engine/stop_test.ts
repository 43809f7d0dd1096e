/** Signals: once, twice within a second, twice. @module */
import assert from "node:assert/strict";
import { HardStop, StopControl } from "../../../workflows/engine/stop.ts";

const isHard = (stop: StopControl) =>
  Promise.race([stop.hard.then(() => false, (error) => error instanceof HardStop), Promise.resolve(false)]);

Deno.test("StopControl takes signals within a second as one and a later one as a hard stop", async () => {
  let time = 0;
  const stop = new StopControl(() => time);
  assert.equal(stop.requested, null);
  stop.request("SIGINT");
  time = 900;
  stop.request("SIGINT");
  assert.equal(stop.requested, "SIGINT");
  assert.ok(stop.signal.aborted);
  assert.equal(await isHard(stop), false);
  time = 2000;
  stop.request("SIGINT");
  await assert.rejects(stop.hard, HardStop);
});

Deno.test("StopControl stops hard when SIGTERM's time is over", async () => {
  const stop = new StopControl(() => 0, 5);
  stop.request("SIGTERM");
  await assert.rejects(stop.hard, /no safe point within 0.005 s of SIGTERM/);
  stop.close();
});

Deno.test("unlessHard() gives the result of work, or throws HardStop during it and for ever after", async () => {
  let time = 0;
  const stop = new StopControl(() => time);
  assert.equal(await stop.unlessHard(Promise.resolve(7)), 7);
  await assert.rejects(stop.unlessHard(Promise.reject(new RangeError("its own"))), RangeError);
  const waiting = stop.unlessHard(new Promise(() => {}));
  stop.request("SIGINT");
  time += 2000;
  stop.request("SIGINT");
  await assert.rejects(waiting, HardStop);
  await assert.rejects(stop.unlessHard(Promise.resolve(7)), HardStop);
  stop.close();
});
