import assert from "node:assert/strict";
import { cardOf, hubSource } from "../../../steps/resources/card.ts";
import { withTinyPolicy } from "../contexts/training_run.ts";

Deno.test("hubSource() is the name and the commit of a snapshot in the cache", () => {
  const commit = "a".repeat(40);
  assert.deepEqual(hubSource(`/c/hub/models--org--na.me/snapshots/${commit}`), { name: "org/na.me", commit });
  assert.equal(hubSource("/home/me/model"), null);
  assert.equal(hubSource(null), null);
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
