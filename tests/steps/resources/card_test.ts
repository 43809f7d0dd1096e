import assert from "node:assert/strict";
import { cardOf, hubName } from "../../../steps/resources/card.ts";
import { withTinyPolicy } from "../contexts/training_run.ts";

Deno.test("hubName() is the name of a snapshot in the cache", () => {
  assert.equal(hubName(`/c/hub/models--org--na.me/snapshots/${"a".repeat(40)}`), "org/na.me");
  assert.equal(hubName("/home/me/model"), null);
  assert.equal(hubName(null), null);
});

Deno.test("cardOf() has the run's settings", () =>
  withTinyPolicy(async (run) => {
    await run.run("fine_tune", { max_updates: 1, batch_size: 4 });
    const { outputs } = await run.run("export_model");
    const card = Deno.readTextFileSync(`${outputs!["folder"]}/README.md`);
    assert.match(card, /\| sft_learning_rate \| [\d.e-]+ \|/);
    assert.match(card, /A model \(policy\)/);
    assert.equal(typeof cardOf, "function");
  }));
