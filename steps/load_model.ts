/** The step `load_model`: the policy, its reference and its optimizer, from a preset, a configuration or a folder. @module */
import { basename, join } from "node:path";
import { IMAGES } from "../data/images/image_store.ts";
import { z } from "zod";
import { readModelConfig } from "../data/hub/config.ts";
import { modelConfig } from "../gpu/models/config.ts";
import { BITS, requireKernels } from "../gpu/weights/quantized.ts";
import { LanguageModel } from "../gpu/language_model.ts";
import { openRuntime, type Runtime } from "../gpu/session.ts";
import { MemoryBudget } from "../gpu/ort/memory_budget.ts";
import { ADAPTER, adapterProblems, adapterText, LORA, trainsAdapter } from "./options/lora.ts";
import { memoryBytes, memoryProblems, sizeLike } from "./options/memory_size.ts";
import { adapterSettings, adapting, refuseIdle, requireFit, requireItsBase } from "./resources/adapter.ts";
import { chatSettingsOf, templateOf } from "./resources/chat.ts";
import { MODEL_PRESETS, type ModelPresetName } from "./resources/model_presets.ts";
import { adapterFolder, type ModelSource, modelSource, namedFolder, readTensors } from "./resources/model_source.ts";
import { makePolicy, requireTemplate } from "./resources/open_policy.ts";
import { PolicyOptimizer } from "./resources/optimizer.ts";
import type { Policy } from "./resources/policy.ts";
import { Reference, referenceKind, REFERENCES } from "./resources/reference.ts";
import { requireTower } from "./resources/tower_fit.ts";
import { SETTING_COLUMNS, writeSettings } from "./options/settings_table.ts";
import { defineStep, type StepContext } from "./step.ts";

const PRESET_NAMES = Object.keys(MODEL_PRESETS) as [ModelPresetName, ...ModelPresetName[]];

const params = z.strictObject({
  model: z.union([z.string().min(1), z.record(z.string(), z.unknown())]).describe(
    `a preset (${
      PRESET_NAMES.join(", ")
    }), an object as config.json has it, a Hugging Face folder, hf:ORG/NAME@REVISION as pull fetched it, a run (its id or folder), or run:last, the newest run of this workflow that ended well with a model; before there is one, what follows ||: run:last || small_qwen2`,
  ),
  reference: z.string().default("none").describe(
    "none; copy: the policy as it is when the first group is sampled; adapter_off: the same weights without the adapter; or a folder or hf:ORG/NAME",
  ),
  adapter: ADAPTER.optional().describe(
    adapterText("trained on, with its settings, upon frozen weights; or merged into them"),
  ),
  merge: z.boolean().default(false).describe(
    "merge the adapter into the weights as they are loaded: all of them train then, or a fresh adapter of lora does",
  ),
  lora: LORA.optional().describe(
    "train a fresh low-rank adapter on frozen weights, as PEFT does: only it has gradients and moments",
  ),
  weights: z.enum(Object.keys(BITS) as (keyof typeof BITS)[]).default("float32").describe(
    "how the frozen weights beneath an adapter are stored: int8 and int4 take 26 and 16 % of the memory and sample several " +
      "times as fast, with rounded numbers. Where all weights train they stay float32, and samples are drawn from a rounded " +
      "copy. metrics tell sampler_logprob_gap; sampler_weights of apply_update corrects it. On the CPU",
  ),
  memory: z.string({ error: ({ input }) => `want a size with its unit, as ${sizeLike(input)}` }).min(1).optional()
    .describe(
      "what this run may take of memory, as 8GiB or 6000MB: how many prompts a pass and rows a sampling computes at once follows " +
        "from it, where prompts_per_pass and rows_at_once do not say; changes results by rounding alone",
    ),
  min_pixels: z.int().min(1).optional().describe(
    "smallest image of a model with a vision tower, pixels: smaller ones are enlarged; where left out, as the folder says " +
      "of its image processor",
  ),
  max_pixels: z.int().min(1).optional().describe(
    "largest image, pixels: larger ones are reduced. An image takes a token per 28 by 28 pixels (Qwen2-VL)",
  ),
  trainable: z.array(z.string().min(1)).min(1).default(["*"]).describe(
    "which parameters train: patterns of their checkpoint names with *, of an adapter its own, with ! before those that stay; " +
      "all by default",
  ),
  chat_template: z.union([z.boolean(), z.string().min(1)]).default(false).describe(
    "put each prompt into the folder's chat template, as a user's message; or the template's file, as transformers' " +
      "chat_template.jinja, to use in its place. Lists of messages always go through it",
  ),
  chat_template_kwargs: z.record(z.string(), z.unknown()).default({}).describe(
    "further variables of the chat template, such as enable_thinking: false",
  ),
  tools: z.array(z.record(z.string(), z.unknown())).min(1).optional().describe(
    "functions that the model may call, as JSON schemas for the chat template",
  ),
});

type Params = z.output<typeof params>;

export const loadModel = defineStep({
  about: "Load the policy, its reference and its optimizer",
  params,
  reads: {},
  writes: { settings: SETTING_COLUMNS },
  gives: ["policy", "reference", "optimizer"],
  paths: { model: PRESET_NAMES, adapter: [], reference: REFERENCES, chat_template: "file" },
  setup: true,
  check(given) {
    return [...memoryProblems(given.memory), ...weightProblems(given)];
  },
  outputs: z.object({
    parameters: z.int().describe("parameters of the policy"),
    trainable: z.int().describe("parameters that train"),
    vocabulary: z.int().describe("tokens of the tokenizer"),
    context: z.int().describe("longest sequence, tokens"),
  }),
  async run(given, context) {
    const { model, reference, lora, trainable, weights, memory } = given;
    const { source, adapter } = withAdapter(modelSource(model, context.folders), given, context);
    for (const folder of [source.adapter ?? null, adapter]) {
      if (folder === null) continue;
      requireFit(folder, modelConfig(source.config));
      requireItsBase(folder, source.folder, context);
    }
    const chat = chatSettingsOf(given, context.folders.workflow);
    const bits = BITS[weights], baseBits = trainsAdapter(given) ? bits : null;
    if (baseBits !== null && (source.adapter ?? null) !== null) {
      throw new RangeError(`Cannot store weights as ${weights}: ${MERGED}`);
    }
    const told = requireTemplate(source.tokenizer, chat);
    if (told !== null) context.emit({ event: "message", text: told });
    const runtime = await openRuntime({
      backend: context.backend,
      device: context.device,
      threads: context.threads,
      deterministic: context.deterministic,
    });
    if (memory !== undefined) runtime.budget = new MemoryBudget(memoryBytes(memory));
    const kind = referenceKind(reference);
    orRelease(runtime, () => bits !== null && requireKernels(runtime, bits));
    const { policy, frozen } = orRelease(runtime, () => {
      const { seed, deterministic } = context, adapted = adapting(adapter, lora, seed);
      const heard = { ...source, say: (text: string) => context.emit({ event: "message", text }) };
      const pixels = { min_pixels: given.min_pixels, max_pixels: given.max_pixels };
      const images = join(context.folders.run, IMAGES);
      const policy = makePolicy(runtime, heard, { seed, deterministic, chat, adapted, bits: baseBits, images, pixels });
      if (bits !== baseBits) policy.model.roundForSampling(bits!);
      if ((source.adapter ?? null) === null) policy.folder = source.folder;
      policy.model.setTrainable(trainable);
      refuseIdle(policy.model);
      policy.model.willTrain();
      const folder = kind === "folder" ? namedFolder(reference, context.folders.workflow) : null;
      return { policy, frozen: folder === null ? null : loadFrozen(runtime, folder, policy) };
    });
    const outputs = sizesOf(policy);
    const { parameters, trainable: training } = outputs;
    writeSettings(context, {
      trainable_parameters: training,
      parameters,
      reference,
      weights,
      ...(memory === undefined ? {} : { memory }),
      // False where plain texts stay as they are: messages go through the template all the same.
      ...(templateOf(source.tokenizer, chat) === null
        ? {}
        : { chat_template: chat.own === null ? chat.always : basename(chat.own.file) }),
      ...adapterSettings(policy.model),
      ...(policy.model.adapted ? { lora_base: policy.folder ?? source.folder ?? "random weights" } : {}),
    });
    context.emit({ event: "message", text: modelLine(outputs, runtime) });
    return {
      resources: { policy, reference: new Reference(kind, policy, frozen), optimizer: new PolicyOptimizer(policy) },
      outputs,
    };
  },
});

/** What of the weights' options does not go together. */
function weightProblems(given: Params): string[] {
  const { reference, weights, merge } = given, problems = adapterProblems(given);
  if (problems.length > 0) return problems;
  if (trainsAdapter(given)) {
    return weights !== "float32" && merge ? [`Cannot store weights as ${weights}: ${MERGED}`] : [];
  }
  return reference === "adapter_off" ? [`Cannot use reference "adapter_off": ${NO_ADAPTER}`] : [];
}

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

/** Said of weights that would be rounded after the sum: nothing could be exported but the rounded numbers. */
const MERGED =
  "an adapter is merged into them; leave it apart (merge: false), export the merged model first, or take float32";

/** Said of what reads an adapter that is not there. */
const NO_ADAPTER = "all weights train, want an adapter to switch off; set lora or adapter, or take copy";

/** Runs `load`; where it throws, the environment is free for another try. */
function orRelease<Loaded>(runtime: Runtime, load: () => Loaded): Loaded {
  try {
    return load();
  } catch (error) {
    runtime.release();
    throw error;
  }
}

/** Where the weights come from, an adapter merged into them or not, and the folder of the adapter that stays apart. */
function withAdapter(source: ModelSource, { adapter, merge }: Params, { folders }: StepContext) {
  if (adapter === undefined) return { source, adapter: null };
  if ((source.adapter ?? null) !== null) {
    throw new RangeError(`Cannot load the adapter ${adapter}: the model is an adapter itself; give its base as model`);
  }
  if (source.folder === null) {
    throw new RangeError(`Cannot load the adapter ${adapter}: the model starts from random weights, want a folder`);
  }
  const folder = adapterFolder(adapter, folders);
  return merge ? { source: { ...source, adapter: folder }, adapter: null } : { source, adapter: folder };
}

function loadFrozen(runtime: Runtime, folder: string, policy: Policy): LanguageModel {
  const config = modelConfig(readModelConfig(folder));
  if (config.vocabSize !== policy.model.config.vocabSize) {
    throw new RangeError(
      `Cannot use the reference in ${folder}: it has ${config.vocabSize} tokens, want ${policy.model.config.vocabSize} as the policy`,
    );
  }
  requireTower(`Cannot use the reference in ${folder}`, config, policy.model.config);
  const model = LanguageModel.create(runtime, config);
  model.weights.fromHuggingFace(readTensors(folder));
  return model;
}
