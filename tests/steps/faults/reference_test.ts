import assert from "node:assert/strict";
import { faulty } from "./fault_context.ts";

const ROWS = { prompt_id: [0, 0, 1], ref_logprobs: [[-1, -2], [-3], [-4, -5]] };
const lists = (values: unknown[]) => values.map((list) => Array.from(list as number[]));

Deno.test("inflated_reference adds to every log-probability", async () => {
  const column = await faulty("inflated_reference", "completions", ROWS, { nats: 3 });
  assert.deepEqual(lists(column("ref_logprobs")), [[2, 1], [0], [-1, -2]]);
});

Deno.test("nan_kl makes one log-probability NaN", async () => {
  const column = await faulty("nan_kl", "completions", ROWS);
  assert.deepEqual(lists(column("ref_logprobs")), [[-1, -2], [-3], [NaN, -5]]);
});
