/** Agreement with transformers' apply_chat_template. @module */
import assert from "node:assert/strict";
import { type ChatMessage, renderChat } from "../../../data/hub/chat_template.ts";
import { loadTokenizer } from "../../../data/hub/tokenizer.ts";

interface Golden {
  templates: Record<string, string>;
  cases: {
    template: string;
    messages: ChatMessage[];
    add_generation_prompt: boolean;
    variables: Record<string, unknown>;
    text: string;
    ids: number[];
  }[];
}

Deno.test("renderChat() gives transformers' text and ids on every golden case", () => {
  const { templates, cases } = JSON.parse(Deno.readTextFileSync("tests/goldens/torch/chat_template.json")) as Golden;
  const tokenizer = loadTokenizer("tests/models/tokenizer");
  assert.ok(cases.length > 5);
  for (const { template, messages, add_generation_prompt, variables, text, ids } of cases) {
    const rendered = renderChat(templates[template]!, messages, {
      addGenerationPrompt: add_generation_prompt,
      variables,
    });
    assert.equal(rendered, text);
    assert.deepEqual(tokenizer.encode(rendered), ids);
  }
});

Deno.test("renderChat() names a broken template", () => {
  assert.throws(() => renderChat("{% for x in %}", []), /Cannot render the chat template: /);
});
