/** The step of a run that gave its policy, planned again from the run's own workflow. @module */
import { dirname, join } from "node:path";
import type { RunFolder } from "../../data/open_run_folder.ts";
import { RUN_FILES } from "../../data/run_folder.ts";
import { messagesIn } from "../../data/datasets/messages.ts";
import { columnArray } from "../../data/tables/mod.ts";
import { type ChatSettings, chatSettingsOf } from "../../steps/resources/chat.ts";
import type { PlannedStep } from "../plan/plan.ts";
import { pathArgument } from "../terminal/paths.ts";

interface PolicyStep {
  readonly step: PlannedStep;
  /** Its parameters, look-ups answered as in the run. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The folder of the workflow. */
  readonly workflow: string;
}

/** Null for a workflow without such a step. Throws what planning it throws. */
export async function policyStep({ manifest, path }: RunFolder): Promise<PolicyStep | null> {
  const { STEPS } = await import("../../steps/mod.ts");
  const { loadWorkflow } = await import("../language/parse.ts");
  const { stepsOf } = await import("../plan/plan.ts");
  const { answerParams, planWorkflow } = await import("../plan/plan_workflow.ts");
  const workflow = manifest.workflow_folder ?? dirname(pathArgument(manifest.workflow));
  const plan = planWorkflow(await loadWorkflow(join(path, RUN_FILES.workflow), { folder: workflow }), STEPS);
  const step = stepsOf(plan.steps).findLast(({ kind }) => kind.gives.includes("policy"));
  if (step === undefined) return null;
  const run = { id: manifest.id, seed: manifest.seed, train_step: 0 };
  const params = answerParams(plan, step, { params: plan.params, matrix: plan.matrix, steps: manifest.outputs, run });
  return { step, params: params as Readonly<Record<string, unknown>>, workflow };
}

/** How the prompts of a run went through the chat template; a plain text as the run's lists of messages did. */
export function chatSettings(run: RunFolder, { params, workflow }: Omit<PolicyStep, "step">): ChatSettings {
  const settings = chatSettingsOf(params, workflow);
  return { ...settings, always: settings.always || hasMessages(run) };
}

/** Whether the run was given lists of messages. */
function hasMessages(run: RunFolder): boolean {
  return (["prompts", "preferences"] as const).some((name) => {
    const table = run.table(name);
    return table.numRows() > 0 && messagesIn(String(columnArray(table, "prompt")[0])) !== null;
  });
}
