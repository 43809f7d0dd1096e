/** A small part of `deno task bench verdicts`. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { disagreements, EXPORTS, failureFiles, type Verdicts, verdictsOf } from "./verdicts.ts";

const EVERYWHERE = (said: string) =>
  Object.fromEntries(EXPORTS.map((format) => [format, said])) as Verdicts["exported"];

Deno.test("disagreements() names every way that gives another verdict, and alarms of a healthy run", () => {
  const fine: Verdicts = {
    name: "x",
    status: "stopped",
    alarms: ["a@1"],
    live: "faulty: a",
    stored: "faulty: a",
    exported: EVERYWHERE("faulty: a"),
  };
  assert.deepEqual(disagreements(fine), []);
  assert.deepEqual(disagreements({ ...fine, stored: "benign" }), ["stored"]);
  for (const format of EXPORTS) {
    for (const said of ["benign", "faulty: b", "insufficient"]) {
      assert.deepEqual(disagreements({ ...fine, exported: { ...fine.exported, [format]: said } }), [format]);
    }
  }
  const healthy = { ...fine, live: "benign", stored: "benign", exported: EVERYWHERE("benign") };
  assert.deepEqual(disagreements(healthy), ["alarms"]);
});

Deno.test("one verdict while it runs, from its folder and after each export", async () => {
  const files = await failureFiles(), runsFolder = await Deno.makeTempDir();
  const file = (name: string) => files.find((path) => path.endsWith(`/${name}.yaml`))!;
  try {
    for (
      const [name, live, steps] of [
        ["failures/shifted_mask", "faulty: group_integrity", 7],
        ["failures/duplicated_prompts", "faulty: overfitting", 2],
        ["clean/grpo", "benign", 4],
        ["clean/kl_in_loss", "benign", 4],
      ] as const
    ) {
      const verdicts = await verdictsOf(file(name), { train_steps: steps }, runsFolder);
      assert.equal(verdicts.live, live, name);
      assert.deepEqual(disagreements(verdicts), [], JSON.stringify(verdicts));
    }
    assert.deepEqual(
      [...Deno.readDirSync(runsFolder)].filter(({ name }) => !name.startsWith(".")),
      [],
      join(runsFolder),
    );
  } finally {
    await Deno.remove(runsFolder, { recursive: true });
  }
});
