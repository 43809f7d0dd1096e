import assert from "node:assert/strict";
import { trlAdvantages, underPreset } from "../../../../workflows/goldens/topics/trl_advantages.ts";
import { holds } from "../held.ts";

Deno.test("trl_advantages holds every case of TRL's GRPO and RLOO, those of edge.json included", () =>
  holds(trlAdvantages, 270 + 60 + 42 + 6));

Deno.test("underPreset() estimates with the options of a preset and those over it", () => {
  const batch = { rewards: [1, 0], groups: [0, 0], lengths: [1, 1] };
  assert.deepEqual(underPreset("trl/grpo", { scale: "none" }, batch).advantage, [0.5, -0.5]);
});
