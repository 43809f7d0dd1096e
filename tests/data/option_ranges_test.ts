import assert from "node:assert/strict";
import { isInRange, OPTION_RANGES, type Range, rangeOf, rangeText } from "../../data/option_ranges.ts";
import { OPTIONS } from "../../data/options.ts";

Deno.test("every option of OPTION_RANGES is one, and what is usual lies in its range", () => {
  for (const [option, range] of Object.entries(OPTION_RANGES) as [string, Range][]) {
    assert(Object.hasOwn(OPTIONS, option), option);
    assert(isInRange(range.usual, range), option);
    assert(range.useful === undefined || range.usual <= range.useful, option);
  }
});

Deno.test("isInRange() counts a bound as inside unless it is open, wants whole numbers where told, and no NaN", () => {
  const share: Range = { least: 0, most: 1, usual: 0 };
  assert.deepEqual([-1e-9, 0, 1, 1.0001].map((value) => isInRange(value, share)), [false, true, true, false]);
  const open: Range = { ...share, above: true, below: true };
  assert.deepEqual([0, 1e-9, 0.999, 1].map((value) => isInRange(value, open)), [false, true, true, false]);
  assert.deepEqual([1, 1.5, 0].map((value) => isInRange(value, OPTION_RANGES.group_size)), [true, false, false]);
  assert.equal(isInRange(NaN, OPTION_RANGES.max_grad_norm), false);
  assert.equal(isInRange(Infinity, OPTION_RANGES.max_grad_norm), true);
});

Deno.test("rangeOf() goes by meaning, else by the end of the name in any system; null where there is none", () => {
  assert.equal(rangeOf("top_p", "anything"), OPTION_RANGES.top_p);
  for (const name of ["vllm_gpu_memory_utilization", "actor_rollout_ref.rollout.gpu_memory_utilization"]) {
    assert.equal(rangeOf(null, name)?.most, 1);
  }
  assert.equal(rangeOf(null, "gpu_memory_utilization_log"), null);
  assert.equal(rangeOf("model", "model"), null);
});

Deno.test("rangeText() says the bounds in words", () => {
  assert.equal(rangeText(OPTION_RANGES.group_size), "a whole number of at least 1");
  assert.equal(rangeText(OPTION_RANGES.top_p), "a number above 0 and at most 1");
  assert.equal(rangeText(OPTION_RANGES.max_grad_norm), "a number");
});
