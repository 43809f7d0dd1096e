import assert from "node:assert/strict";
import { join } from "node:path";
import { openRunFolder } from "../../../data/open_run_folder.ts";
import { segmentPath } from "../../../data/run_folder.ts";
import { encodeTable, tableOfRows } from "../../../data/tables/mod.ts";
import { differences, factsOf } from "../../../workflows/explore/compare_runs.ts";
import { fabricateRun, RUN_A, RUN_B, withRuns } from "../cli/fabricated_run.ts";

Deno.test("differences() lists parameters, settings, time, results and findings that differ; absent is null", () =>
  withRuns((runs) => {
    fabricateRun(runs, RUN_B, {
      params: { size: 4, extra: true },
      finished: "2026-01-02T03:04:15.000Z",
      evaluations: { before: { sampled: 0.5, greedy: null } },
      findings: [{ cause: "entropy_collapse" }],
    });
    const [a, b] = [RUN_A, RUN_B].map((id) => openRunFolder(join(runs, id)));
    assert.deepEqual(differences([factsOf(a!), factsOf(b!)]), [
      { name: "params.extra", values: [null, true] },
      { name: "seconds", values: [75, 10] },
      { name: "after.sampled", values: [0.75, null] },
      { name: "findings", values: [null, "entropy_collapse"] },
    ]);
    assert.deepEqual(differences([factsOf(a!), factsOf(a!)]), []);
  }));

Deno.test("differences() have first what runs were given to learn from and for", () =>
  withRuns((runs) => {
    fabricateRun(runs, RUN_B, { seed: 1, params: { size: 5 } });
    const [a, b] = [RUN_A, RUN_B].map((id, i) => {
      const rewards = ["[{ uses: verifier }]", "[{ uses: visual/iou, weight: 2 }]"][i];
      Deno.writeTextFileSync(
        join(runs, id, "workflow.yaml"),
        `steps:\n  - { uses: load_prompts, with: { file: ${i}.jsonl } }\n  - { uses: score_rewards, with: { rewards: ${rewards} } }\n`,
      );
      return factsOf(openRunFolder(join(runs, id)));
    });
    assert.deepEqual(differences([a!, b!]).slice(0, 3), [
      { name: "load_prompts.file", values: ["0.jsonl", "1.jsonl"] },
      { name: "score_rewards.rewards", values: ["verifier", "2 × visual/iou"] },
      { name: "params.size", values: [4, 5] },
    ]);
  }));

Deno.test("differences() lists loss, accuracy and margin of steps that trained on preferences", () =>
  withRuns((runs) => {
    const of = (loss: number, margin: number) => ({ prefer: { updates: 3, epochs: 1, loss, accuracy: 0.5, margin } });
    fabricateRun(runs, RUN_A, { outputs: of(0.7, 0) });
    fabricateRun(runs, RUN_B, { seed: 1, outputs: of(0.4, 2), evaluations: {} });
    const [a, b] = [RUN_A, RUN_B].map((id) => openRunFolder(join(runs, id)));
    const found = differences([factsOf(a!), factsOf(b!)]).filter(({ name }) => name.startsWith("prefer."));
    assert.deepEqual(found, [{ name: "prefer.loss", values: [0.7, 0.4] }, { name: "prefer.margin", values: [0, 2] }]);
  }));

Deno.test("differences() lists the settings in force that differ, and all that an evaluation measured", () =>
  withRuns((runs) => {
    const [a, b] = [["grpo", 8, 0.5], ["gae", 1, 0.75]].map(([algorithm, group_size, best], i) => {
      const evaluations = { chosen: { best: best as number, n: 8 } };
      const folder = fabricateRun(runs, [RUN_A, RUN_B][i]!, { seed: 1, evaluations });
      const rows = Object.entries({ algorithm, group_size, top_p: 1, ...(i ? { value_clip: 0.5 } : {}) })
        .map(([name, value]) => ({ name, value: JSON.stringify(value), source: "workflow" }));
      const path = join(folder, segmentPath("settings", 1, 2));
      Deno.mkdirSync(join(path, ".."), { recursive: true });
      Deno.writeFileSync(path, encodeTable("settings", tableOfRows("settings", rows)));
      return openRunFolder(folder);
    });
    assert.deepEqual(differences([factsOf(a!), factsOf(b!)]), [
      { name: "algorithm", values: ["grpo", "gae"] },
      { name: "group_size", values: [8, 1] },
      { name: "value_clip", values: [null, 0.5] },
      { name: "chosen.best", values: [0.5, 0.75] },
    ]);
  }));
