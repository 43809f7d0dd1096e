/** A rule on the chat template: that it is there, renders, and leaves nothing of the data out. @module */
import { firstLineOf, messageOf } from "../../data/error_text.ts";
import { chatTemplateProblem } from "../../data/hub/templates/chat_trial.ts";
import { messagesIn } from "../../data/datasets/messages.ts";
import { textOfPrompt } from "../../data/datasets/prompt_images.ts";
import { chatOf, type ChatSettings, chatSettingsOf, optionsOf, templateOf } from "../../steps/resources/chat.ts";
import type { PlannedStep } from "../plan/plan.ts";
import type { Facts } from "./facts.ts";
import { at, type Report } from "./finding.ts";
import type { ModelFacts } from "./model_facts.ts";

const SHOWN = 40; // Characters of a prompt that name it.
const TRIED = 100; // Prompts of each kind that are rendered.

/** The template is there when asked for, can be rendered, and takes every message of the prompts. */
export function chatTemplate({ model, prompts, preferences, plan }: Facts): Report[] {
  if (model?.tokenizer == null) return [];
  const { loaded: { step, params }, tokenizer } = model;
  const settings = settingsOrProblem(params, plan.folder);
  if (typeof settings === "string") {
    return [{ severity: "error", refuses: true, message: settings, path: at(step, "chat_template") }];
  }
  const template = templateOf(tokenizer, settings);
  if (settings.always && template === null) {
    const message = "chat_template is true and the tokenizer has none; set it to false, or to a file that holds one";
    return [{ severity: "error", refuses: true, message, path: at(step, "chat_template") }];
  }
  const sources: (readonly [PlannedStep, string, readonly string[]])[] = [
    ...(prompts === null
      ? []
      : [[prompts.loaded.step, "prompt_column", prompts.rows.map(({ prompt }) => prompt)] as const]),
    ...preferences.map(({ loaded, prompts }) => [loaded.step, "file", prompts] as const),
  ];
  const isUsed = settings.always || sources.some(([, , texts]) => texts.some((text) => messagesIn(text) !== null));
  const problem = template === null ? null : chatTemplateProblem(template, optionsOf(tokenizer, settings));
  if (problem !== null && !problem.system) {
    const path = at(step, settings.always ? "chat_template" : "model");
    return isUsed
      ? [{ severity: "error", refuses: true, message: problem.text, path }]
      : [{ severity: "warning", message: `${problem.text}; prompts that are plain texts do without it`, path }];
  }
  const { format } = chatOf(tokenizer, settings);
  return sources.flatMap(([loading, option, texts]): Report[] => {
    const message = firstProblem(texts, format);
    return message === null ? [] : [{ severity: "error", refuses: true, message, path: at(loading, option) }];
  });
}

function settingsOrProblem(params: ModelFacts["loaded"]["params"], workflow: string): ChatSettings | string {
  try {
    return chatSettingsOf(params, workflow);
  } catch (error) {
    return firstLineOf(error);
  }
}

/** What is wrong with the first prompt that cannot be rendered: the system's and the longest tell most. */
function firstProblem(texts: readonly string[], format: (prompt: string) => string): string | null {
  const longest = [...texts].sort((a, b) => b.length - a.length).slice(0, TRIED);
  const system = texts.filter((text) => messagesIn(text)?.some(({ role }) => role === "system")).slice(0, TRIED);
  for (const text of new Set([...system, ...longest])) {
    try {
      format(text);
    } catch (error) {
      const content = messagesIn(text)?.findLast(({ role }) => role === "user")?.content ?? text;
      // Of parts, images among them, what they say.
      const said = typeof content === "string" ? content : textOfPrompt(text);
      const prompt = `prompt ${JSON.stringify(said.slice(0, SHOWN))} cannot be`;
      return messageOf(error).replace(/^Cannot read a prompt:/, `${prompt} read:`)
        .replace(/^Cannot render the/, `${prompt} rendered by the`);
    }
  }
  return null;
}
