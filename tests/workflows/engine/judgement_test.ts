/** The verdict at the end of a run is the verdict on its folder. */
import assert from "node:assert/strict";
import { z } from "zod";
import { tableOf } from "../../../data/tables/mod.ts";
import { STEPS } from "../../../steps/mod.ts";
import { defineStep } from "../../../steps/step.ts";
import { examine } from "../../../workflows/doctor/examine.ts";
import { type RunEvent, runPlan } from "../../../workflows/engine/run_plan.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { planWorkflow } from "../../../workflows/plan/plan_workflow.ts";
import { ENVIRONMENT } from "./fake_runs.ts";

/** Writes what a healthy run would, but for the mask of one completion of train step `shifted`. */
const write = (shifted: number) =>
  defineStep({
    about: "Writes the rows of a train step",
    params: z.strictObject({}),
    reads: {},
    writes: { metrics: [], completions: [], settings: [] },
    needs: [],
    gives: [],
    pure: false,
    outputs: z.strictObject({}),
    run(_, { trainStep }) {
      const rows = Array.from({ length: 16 }, (_, i) => i);
      return {
        tables: {
          metrics: tableOf("metrics", {
            train_step: [trainStep],
            phase: ["rollout"],
            loss: [0.01 * trainStep],
            reward: [0.5 + 0.01 * trainStep],
            grad_norm: [0.1 + 0.01 * trainStep],
          }),
          settings: tableOf("settings", { name: ["top_p"], option: ["top_p"], value: ["1"], written_type: ["number"] }),
          completions: tableOf("completions", {
            train_step: rows.map(() => trainStep),
            prompt_id: rows.map((i) => i >> 2),
            sample: rows.map((i) => i & 3),
            prompt: rows.map((i) => `${i >> 2}+1=`),
            text: rows.map((i) => String(i)),
            truncated: rows.map(() => false),
            completion_tokens: rows.map(() => 2),
            reward: rows.map((i) => i & 1),
            advantage: rows.map((i) => 2 * (i & 1) - 1),
            completion_mask: rows.map((i) => [i === 5 && trainStep >= shifted ? 0 : 1, 1]),
          }),
        },
      };
    },
  });

async function judged(shifted: number, diagnose: boolean, hear: (event: RunEvent) => void = () => {}) {
  const kinds = { write: write(shifted), diagnose: STEPS.diagnose };
  const steps = diagnose ? "[{ uses: write }, { uses: diagnose }]" : "[{ uses: write }]";
  const plan = planWorkflow(
    parseWorkflow(`name: w\nsteps: [{ repeat: 9, steps: ${steps} }]\n`, "w.yaml", { kinds }),
    kinds,
  );
  const events: RunEvent[] = [];
  const runsFolder = await Deno.makeTempDir();
  try {
    const result = await runPlan(plan, {
      runsFolder,
      projectFolder: Deno.cwd(),
      environment: ENVIRONMENT,
      onEvent: (event) => {
        hear(event);
        events.push(event);
      },
    });
    const manifest = JSON.parse(Deno.readTextFileSync(`${result.folder}/run.json`));
    const [stored] = await examine([result.folder]);
    return { result, manifest, stored: stored!.diagnosis, events };
  } finally {
    await Deno.remove(runsFolder, { recursive: true });
  }
}

Deno.test("a fault that only list columns show has one verdict: live, in run.json and from the folder", async () => {
  const { result, manifest, stored } = await judged(6, true);
  assert.equal(result.status, "stopped");
  assert.deepEqual(result.findings.map(({ cause, at_end }) => [cause, at_end]), [["group_integrity", true]]);
  assert.deepEqual(manifest.verdict, result.verdict);
  assert.deepEqual([manifest.verdict.verdict, manifest.verdict.causes], ["faulty", ["group_integrity"]]);
  assert.deepEqual([stored.verdict, stored.findings.map(({ cause }) => cause)], ["faulty", ["group_integrity"]]);
  assert.deepEqual(stored.findings[0]!.evidence.map(({ table, train_step, name }) => [table, train_step, name]), [
    ["completions", 6, "text"],
  ]);
});

Deno.test("a run without the step diagnose is judged at its end all the same, and its last event says so", async () => {
  const { result, stored, events } = await judged(6, false);
  assert.equal(result.status, "ok");
  assert.deepEqual(result.findings.map(({ cause }) => cause), ["group_integrity"]);
  assert.equal(stored.verdict, "faulty");
  assert.equal(events.filter(({ event }) => event === "finding").length, 1);
  assert.deepEqual(events.at(-1)!["verdict"], result.verdict);
});

Deno.test("a healthy run is healthy in every view", async () => {
  const { result, manifest, stored } = await judged(99, true);
  assert.deepEqual([result.status, result.verdict?.verdict, stored.verdict], ["ok", "benign", "benign"]);
  assert.deepEqual(manifest.verdict.causes, []);
});

Deno.test("a verdict that cannot be told, as on a full disk, fails the run and is its result", async () => {
  const { result, manifest } = await judged(6, false, ({ event, text }) => {
    if (event === "finding" || /^Cannot judge/.test(String(text))) throw new Error("Cannot write events.jsonl: full");
  });
  assert.deepEqual([result.status, result.exitCode, result.reason], ["failed", 1, "Cannot write events.jsonl: full"]);
  assert.deepEqual([manifest.status, result.verdict], ["failed", null]);
});
