import assert from "node:assert/strict";
import { earlier } from "../../../../workflows/doctor/follow/earlier.ts";

const never = () => new Promise<never>(() => {});
const signal = () => new AbortController();

Deno.test("earlier() gives the result, or null when the time is over or the end is asked for", async () => {
  assert.equal(await earlier(Promise.resolve(1), null, signal().signal), 1);
  assert.equal(await earlier(never(), 1, signal().signal), null);
  const end = signal(), waiting = earlier(never(), null, end.signal);
  end.abort();
  assert.equal(await waiting, null);
  assert.equal(await earlier(never(), null, end.signal), null);
  await assert.rejects(earlier(Promise.reject(new Error("no")), 1000, signal().signal), /no/);
});
