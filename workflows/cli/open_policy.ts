/** Loads the policy of a run outside of it: its export, or its newest checkpoint where there is none. @module */
import { join } from "node:path";
import { firstLineOf } from "../../data/error_text.ts";
import { isFile } from "../../data/file_system.ts";
import { IMAGES } from "../../data/images/image_store.ts";
import type { RunFolder } from "../../data/open_run_folder.ts";
import { parseCheckpoint, RUN_FILES } from "../../data/run_folder.ts";
import type { Runtime } from "../../gpu/session.ts";
import type { ChatSettings } from "../../steps/resources/chat.ts";
import type { Policy } from "../../steps/resources/policy.ts";
import type { LoadedCheckpoint } from "../store/checkpoint.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { PROJECT } from "../terminal/paths.ts";
import { chatSettings, policyStep } from "./policy_step.ts";

/** A policy and where its weights come from, for a line on the terminal. */
interface OpenedPolicy {
  readonly policy: Policy;
  readonly from: string;
  /** Train steps that the weights have. */
  readonly trainStep: number;
}

interface OpenOptions {
  /** Plain texts go through the chat template as the run's prompts did; otherwise as they are. Left out: none will be read. */
  readonly chat?: boolean;
  /** Weights that still have the adapter apart. */
  readonly apart?: boolean;
}

/** Where the images of its prompts lie. */
const imagesOf = ({ path }: RunFolder) => join(path, IMAGES);

const PLAIN: ChatSettings = { always: false };

/** Loads the weights of a run. Throws when it has neither an export nor a checkpoint. */
export async function openPolicy(run: RunFolder, options: OpenOptions = {}): Promise<OpenedPolicy> {
  const model = join(run.path, RUN_FILES.model);
  if (isFile(join(model, "adapter_config.json"))) return await fromAdapter(run, model, await chatOf(run, options));
  const isMerged = isFile(join(model, "config.json"));
  if (!isMerged || options.apart) return await fromNewest(run, options, isMerged);
  const { policyFromFolder } = await import("../../steps/resources/open_policy.ts");
  const chat = await chatOf(run, options), runtime = await runtimeOf(run);
  return {
    policy: policyFromFolder(runtime, model, { chat, images: imagesOf(run) }),
    from: "its export",
    trainStep: run.manifest.train_step,
  };
}

async function runtimeOf({ manifest: { backend, threads } }: RunFolder): Promise<Runtime> {
  const { openRuntime } = await import("../../gpu/session.ts");
  return await openRuntime({ backend: backend === "napi" ? "napi" : "ffi", device: "cpu", threads });
}

/** How prompts go through the chat template, by the run's workflow. */
async function chatOf(run: RunFolder, { chat = false }: OpenOptions): Promise<ChatSettings> {
  if (!chat) return PLAIN;
  try {
    const given = await policyStep(run);
    return given === null ? PLAIN : chatSettings(run, given);
  } catch (cause) {
    throw new UsageError(
      `Cannot tell how run ${run.manifest.id} put prompts into the chat template: ${
        firstLineOf(cause)
      }; give --raw to ` +
        "leave it out",
      { cause },
    );
  }
}

async function fromNewest(run: RunFolder, options: OpenOptions, isMerged: boolean): Promise<OpenedPolicy> {
  const { newestCheckpoint } = await import("../store/retention.ts");
  const { name, loaded, skipped } = newestCheckpoint(run.path);
  const passed = skipped.map(({ name, reason }) => `${name}: ${reason}`).join("; ");
  if (name === null || loaded === null) {
    const has = isMerged
      ? "its export is merged, and there is no checkpoint, which would have the adapter apart"
      : "it has neither an export nor a checkpoint";
    throw new RangeError(
      `Cannot load the model of run ${run.manifest.id}: ${has}${passed === "" ? "" : ` that can be read (${passed})`}`,
    );
  }
  const from = `checkpoint ${name}${passed === "" ? "" : `, passed over ${passed}`}`;
  const policy = await fromCheckpoint(run, name, loaded, options);
  return { policy, from, trainStep: parseCheckpoint(name)!.trainStep };
}

/** The adapter that the run exported, upon the model that its folder names. */
async function fromAdapter(run: RunFolder, adapter: string, chat: ChatSettings): Promise<OpenedPolicy> {
  const { adaptedFromFolder } = await import("../../steps/resources/open_policy.ts");
  const { weightFolders } = await import("../../steps/resources/model_source.ts");
  const { OWN_FILE, ownTemplate } = await import("../../steps/resources/chat.ts");
  const { folder } = weightFolders(adapter, { workflow: adapter, run: adapter }), runtime = await runtimeOf(run);
  try {
    // The tokenizer is read from the base, which has not the template that the run was given in place of its own.
    const file = join(adapter, OWN_FILE), own = isFile(file) ? ownTemplate(file) : null;
    const from = `its export, an adapter on ${folder}`;
    return {
      policy: adaptedFromFolder(runtime, folder, adapter, { chat: { ...chat, own }, images: imagesOf(run) }),
      from,
      trainStep: run.manifest.train_step,
    };
  } catch (error) {
    runtime.release();
    throw error;
  }
}

/** Runs the step that gave the policy again, then puts the saved weights in. */
async function fromCheckpoint(
  run: RunFolder,
  name: string,
  loaded: LoadedCheckpoint,
  { chat }: OpenOptions,
): Promise<Policy> {
  const { loneContext } = await import("../engine/lone_context.ts");
  const given = await policyStep(run), state = loaded.resources.get("policy");
  if (given === null || state === undefined) {
    throw new RangeError(`Cannot load the model of run ${run.manifest.id}: checkpoint ${name} holds no policy`);
  }
  const { id: runId, seed, threads, deterministic, backend } = run.manifest, { step, params, workflow } = given;
  const context = loneContext({
    runId,
    seed,
    device: "cpu",
    backend: backend === "napi" ? "napi" : "ffi",
    threads,
    deterministic,
    stepId: step.id,
    folders: { project: PROJECT, workflow, run: run.path },
    restoring: true,
  });
  const asked = params["chat_template"], isPath = typeof asked === "string";
  const chat_template = isPath ? chat !== false && asked : chat === true && chatSettings(run, given).always;
  const result = await step.kind.run({ ...params, chat_template }, context);
  const policy = result.resources?.policy as Policy;
  await policy.restore(state);
  return policy;
}
