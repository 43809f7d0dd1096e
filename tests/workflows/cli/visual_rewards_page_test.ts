import assert from "node:assert/strict";
import { VISUAL_REWARD_CASES } from "../../../workflows/cli/visual_reward_cases.ts";
import { visualRewardsPage } from "../../../workflows/cli/visual_rewards_page.ts";

Deno.test("visualRewardsPage() has a row for every case, each of five cells and in one line", () => {
  const page = visualRewardsPage();
  for (const { what, sound, compat, why } of VISUAL_REWARD_CASES) {
    const rows = page.split("\n").filter((line) =>
      line.startsWith(`| ${what}`) && line.endsWith(` | ${sound} | ${compat} | ${why} |`)
    );
    assert(rows.length > 0, what);
    for (const row of rows) {
      assert.equal(row.split(/(?<!\\)\|/).length, 7, row);
      assert(row.length < 500, row);
    }
  }
});
