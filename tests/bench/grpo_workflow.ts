/** The peers' GRPO step as a workflow of ours: the library's steps, with the peers' model and reward. @module */
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { tableOf, tableOfRows } from "../../data/tables/mod.ts";
import { STEPS } from "../../steps/mod.ts";
import { PolicyOptimizer } from "../../steps/resources/optimizer.ts";
import { Reference } from "../../steps/resources/reference.ts";
import type { Policy } from "../../steps/resources/policy.ts";
import { defineStep } from "../../steps/step.ts";
import { type RunEvent, runPlan } from "../../workflows/engine/run_plan.ts";
import { workflowFromObject } from "../../workflows/language/parse.ts";
import { planRuns } from "../../workflows/plan/plan_workflow.ts";
import { evenShare, peerPrompts } from "./peer_model.ts";

const NONE = { params: z.strictObject({}), reads: {}, writes: {}, needs: [], gives: [], pure: false } as const;
const outputs = z.object({});

/** The steps that exist for the comparison only. */
function kinds(policy: Policy) {
  return {
    ...STEPS,
    peer_prompts: defineStep({
      ...NONE,
      about: "512 sums as prompts",
      writes: { prompts: [] },
      outputs,
      run: () => ({
        tables: {
          prompts: tableOfRows(
            "prompts",
            peerPrompts(512).map((prompt, prompt_id) => ({ prompt_id, prompt, answer: "", split: "train" })),
          ),
        },
      }),
    }),
    peer_model: defineStep({
      ...NONE,
      about: "A model that is loaded already",
      gives: ["policy", "reference", "optimizer"],
      outputs,
      run: () => ({
        resources: { policy, reference: new Reference("none", policy, null), optimizer: new PolicyOptimizer(policy) },
      }),
    }),
    even_share: defineStep({
      ...NONE,
      about: "Reward: the share of even token ids",
      reads: { completions: [] },
      writes: { completions: [] },
      outputs,
      run(_params, context) {
        const table = context.table("completions");
        const rows = Array.from(table.array("token_ids") as ArrayLike<ArrayLike<number>>, evenShare);
        const columns = Object.fromEntries(table.columnNames().map((name) => [name, table.array(name)]));
        return { tables: { completions: tableOf("completions", { ...columns, reward: rows }) } };
      },
    }),
  };
}

export interface GrpoTimes {
  readonly seconds: number;
  readonly gen_seconds: number;
  readonly score_seconds: number;
  readonly update_seconds: number;
}

/** Runs `steps` train steps through the engine, in a temporary run folder; times of each, engine included. */
export async function grpoThroughEngine(
  policy: Policy,
  { steps, newTokens, diagnose = false }: { steps: number; newTokens: number; diagnose?: boolean },
): Promise<GrpoTimes[]> {
  const own = kinds(policy);
  const workflow = {
    name: "grpo_step",
    seed: 1,
    checkpoint: { every: steps + 1 },
    steps: [
      { uses: "peer_prompts" },
      { uses: "peer_model" },
      {
        // One round more than is timed: a step lasts until the next one begins.
        repeat: steps + 1,
        steps: [
          { uses: "sample_groups", with: { prompts_per_step: 8, group_size: 8, max_new_tokens: newTokens } },
          { uses: "even_share" },
          { uses: "compute_advantages" },
          {
            uses: "apply_update",
            with: { aggregation: "rollout_token_mean", learning_rate: 1e-4, max_grad_norm: 1, weight_decay: 0 },
          },
          ...(diagnose ? [{ uses: "diagnose", with: { on_error: "warn" } }] : []),
        ],
      },
    ],
  };
  // deno-lint-ignore no-explicit-any
  const anyKinds = own as any;
  const plan = planRuns(workflowFromObject(workflow, "grpo_step.ts", { kinds: anyKinds }), anyKinds, {
    params: {},
  })[0]!;
  const times: GrpoTimes[] = [], parts = new Map<string, number>();
  let started: number | null = null;
  const onEvent = ({ event, uses, ms }: RunEvent) => {
    const now = performance.now();
    if (event === "step_finished") parts.set(String(uses), Number(ms) / 1000);
    if (event !== "step_started" || uses !== "sample_groups") return;
    if (started !== null) {
      const part = (name: string) => parts.get(name) ?? 0;
      const seconds = (now - started) / 1000, gen_seconds = part("sample_groups");
      const score_seconds = part("even_share") + part("compute_advantages");
      times.push({ seconds, gen_seconds, score_seconds, update_seconds: seconds - gen_seconds - score_seconds });
    }
    started = now;
  };
  const runsFolder = Deno.makeTempDirSync();
  try {
    const projectFolder = fileURLToPath(new URL("../../", import.meta.url));
    const { error, status, reason } = await runPlan(plan, { runsFolder, projectFolder, onEvent });
    if (status !== "ok") throw error ?? new Error(`Cannot time the step: the run ended as ${status} (${reason})`);
  } finally {
    Deno.removeSync(runsFolder, { recursive: true });
  }
  return times;
}
