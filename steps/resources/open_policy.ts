/** Makes a policy of what a model comes from: weights, tokenizer, chat template. @module */
import { chatTemplateProblem } from "../../data/hub/templates/chat_trial.ts";
import { readModelConfig } from "../../data/hub/config.ts";
import type { HubTokenizer } from "../../data/hub/tokenizer.ts";
import { vocabularyProblem } from "../../data/hub/vocabulary_fit.ts";
import { normals } from "../../data/random.ts";
import { type ModelConfig, modelConfig } from "../../gpu/models/config.ts";
import { LanguageModel } from "../../gpu/language_model.ts";
import type { Runtime } from "../../gpu/session.ts";
import type { Bits } from "../../gpu/weights/quantized.ts";
import { type Adapting, loadedAdapter, requireFit, requireItsBase } from "./adapter.ts";
import { chatOf, type ChatSettings, filesWith, optionsOf, templateOf } from "./chat.ts";
import { folderSource, type ModelSource, readTensors } from "./model_source.ts";
import { Policy } from "./policy.ts";
import {
  KEPT_PATCHES,
  type PixelBounds,
  PROCESSOR_FILE,
  processorOf,
  PromptImages,
  readProcessor,
} from "./prompt_images.ts";
import { keptBytes } from "../../gpu/models/vision/kept_rows.ts";
import { type ImageProcessor, processorJson } from "../../data/images/processor_config.ts";
import { ImageStore } from "../../data/images/image_store.ts";

interface Draws {
  /** Draws the weights of a model that has none. */
  readonly seed: number;
  readonly deterministic: boolean;
}

/** What becomes of a source; as a model outside of a run has it where nothing is said. */
interface Making extends Partial<Draws> {
  readonly chat: ChatSettings;
  readonly head?: ModelConfig["head"];
  readonly adapted?: Adapting;
  /** Of the matrices, which then cannot train. */
  readonly bits?: Bits | null;
  /** The folder in which the images of prompts lie. */
  readonly images: string;
  readonly pixels?: PixelBounds;
}

/** How texts with their images are read beside a policy, as it reads them. */
type Reading = Pick<Making, "deterministic" | "images">;

/** Builds the policy; weights come from the folder, or are drawn by the seed, and are rounded to so many bits. */
export function makePolicy(
  runtime: Runtime,
  source: ModelSource,
  {
    seed = 0,
    deterministic = false,
    chat,
    head = "lm",
    adapted = (model) => model,
    bits = null,
    images,
    pixels = {},
  }: Making,
): Policy {
  const { config, tokenizer, generation, folder, adapter = null } = source;
  const model = LanguageModel.create(runtime, modelConfig(config), bits);
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
  if (folder) model.weights.fromHuggingFace(readTensors(folder, adapter, source.say));
  else {
    let row = 0;
    model.weights.initialize((count) => normals(seed, "initial_weights", count, 0, row++));
  }
  if (chat.always && templateOf(tokenizer, chat) === null) {
    throw new RangeError(
      "Cannot use a chat template: the tokenizer has none; set chat_template: false, or of load_model to a file that holds one",
    );
  }
  const { format, conversation, turns } = chatOf(tokenizer, chat);
  const processor = processorOf(model.config, source.processor ?? null, pixels),
    files = filesWith(tokenizer.files, chat);
  return new Policy(
    adapted(model),
    tokenizer,
    generation,
    processor === null
      ? files
      : new Map([...files, [PROCESSOR_FILE, `${JSON.stringify(processorJson(processor), null, 1)}\n`]]),
    format,
    deterministic ? 2 : 1,
    conversation,
    turns,
    processor === null ? null : cutting(runtime, images, processor),
  );
}

/** What cuts images, with its share of a memory budget. */
function cutting({ budget }: Runtime, folder: string, processor: ImageProcessor): PromptImages {
  const most = keptBytes(budget?.bytes ?? null, KEPT_PATCHES);
  const images = new PromptImages(new ImageStore(folder), processor, most);
  budget?.hold(images, () => most);
  return images;
}

function headProblem(folder: string | null, want: ModelConfig["head"]): string {
  return want === "lm"
    ? `Cannot load the model: ${folder} has a scalar head (a critic or reward model), want a language model; load it by ` +
      "load_reward_model or as model of load_critic"
    : `Cannot load the reward model: ${folder} has a language head, want a model for sequence classification with 1 ` +
      "label; train one by train_reward_model and write it by export_model";
}

/** A reward model of a folder with what reads texts for it; its model shares the runtime. */
export function scorerFromFolder(reading: Reading, runtime: Runtime, folder: string, chat: boolean): Policy {
  return makePolicy(runtime, folderSource(folder), { ...reading, chat: { always: chat }, head: "scalar" });
}

/** What lies beneath an adapter of a reward model, with what reads texts for it; its model shares the runtime. */
export function adapterBaseFromFolder(reading: Reading, runtime: Runtime, folder: string, chat: boolean): Policy {
  const source = folderSource(folder), { head } = modelConfig(source.config);
  return makePolicy(runtime, source, { ...reading, chat: { always: chat }, head });
}

/**
 * Refuses a chat template that cannot be used where plain texts go through it too; returns what is to be told of another:
 * that it does not render, or that it drops the system's message. Null for a sound one.
 */
export function requireTemplate(tokenizer: HubTokenizer, chat: ChatSettings): string | null {
  const template = templateOf(tokenizer, chat);
  const problem = template === null ? null : chatTemplateProblem(template, optionsOf(tokenizer, chat));
  if (problem === null) return null;
  if (chat.always && !problem.system) throw new SyntaxError(problem.text);
  return problem.text;
}

/** The same with the adapter of a folder of PEFT upon it, which stays apart; images are cut as the adapter's folder says. */
export function adaptedFromFolder(
  runtime: Runtime,
  folder: string,
  adapter: string,
  reading: Pick<Making, "images" | "chat">,
): Policy {
  requireFit(adapter, modelConfig(readModelConfig(folder)));
  requireItsBase(adapter, folder, { emit: () => {} });
  const adapted: Adapting = (model) => loadedAdapter(model, adapter, 0);
  const source = folderSource(folder), processor = readProcessor(adapter) ?? source.processor;
  const policy = makePolicy(runtime, { ...source, processor }, { ...reading, adapted });
  policy.folder = folder;
  return policy;
}

/** Loads a policy from a Hugging Face folder, outside of a run. */
export function policyFromFolder(
  runtime: Runtime,
  folder: string,
  reading: Pick<Making, "images" | "chat">,
): Policy {
  const policy = makePolicy(runtime, folderSource(folder), reading);
  policy.folder = folder;
  return policy;
}
