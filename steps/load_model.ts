/** The step `load_model`: the policy, its reference and its optimizer, from a preset, a configuration or a folder. @module */
import { isAbsolute, join, resolve } from "node:path";
import { z } from "zod";
import { isFile } from "../data/file_system.ts";
import { byteLevelTokenizer } from "../data/hub/byte_level_tokenizer.ts";
import { chatTemplateProblem } from "../data/hub/chat_trial.ts";
import { type ChatMessage, renderChat } from "../data/hub/chat_template.ts";
import { readGenerationConfig, readModelConfig } from "../data/hub/config.ts";
import { openModelTensors } from "../data/hub/model_tensors.ts";
import { merged, readAdapter } from "../data/hub/peft_adapter.ts";
import { type HubTokenizer, loadTokenizer, makeTokenizer } from "../data/hub/tokenizer.ts";
import { vocabularyProblem } from "../data/hub/vocabulary_fit.ts";
import { normals } from "../data/random.ts";
import { messagesIn } from "../data/tasks/rows/messages.ts";
import { type ModelConfig, modelConfig } from "../gpu/models/config.ts";
import { LanguageModel } from "../gpu/language_model.ts";
import { openRuntime, type Runtime } from "../gpu/session.ts";
import type { NamedArray } from "../gpu/weights/weights.ts";
import { LORA, loraProblems } from "./options/lora.ts";
import { adapterSettings, type Adapting, adapting, refuseDead } from "./resources/adapter.ts";
import { MODEL_PRESETS, type ModelPresetName } from "./resources/model_presets.ts";
import { PolicyOptimizer } from "./resources/optimizer.ts";
import { Policy } from "./resources/policy.ts";
import { Reference, referenceKind } from "./resources/reference.ts";
import { SETTING_COLUMNS, writeSettings } from "./options/settings_table.ts";
import { defineStep, type StepContext } from "./step.ts";

const PRESET_NAMES = Object.keys(MODEL_PRESETS) as [ModelPresetName, ...ModelPresetName[]];

const params = z.strictObject({
  model: z.union([z.string().min(1), z.record(z.string(), z.unknown())]).describe(
    `a preset (${
      PRESET_NAMES.join(", ")
    }), an object as config.json has it, a Hugging Face folder, or a run (its id or folder)`,
  ),
  reference: z.string().default("none").describe(
    "none; copy: the policy as it is when the first group is sampled; adapter_off: the same weights without the adapter of lora; or a folder",
  ),
  adapter: z.string().min(1).optional().describe(
    "a folder that PEFT saved: a LoRA adapter, merged into the policy's weights as they are loaded",
  ),
  lora: LORA.optional().describe(
    "train a low-rank adapter on frozen weights, as PEFT does: only it has gradients and moments",
  ),
  trainable: z.array(z.string().min(1)).min(1).default(["*"]).describe(
    "which parameters train: patterns of their checkpoint names with *, of an adapter its own; all by default",
  ),
  chat_template: z.boolean().default(false).describe(
    "put each prompt into the folder's chat template, as a user's message; lists of messages always go through it",
  ),
});

/** Said of prompts that are lists of messages. */
export const NO_TEMPLATE =
  "it is a list of messages and the tokenizer has no chat template; give texts as prompts, or a " +
  "model that has a chat template";

export const loadModel = defineStep({
  about: "Load the policy, its reference and its optimizer",
  params,
  reads: {},
  writes: { settings: SETTING_COLUMNS },
  gives: ["policy", "reference", "optimizer"],
  setup: true,
  check({ lora, reference }) {
    if (lora !== undefined) return loraProblems(lora);
    return reference === "adapter_off" ? [`Cannot use reference "adapter_off": ${NO_ADAPTER}`] : [];
  },
  outputs: z.object({
    parameters: z.int().describe("parameters of the policy"),
    trainable: z.int().describe("parameters that train"),
    vocabulary: z.int().describe("tokens of the tokenizer"),
    context: z.int().describe("longest sequence, tokens"),
  }),
  async run({ model, adapter, reference, lora, trainable, chat_template }, context) {
    const source = { ...modelSource(model, context), adapter: adapterFolder(adapter, context) };
    if (source.adapter !== null && source.folder === null) {
      throw new RangeError(`Cannot merge the adapter ${adapter}: the model starts from random weights, want a folder`);
    }
    await requireTemplate(source.tokenizer, chat_template);
    const runtime = await openRuntime({
      backend: context.backend,
      device: context.device,
      threads: context.threads,
      deterministic: context.deterministic,
    });
    const kind = referenceKind(reference);
    const { policy, frozen } = orRelease(runtime, () => {
      const policy = makePolicy(
        runtime,
        source,
        context,
        chat_template,
        "lm",
        adapting(lora, context.folders.workflow, context.seed),
      );
      if (source.adapter === null) policy.folder = source.folder;
      policy.model.setTrainable(trainable);
      refuseDead(policy.model);
      const folder = kind === "folder" ? resolve(context.folders.workflow, reference) : null;
      return { policy, frozen: folder === null ? null : loadFrozen(runtime, folder, policy) };
    });
    const outputs = sizesOf(policy);
    const { parameters, trainable: training } = outputs;
    writeSettings(context, { trainable_parameters: training, parameters, reference, ...adapterSettings(policy.model) });
    context.emit({ event: "message", text: modelLine(outputs, runtime) });
    return {
      resources: { policy, reference: new Reference(kind, policy, frozen), optimizer: new PolicyOptimizer(policy) },
      outputs,
    };
  },
});

function sizesOf({ model, tokenizer }: Policy) {
  return {
    parameters: model.parameters,
    trainable: model.trainable.count,
    vocabulary: tokenizer.vocabSize,
    context: model.config.maxPositions,
  };
}

/** One line for the terminal: what was loaded, and on what it runs. */
function modelLine({ parameters, trainable, vocabulary }: ReturnType<typeof sizesOf>, runtime: Runtime): string {
  const part = trainable === parameters ? "" : `, ${trainable} trainable`;
  return `model: ${(parameters / 1e6).toFixed(2)} M parameters${part}, ${vocabulary} tokens; ` +
    `${runtime.device}, ${runtime.backend}, ${runtime.threads} threads`;
}

/** Said of what reads an adapter that is not there. */
const NO_ADAPTER = "all weights train, want an adapter to switch off; set lora, or take copy";

/** Runs `load`; where it throws, the environment is free for another try. */
function orRelease<Loaded>(runtime: Runtime, load: () => Loaded): Loaded {
  try {
    return load();
  } catch (error) {
    runtime.release();
    throw error;
  }
}

/** Where a model comes from: its configuration, tokenizer, and tensors unless it starts from random weights. */
interface ModelSource {
  readonly config: Readonly<Record<string, unknown>>;
  readonly tokenizer: HubTokenizer;
  readonly generation: Readonly<Record<string, unknown>> | null;
  readonly folder: string | null;
  /** A PEFT adapter that is merged into the folder's weights. */
  readonly adapter?: string | null;
}

const adapterFolder = (adapter: string | undefined, { folders }: StepContext) =>
  adapter === undefined ? null : resolve(folders.workflow, adapter);

function modelSource(
  model: string | Readonly<Record<string, unknown>>,
  context: StepContext,
): ModelSource {
  if (typeof model !== "string") return fresh(model);
  if (Object.hasOwn(MODEL_PRESETS, model)) return fresh(MODEL_PRESETS[model as ModelPresetName]);
  return folderSource(findFolder(model, context));
}

function folderSource(folder: string): ModelSource {
  return {
    config: readModelConfig(folder),
    tokenizer: loadTokenizer(folder),
    generation: readGenerationConfig(folder),
    folder,
  };
}

/** A model from nothing: our byte-level tokenizer, random weights. */
function fresh(config: Readonly<Record<string, unknown>>): ModelSource {
  const positions = config["max_position_embeddings"];
  const files = byteLevelTokenizer(typeof positions === "number" ? { maxLength: positions } : {});
  const tokenizer = makeTokenizer(files, "the byte-level tokenizer");
  const ids = { vocab_size: tokenizer.vocabSize, eos_token_id: tokenizer.eosIds[0], pad_token_id: tokenizer.padId };
  return { config: { ...config, ...ids }, tokenizer, generation: null, folder: null };
}

/** A folder with a config.json: as given (relative to the workflow file), or the export of a run, by the name it has there. */
export function findFolder(model: string, { folders }: StepContext, name = "model"): string {
  const given = isAbsolute(model) ? model : resolve(folders.workflow, model);
  const candidates = [given, join(given, name), join(folders.run, "..", model, name)];
  const found = candidates.find((folder) => isFile(join(folder, "config.json")));
  if (found !== undefined) return found;
  throw new RangeError(
    `Cannot load model "${model}": it is no preset (${PRESET_NAMES.join(", ")}), and there is no config.json in ` +
      `${candidates.join(" or ")}; give a Hugging Face folder or a run that has export_model`,
  );
}

/** Builds the policy; weights come from the folder, or are drawn by the seed. */
function makePolicy(
  runtime: Runtime,
  source: ModelSource,
  { seed, deterministic }: Pick<StepContext, "seed" | "deterministic">,
  chat: boolean,
  head: ModelConfig["head"] = "lm",
  adapted: Adapting = (model) => model,
): Policy {
  const { config, tokenizer, generation, folder, adapter = null } = source;
  const model = LanguageModel.create(runtime, modelConfig(config));
  const problem = vocabularyProblem(tokenizer.vocabSize, model.config.vocabSize);
  if (problem !== null) throw new RangeError(`Cannot load the model: ${problem}`);
  const { vocabSize } = model.config, special = [...tokenizer.eosIds, tokenizer.padId, tokenizer.bosId];
  const outside = special.find((id) => id !== null && id >= vocabSize);
  if (outside !== undefined) {
    throw new RangeError(
      `Cannot load the model: a special token of ${folder ?? "the tokenizer"} has id ${outside}, want less than ` +
        `${vocabSize}, the size of the vocabulary; look at eos_token_id, pad_token_id and bos_token_id of its config.json ` +
        "and generation_config.json",
    );
  }
  if (model.config.head !== head) throw new TypeError(headProblem(folder, head));
  if (folder) model.weights.fromHuggingFace(readTensors(folder, adapter));
  else {
    let row = 0;
    model.weights.initialize((count) => normals(seed, "initial_weights", count, 0, row++));
  }
  if (chat && tokenizer.chatTemplate === null) {
    throw new RangeError("Cannot use a chat template: the tokenizer has none; set chat_template: false");
  }
  const format = (prompt: string) => formatted(prompt, tokenizer, chat);
  const { chatTemplate, specialTokens: variables } = tokenizer;
  const conversation = chatTemplate === null
    ? undefined
    : (messages: readonly ChatMessage[]) => renderChat(chatTemplate, messages, { variables });
  return new Policy(
    adapted(model),
    tokenizer,
    generation,
    tokenizer.files,
    format,
    deterministic ? 2 : 1,
    conversation,
  );
}

function headProblem(folder: string | null, want: ModelConfig["head"]): string {
  return want === "lm"
    ? `Cannot load the model: ${folder} has a scalar head (a critic or reward model), want a language model; load it by ` +
      "load_reward_model or as model of load_critic"
    : `Cannot load the reward model: ${folder} has a language head, want a model for sequence classification with 1 ` +
      "label; train one by train_reward_model and write it by export_model";
}

/** A reward model of a folder with what reads texts for it; its model shares the runtime. */
export function scorerFromFolder(
  { deterministic }: StepContext,
  runtime: Runtime,
  folder: string,
  chat: boolean,
): Policy {
  return makePolicy(runtime, folderSource(folder), { seed: 0, deterministic }, chat, "scalar");
}

/** Refuses a chat template that cannot be used, and one that never ends even where only lists of messages would use it. */
async function requireTemplate({ chatTemplate, specialTokens }: HubTokenizer, chat: boolean): Promise<void> {
  if (chatTemplate === null) return;
  const problem = await chatTemplateProblem(chatTemplate, specialTokens);
  if (problem !== null && (chat || problem.endless)) throw new SyntaxError(problem.text);
}

/** A list of messages always goes through the chat template, a text where that is asked for. */
function formatted(prompt: string, { chatTemplate, specialTokens }: HubTokenizer, chat: boolean): string {
  const messages = messagesIn(prompt) ?? (chat ? [{ role: "user", content: prompt }] : null);
  if (messages === null) return prompt;
  if (chatTemplate === null) throw new RangeError(`Cannot read a prompt: ${NO_TEMPLATE}`);
  return renderChat(chatTemplate, messages, { addGenerationPrompt: true, variables: specialTokens });
}

/** Loads a policy from a Hugging Face folder, outside of a run. */
export function policyFromFolder(runtime: Runtime, folder: string): Policy {
  return makePolicy(runtime, folderSource(folder), { seed: 0, deterministic: false }, false);
}

function loadFrozen(runtime: Runtime, folder: string, policy: Policy): LanguageModel {
  const config = modelConfig(readModelConfig(folder));
  if (config.vocabSize !== policy.model.config.vocabSize) {
    throw new RangeError(
      `Cannot use the reference in ${folder}: it has ${config.vocabSize} tokens, want ${policy.model.config.vocabSize} as the policy`,
    );
  }
  const model = LanguageModel.create(runtime, config);
  model.weights.fromHuggingFace(readTensors(folder));
  return model;
}

/** The tensors of a folder by name, as float32, a PEFT adapter of another folder merged into them. */
export function readTensors(folder: string, adapter: string | null = null): Map<string, NamedArray> {
  using file = openModelTensors(folder);
  const tensors = new Map([...file.tensors].map(([name, { shape }]) => [name, { shape, data: file.float32(name) }]));
  return adapter === null ? tensors : merged(tensors, readAdapter(adapter));
}
