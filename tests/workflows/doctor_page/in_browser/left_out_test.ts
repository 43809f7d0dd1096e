import assert from "node:assert/strict";
import type { Source } from "../../../../data/adapters/adapter.ts";
import { Intake } from "../../../../data/adapters/intake/intake.ts";
import { ADAPTERS } from "../../../../data/adapters/mod.ts";
import { MLFLOW, NEEDS_DISK, RUN_FOLDER, SQLITE } from "../../../../workflows/doctor_page/in_browser/left_out.ts";

const source = (name: string, text: string, folder: string | null = null) =>
  ({ name, path: name, head: new TextEncoder().encode(text), folder }) as Source;

const CASES = [
  [RUN_FOLDER, ADAPTERS.run_folder, "run.json", '{"format": 1, "id": "x"}', NEEDS_DISK.run],
  [MLFLOW, ADAPTERS.mlflow, "meta.yaml", "artifact_uri: x\nrun_id: abc\n", NEEDS_DISK.mlflow],
  [SQLITE, ADAPTERS.sqlite, "mlflow.db", "SQLite format 3\0", NEEDS_DISK.database],
] as const;

for (const [leftOut, adapter, name, text, why] of CASES) {
  Deno.test(`${name} is known in a page as on a disk, and it says where that is read`, async () => {
    assert.equal(leftOut.sniff(source(name, text), text), adapter.sniff(source(name, text, "/run"), text));
    assert.equal(leftOut.sniff(source("train.log", "loss 1"), "loss 1"), 0);
    await assert.rejects(leftOut.read(source(name, text), new Intake()), {
      name: "SyntaxError",
      message: `Cannot read ${name} in a page: ${why}`,
    });
    assert.match(why, /deno task diagnose/);
  });
}
