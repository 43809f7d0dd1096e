/** repairs.jsonl keeps decisions as they were, and a damaged line is named. */
import assert from "node:assert/strict";
import { join } from "node:path";
import {
  appendRepair,
  mendRepairs,
  readRepairs,
  type RepairRecord,
  wasTried,
} from "../../../workflows/repair/record.ts";
import { withFolder } from "../engine/fake_runs.ts";

const RECORD: RepairRecord = {
  format: 1,
  number: 1,
  run: "r",
  decision: "rejected",
  why: "because",
  cause: "kl_explosion",
  codes: ["K01"],
  severity: "error",
  first_step: 3,
  found_step: 4,
  message: "m",
  evidence: [],
  change: [{ step: "s", id: "s", key: "k", path: ["steps", 0], from: null, to: 1 }],
  workflow: { before: "a", after: "b" },
  checkpoint: { checkpoint: "2.1", trainStep: 2, sha256: "c" },
  steps: 20,
  plain: { run: "r.r1a", status: "stopped", train_step: 4, fired: true, rewards: [[3, 0.5]] },
  patched: null,
  comparison: null,
};

Deno.test("appendRepair() and readRepairs() keep every decision in order", () =>
  withFolder((folder) => {
    assert.deepEqual(readRepairs(folder), []);
    appendRepair(folder, RECORD);
    appendRepair(folder, { ...RECORD, number: 2, decision: "accepted" });
    assert.deepEqual(readRepairs(folder), [RECORD, { ...RECORD, number: 2, decision: "accepted" }]);
    assert.throws(() => appendRepair(folder, { ...RECORD, number: 0 }), /number/);
    Deno.writeTextFileSync(join(folder, "repairs.jsonl"), "{}\n", { append: true });
    assert.throws(() => readRepairs(folder), /repairs\.jsonl: line 3 is no decision/);
    assert.match(mendRepairs(folder).join(), /line 3 is no decision of a repair; 2 decisions are kept, .*set_aside\/1/);
    assert.equal(readRepairs(folder).length, 2);
    assert.equal(Deno.readTextFileSync(join(folder, "set_aside/1/repairs.jsonl")).split("\n")[2], "{}");
    assert.deepEqual(mendRepairs(folder), []);
  }));

Deno.test("wasTried() counts decisions for which a fork was patched", () => {
  const tried = (["accepted", "rejected", "transient", "suggested", "refused", "interrupted"] as const)
    .filter((decision) => wasTried({ ...RECORD, decision }));
  assert.deepEqual(tried, ["accepted", "rejected"]);
});
