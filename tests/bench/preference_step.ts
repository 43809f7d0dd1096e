/**
 * One update of DPO or KTO, batch 16, rows of 8 + 24 + 1 tokens, through the workflow engine: rows in the peers' format.
 *
 *     deno task bench preference_step -- --model FOLDER [--kinds dpo,kto] [--steps 23] [--threads 2] [--spinning 1] [--kept 0]
 *
 * As in the peers' script the reference is asked with every update; with --kept 1 its log-probs are computed once, before
 * the first, as the step does where nothing is said. Seconds of an update run from the end of the one before to its own.
 * @module
 */
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { integers } from "../../data/random.ts";
import { tableOfRows } from "../../data/tables/mod.ts";
import { STEPS } from "../../steps/mod.ts";
import { PolicyOptimizer } from "../../steps/resources/optimizer.ts";
import type { Policy } from "../../steps/resources/policy.ts";
import { Reference } from "../../steps/resources/reference.ts";
import { defineStep } from "../../steps/step.ts";
import { type RunEvent, runPlan } from "../../workflows/engine/run_plan.ts";
import { workflowFromObject } from "../../workflows/language/parse.ts";
import { planRuns } from "../../workflows/plan/plan_workflow.ts";
import { among, typed } from "./arguments.ts";
import { openPeerModel } from "./peer_model.ts";
import { options, peakRssMb, report, type Row } from "./rows.ts";

const BATCH = 16, ROWS = 512, PROMPT = 8, COMPLETION = 24;
/** The completion's end of sequence is the 33rd. */
const ROW_TOKENS = PROMPT + COMPLETION + 1;
const KINDS = ["dpo", "kto"] as const;
type Kind = (typeof KINDS)[number];

/** Rows of the table `preferences`: texts of random hexadecimal digits. */
function preferences(kind: Kind) {
  const digits = integers(1, "preference_step", 0, 0, ROWS * (PROMPT + 2 * COMPLETION), 16);
  const width = PROMPT + 2 * COMPLETION;
  const text = (row: number, from: number, count: number) =>
    Array.from({ length: count }, (_, i) => digits[row * width + from + i]!.toString(16)).join("");
  return Array.from({ length: ROWS }, (_, row) => {
    const prompt = text(row, 0, PROMPT), first = text(row, PROMPT, COMPLETION);
    const second = text(row, PROMPT + COMPLETION, COMPLETION);
    const common = { preference_id: row, split: "train", prompt };
    return kind === "dpo"
      ? { ...common, chosen: first, rejected: second }
      : { ...common, completion: first, label: row % 2 === 1 };
  });
}

/** The steps that exist for the comparison only. */
function kinds(policy: Policy, kind: Kind) {
  const columns = kind === "dpo" ? ["chosen", "rejected"] as const : ["completion", "label"] as const;
  const outputs = z.object({}), params = z.strictObject({});
  return {
    ...STEPS,
    peer_preferences: defineStep({
      about: "512 rows of random texts",
      params,
      reads: {},
      writes: { preferences: ["preference_id", "split", "prompt", ...columns] },
      outputs,
      run: () => ({ tables: { preferences: tableOfRows("preferences", preferences(kind)) } }),
    }),
    peer_model: defineStep({
      about: "A model that is loaded already, with its copy as reference",
      params,
      reads: {},
      writes: {},
      gives: ["policy", "reference", "optimizer"],
      outputs,
      run: () => ({
        resources: { policy, reference: new Reference("copy", policy), optimizer: new PolicyOptimizer(policy) },
      }),
    }),
  };
}

/** Times of `steps` updates through the engine, in a temporary run folder. */
async function updates(policy: Policy, kind: Kind, steps: number, kept: boolean): Promise<Row[]> {
  const workflow = {
    name: "preference_step",
    seed: 1,
    checkpoint: { every: steps + 2 },
    steps: [
      { uses: "peer_preferences" },
      { uses: "peer_model" },
      {
        uses: "train_preferences",
        with: {
          loss: kind,
          batch_size: BATCH,
          // One more than is timed: an update lasts until the next one begins.
          max_updates: steps + 1,
          precompute_reference: kept,
          learning_rate: 1e-4,
          beta2: 0.999,
        },
      },
    ],
  };
  // deno-lint-ignore no-explicit-any
  const own = kinds(policy, kind) as any;
  const plan = planRuns(workflowFromObject(workflow, "preference_step.ts", { kinds: own }), own, { params: {} })[0]!;
  const rows: Row[] = [];
  let last = 0;
  const onEvent = ({ event, uses }: RunEvent) => {
    const now = performance.now();
    if (event === "step_started" && uses === "train_preferences") last = now;
    if (event !== "train_step") return;
    rows.push({ seconds: (now - last) / 1000, peak_rss_mb: peakRssMb() });
    last = now;
  };
  const runsFolder = Deno.makeTempDirSync();
  try {
    const projectFolder = fileURLToPath(new URL("../../", import.meta.url));
    const { error, status, reason } = await runPlan(plan, { runsFolder, projectFolder, onEvent });
    if (status !== "ok") throw error ?? new Error(`Cannot time the step: the run ended as ${status} (${reason})`);
  } finally {
    Deno.removeSync(runsFolder, { recursive: true });
  }
  return rows.slice(0, steps);
}

export async function main(args: readonly string[]): Promise<void> {
  const { model: folders, steps, threads, spinning, ...given } = options(args, {
    kinds: KINDS.join(","),
    steps: "23",
    threads: "2",
    spinning: "1",
    kept: "0",
  });
  for (const folder of folders) {
    for (const kind of typed(() => among("--kinds", given.kinds, KINDS)) as Kind[]) {
      const opened = await openPeerModel(folder, { threads: Number(threads), spinning: spinning === "1", ends: true });
      const sizes = { batch: BATCH, new_tokens: COMPLETION, row_tokens: ROW_TOKENS };
      const rows = await updates(opened.policy, kind, Number(steps), given.kept === "1");
      report({ bench: kind, ...opened.head, ...sizes }, rows, BATCH * (kind === "dpo" ? 2 : 1) * ROW_TOKENS);
    }
  }
}

if (import.meta.main) await main(Deno.args);
