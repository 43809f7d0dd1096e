import assert from "node:assert/strict";
import { ratios, table } from "./race_table.ts";

const row = (system: string, run: string, seconds: number, more = {}) => ({
  kind: "step",
  system,
  run,
  bench: "grpo",
  model: "tiny",
  warmup: false,
  seconds,
  ...more,
});

Deno.test("ratios() pairs the k-th runs of both sides", () => {
  assert.deepEqual(ratios([[4, 4], [9]], [[2], [3, 3]]), { ratio: 4 / 3, least: 2, greatest: 3 });
});

Deno.test("table() passes and fails by the median, and leaves warm-up out", () => {
  const rows = [
    row("trl", "a", 0.4),
    row("trl", "a", 99, { warmup: true }),
    row("jax", "b", 0.15),
    row("ours", "c", 0.1),
    { kind: "summary", system: "ours", bench: "engine_overhead", model: "1m", overhead: 0.02 },
  ];
  const lines = table(rows).split("\n").slice(1);
  assert.equal(lines.length, 3);
  assert.match(lines[0]!, /trl +400 ms +100 ms +4\.00 +4\.00\.\.4\.00 +≥ 4 +pass$/);
  assert.match(lines[1]!, /jax +150 ms +100 ms +1\.50 +1\.50\.\.1\.50 +≥ 1\.8 +fail$/);
  assert.match(lines[2]!, /engine overhead.* 0\.020 .*≤ 0\.03 +pass$/);
});
