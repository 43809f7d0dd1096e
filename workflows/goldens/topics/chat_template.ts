/** Conversations as transformers renders them against `renderChat`. @module */
import { join } from "node:path";
import { type ChatMessage, renderChat } from "../../../data/hub/templates/chat_template.ts";
import { isFile, orElse } from "../../../data/file_system.ts";
import { loadTokenizer } from "../../../data/hub/tokenizer.ts";
import type { TorchTopic } from "../topic.ts";

interface Case {
  readonly template: string;
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly add_generation_prompt: boolean;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly ids: readonly number[];
}

const EXACT = { relative: 0, absolute: 0 };

/** All models of these goldens share the tokenizer in this folder; a copy without theirs has this one. */
const SHARED = "models/tokenizer";

export const chatTemplate: TorchTopic = {
  about: "transformers' apply_chat_template: messages to text and ids (data/hub/templates/chat_template.ts)",
  takes: (file) => file === "chat_template",
  cases({ document, model }) {
    const { templates, cases } = document as unknown as {
      readonly templates: Readonly<Record<string, string>>;
      readonly cases: readonly Case[];
    };
    const tokenizers = new Map<string, ReturnType<typeof loadTokenizer>>();
    const tokenizer = (named: string) => {
      const own = orElse(() => model(named), null);
      const folder = own !== null && isFile(join(own, "tokenizer.json")) ? own : model(SHARED);
      if (!tokenizers.has(folder)) tokenizers.set(folder, loadTokenizer(folder));
      return tokenizers.get(folder)!;
    };
    return cases.map(({ template, model: named, messages, add_generation_prompt, variables, text, ids }, i) => ({
      name: `${template}/${i}`,
      checks: () => {
        const rendered = renderChat(templates[template]!, messages, {
          addGenerationPrompt: add_generation_prompt,
          variables,
        });
        return [
          { name: "text", want: text, got: rendered, tolerance: EXACT },
          { name: "ids", want: ids, got: tokenizer(named).encode(rendered), tolerance: EXACT },
        ];
      },
    }));
  },
};
