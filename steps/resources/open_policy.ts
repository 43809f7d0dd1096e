/** Makes a policy of what a model comes from: weights, tokenizer, chat template. @module */
import { chatTemplateProblem } from "../../data/hub/chat_trial.ts";
import { type ChatMessage, renderChat } from "../../data/hub/chat_template.ts";
import type { HubTokenizer } from "../../data/hub/tokenizer.ts";
import { vocabularyProblem } from "../../data/hub/vocabulary_fit.ts";
import { normals } from "../../data/random.ts";
import { messagesIn } from "../../data/tasks/rows/messages.ts";
import { type ModelConfig, modelConfig } from "../../gpu/models/config.ts";
import { LanguageModel } from "../../gpu/language_model.ts";
import type { Runtime } from "../../gpu/session.ts";
import type { Bits } from "../../gpu/weights/quantized.ts";
import type { Adapting } from "./adapter.ts";
import { folderSource, type ModelSource, readTensors } from "./model_source.ts";
import { Policy } from "./policy.ts";

/** Said of prompts that are lists of messages. */
export const NO_TEMPLATE =
  "it is a list of messages and the tokenizer has no chat template; give texts as prompts, or a " +
  "model that has a chat template";

interface Draws {
  /** Draws the weights of a model that has none. */
  readonly seed: number;
  readonly deterministic: boolean;
}

/** Builds the policy; weights come from the folder, or are drawn by the seed, and are rounded to so many bits. */
export function makePolicy(
  runtime: Runtime,
  source: ModelSource,
  { seed, deterministic }: Draws,
  chat: boolean,
  head: ModelConfig["head"] = "lm",
  adapted: Adapting = (model) => model,
  bits: Bits | null = null,
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
  { deterministic }: Pick<Draws, "deterministic">,
  runtime: Runtime,
  folder: string,
  chat: boolean,
): Policy {
  return makePolicy(runtime, folderSource(folder), { seed: 0, deterministic }, chat, "scalar");
}

/** What lies beneath an adapter of a reward model, with what reads texts for it; its model shares the runtime. */
export function adapterBaseFromFolder(
  { deterministic }: Pick<Draws, "deterministic">,
  runtime: Runtime,
  folder: string,
  chat: boolean,
): Policy {
  const source = folderSource(folder), { head } = modelConfig(source.config);
  return makePolicy(runtime, source, { seed: 0, deterministic }, chat, head);
}

/** Refuses a chat template that cannot be used, and one that never ends even where only lists of messages would use it. */
export async function requireTemplate({ chatTemplate, specialTokens }: HubTokenizer, chat: boolean): Promise<void> {
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
