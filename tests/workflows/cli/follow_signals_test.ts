import assert from "node:assert/strict";
import { FollowSignals } from "../../../workflows/cli/follow_signals.ts";

Deno.test("FollowSignals: the first SIGINT stops, its echo does nothing, the second ends; the code stays", () => {
  let now = 0;
  const said: string[] = [], signals = new FollowSignals("the input", (text) => said.push(text), () => now);
  try {
    const state = () => [signals.stop.aborted, signals.end.aborted, signals.code];
    assert.deepEqual(state(), [false, false, null]);
    signals.interrupt();
    assert.deepEqual(state(), [true, false, 130]);
    now = 500;
    signals.interrupt();
    assert.deepEqual(state(), [true, false, 130]);
    now = 3000;
    signals.interrupt();
    assert.deepEqual(state(), [true, true, 130]);
    assert.deepEqual(said, ["interrupted: reads the input to its end; Ctrl-C again ends now"]);
  } finally {
    signals.close();
  }
});

Deno.test("FollowSignals: SIGTERM ends at once; endNow() has no code of its own", () => {
  for (const [act, code] of [["terminate", 143], ["endNow", null]] as const) {
    const signals = new FollowSignals("the input", () => {});
    signals[act]();
    signals.close();
    assert.deepEqual([signals.stop.aborted, signals.end.aborted, signals.code], [true, true, code]);
  }
});
