/** Loads the policy of a run outside of it: its export, or its newest checkpoint where that is newer or alone. @module */
import { dirname, join } from "node:path";
import { isFile } from "../../data/file_system.ts";
import type { RunFolder } from "../../data/open_run_folder.ts";
import { parseCheckpoint, RUN_FILES } from "../../data/run_folder.ts";
import type { Policy } from "../../steps/resources/policy.ts";
import type { LoadedCheckpoint } from "../store/checkpoint.ts";
import { pathArgument, PROJECT } from "./paths.ts";

/** A policy and where its weights come from, for a line on the terminal. */
interface OpenedPolicy {
  readonly policy: Policy;
  readonly from: string;
  /** Train steps that the weights have. */
  readonly trainStep: number;
}

/** Loads the weights of a run. Throws when it has neither an export nor a checkpoint. */
export async function openPolicy(run: RunFolder): Promise<OpenedPolicy> {
  const { manifest, path } = run;
  const model = join(path, RUN_FILES.model);
  if (isFile(join(model, "config.json"))) {
    const { openRuntime } = await import("../../gpu/session.ts");
    const { policyFromFolder } = await import("../../steps/resources/open_policy.ts");
    const backend = manifest.backend === "napi" ? "napi" : "ffi";
    const runtime = await openRuntime({ backend, device: "cpu", threads: manifest.threads });
    return { policy: policyFromFolder(runtime, model), from: "its export", trainStep: run.manifest.train_step };
  }
  if (isFile(join(model, "adapter_config.json"))) return await fromAdapter(run, model);
  const { newestCheckpoint } = await import("../store/retention.ts");
  const { name, loaded, skipped } = newestCheckpoint(path);
  const passed = skipped.map(({ name, reason }) => `${name}: ${reason}`).join("; ");
  if (name === null || loaded === null) {
    throw new RangeError(
      `Cannot load the model of run ${manifest.id}: it has neither an export nor a checkpoint${
        passed === "" ? "" : ` that can be read (${passed})`
      }`,
    );
  }
  const from = `checkpoint ${name}${passed === "" ? "" : `, passed over ${passed}`}`;
  return { policy: await fromCheckpoint(run, name, loaded), from, trainStep: parseCheckpoint(name)!.trainStep };
}

/** The adapter that the run exported, upon the model that its folder names. */
async function fromAdapter(run: RunFolder, adapter: string): Promise<OpenedPolicy> {
  const { openRuntime } = await import("../../gpu/session.ts");
  const { adaptedFromFolder } = await import("../../steps/resources/open_policy.ts");
  const { weightFolders } = await import("../../steps/resources/model_source.ts");
  const { folder } = weightFolders(adapter, { workflow: adapter, run: adapter }), { manifest } = run;
  const backend = manifest.backend === "napi" ? "napi" : "ffi";
  const runtime = await openRuntime({ backend, device: "cpu", threads: manifest.threads });
  try {
    const from = `its export, an adapter on ${folder}`;
    return { policy: adaptedFromFolder(runtime, folder, adapter), from, trainStep: run.manifest.train_step };
  } catch (error) {
    runtime.release();
    throw error;
  }
}

/** Runs the step that gave the policy again, then puts the saved weights in. */
async function fromCheckpoint({ manifest, path }: RunFolder, name: string, loaded: LoadedCheckpoint): Promise<Policy> {
  const { STEPS } = await import("../../steps/mod.ts");
  const { loadWorkflow } = await import("../language/parse.ts");
  const { stepsOf } = await import("../plan/plan.ts");
  const { answerParams, planWorkflow } = await import("../plan/plan_workflow.ts");
  const { loneContext } = await import("../engine/lone_context.ts");
  const workflow = manifest.workflow_folder ?? dirname(pathArgument(manifest.workflow));
  const plan = planWorkflow(await loadWorkflow(join(path, RUN_FILES.workflow), { folder: workflow }), STEPS);
  const step = stepsOf(plan.steps).findLast(({ kind }) => kind.gives.includes("policy"));
  const state = loaded.resources.get("policy");
  if (step === undefined || state === undefined) {
    throw new RangeError(`Cannot load the model of run ${manifest.id}: checkpoint ${name} holds no policy`);
  }
  const { id: runId, seed, threads, deterministic } = manifest;
  const context = loneContext({
    runId,
    seed,
    device: "cpu",
    backend: manifest.backend === "napi" ? "napi" : "ffi",
    threads,
    deterministic,
    stepId: step.id,
    folders: { project: PROJECT, workflow, run: path },
    restoring: true,
  });
  const run = { id: runId, seed, train_step: 0 };
  const params = answerParams(plan, step, { params: plan.params, matrix: plan.matrix, steps: manifest.outputs, run });
  const result = await step.kind.run(params, context);
  const policy = result.resources?.policy as Policy;
  await policy.restore(state);
  return policy;
}
