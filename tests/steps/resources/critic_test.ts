import assert from "node:assert/strict";
import type { Critic } from "../../../steps/resources/critic.ts";
import { same } from "../../same.ts";
import { ONE_LAYER, withTinyPolicy } from "../contexts/training_run.ts";

const SEQUENCES = { prompts: [[5, 6]], group: 1, completions: [[7, 8]] };

Deno.test("Critic.save() and restore() are bitwise, and values come back", () =>
  withTinyPolicy(async (run) => {
    await run.run("load_critic");
    const first: Critic = run.resources.critic!, want = (await first.values(SEQUENCES))[0]!;
    const state = structuredClone(await first.save());
    run.seed = 99;
    await run.run("load_critic");
    const second = run.resources.critic!;
    assert.notDeepEqual((await second.values(SEQUENCES))[0], want);
    await second.restore(state);
    same((await second.values(SEQUENCES))[0]!, want);
    assert.equal(await second.updates(), 0);
  }, ONE_LAYER));
