import assert from "node:assert/strict";
import { StopControl } from "../../../workflows/engine/run_plan.ts";
import { interrupt, interrupts, keepKernelAlive, onInterrupt } from "../../../workflows/explore/interrupt.ts";

Deno.test("interrupt() stops what a cell is doing, and what has ended no more", () => {
  const stop = new StopControl(), release = interrupts(stop), heard: number[] = [];
  const releases = [1, 2].map((n) => onInterrupt(() => heard.push(n)));
  releases[0]!();
  interrupt();
  assert.deepEqual([stop.requested, heard], ["SIGINT", [2]]);
  release();
  releases[1]!();
  stop.close();
  interrupt();
  assert.deepEqual(heard, [2]);
});

Deno.test("a signal does the same, also one that is aborted already", () => {
  const controller = new AbortController();
  let stopped = 0;
  const release = onInterrupt(() => stopped++, controller.signal);
  controller.abort();
  release();
  onInterrupt(() => stopped++, AbortSignal.abort())();
  assert.equal(stopped, 2);
});

Deno.test("keepKernelAlive() leaves SIGINT of a program that is no notebook alone", () => {
  keepKernelAlive(); // a listener would keep this test from ending: Deno reports it as a leak
});
