import assert from "node:assert/strict";
import { SessionCache } from "../../../gpu/ort/session_cache.ts";

Deno.test("SessionCache keeps the recently used and releases the oldest", async () => {
  const events: string[] = [];
  const make = (name: string) => () => {
    events.push(`make ${name}`);
    return { name, release: () => void events.push(`release ${name}`) };
  };
  const cache = new SessionCache<{ name: string; release(): void }>(2);
  const a = await cache.get("a", make("a"));
  await cache.get("b", make("b"));
  assert.equal(await cache.get("a", make("a again")), a);
  await cache.get("c", make("c"));
  assert.deepEqual(events, ["make a", "make b", "release b", "make c"]);
  assert.equal(cache.size, 2);
  cache.release();
  assert.deepEqual(events.slice(4), ["release a", "release c"]);
  assert.equal(cache.size, 0);
});
