import assert from "node:assert/strict";
import { atBars } from "../../../../../data/adapters/post/text/progress_bars.ts";

Deno.test("atBars() cuts a line behind each progress bar that something follows", () => {
  const bar = " 10%|█         | 1/10 [00:03<00:27,  3.0s/it]", record = "{'loss': 0.0}";
  assert.deepEqual(atBars(bar + record), [bar, record]);
  assert.deepEqual(atBars(bar + bar), [bar, bar]);
  assert.deepEqual(atBars(bar), [bar]);
  assert.deepEqual(atBars(record), [record]);
  assert.deepEqual(atBars("Loading: 50%| no end"), ["Loading: 50%| no end"]);
});
