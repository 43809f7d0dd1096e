import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readTensors } from "../../../steps/resources/model_source.ts";
import { runIds } from "../../../workflows/explore/find_run.ts";
import { readManifest } from "../../../workflows/store/manifest.ts";
import { commandLine } from "../cli/command_line.ts";

const NIGHTLY = fileURLToPath(new URL("../../../workflows/library/nightly.yaml", import.meta.url));
const SMALL = {
  model: "run:last || tiny_qwen2",
  digits: 1,
  train_steps: 1,
  prompts_per_step: 4,
  learning_rate: 1e-4,
};
/** Updates of fine_tune, by night: after those of the first alone a model writes digits. */
const UPDATES = [80, 1];
/** By how much Adam moves a weight in the second night: the rates of its two updates, and a little decay. */
const MOVED = 1.2e-3;

Deno.test("nightly.yaml starts from the small model the first night, and each later night from the one before", async () => {
  const folder = await Deno.makeTempDir(), runs = join(folder, "runs");
  try {
    const words = (updates: number) =>
      Object.entries({ ...SMALL, max_updates: updates }).flatMap(([name, value]) => ["-p", `${name}=${value}`]);
    for (const [night, updates] of UPDATES.entries()) {
      // Weights that began anew would be those of another seed.
      const { code, err } = await commandLine(
        ["run", NIGHTLY, "--scheduled", "now", "--runs", runs, "--seed", `${night}`, ...words(updates)],
        folder,
      );
      assert.equal(code, 0, err);
    }
    const ids = runIds(runs), nights = ids.map((id) => readManifest(join(runs, id)));
    assert.deepEqual(nights.map(({ params }) => params["model"]), ["tiny_qwen2", ids[0]]);
    assert.deepEqual(nights.map(({ trigger, status }) => [trigger, status]), [["schedule", "ok"], ["schedule", "ok"]]);
    const [first, second] = ids.map((id) => readTensors(join(runs, id, "model")));
    assert(first!.size > 5);
    for (const [name, { data }] of first!) {
      const other = second!.get(name)!.data, far = data.findIndex((value, i) => Math.abs(value - other[i]!) > MOVED);
      assert.equal(far, -1, `${name}[${far}]: ${data[far]} and ${other[far]}`);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
