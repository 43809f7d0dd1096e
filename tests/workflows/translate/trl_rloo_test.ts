import assert from "node:assert/strict";
import { TRL_RLOO } from "../../../workflows/translate/trl_rloo.ts";
import { told } from "./translated.ts";

Deno.test("RLOO: two completions, beta 0.05 in the reward, a copy as reference", () => {
  const { settings } = told("trl", "rloo", {});
  assert.deepEqual(
    [
      settings["compute_advantages.preset"],
      settings["sample_groups.group_size"],
      settings["compute_advantages.kl_coef"],
      settings["load_model.reference"],
    ],
    ["trl/rloo", 2, 0.05, "copy"],
  );
  const own = told("trl", "rloo", {
    beta: 0,
    normalize_advantages: true,
    reward_clip_range: [-1, 1],
    num_generations: 4,
  });
  assert.deepEqual([
    own.settings["compute_advantages.kl_coef"],
    own.settings["compute_advantages.normalize"],
    own.settings["compute_advantages.reward_clip"],
  ], [undefined, true, [-1, 1]]);
  assert.equal(TRL_RLOO["beta"]!.default, 0.05);
});
