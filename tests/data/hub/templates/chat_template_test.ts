/** Agreement with transformers' apply_chat_template. @module */
import assert from "node:assert/strict";
import { messagesIn } from "../../../../data/datasets/messages.ts";
import { promptWithImages } from "../../../../data/datasets/prompt_images.ts";
import { maskedIds } from "../../../../data/hub/templates/assistant_mask.ts";
import {
  type ChatMessage,
  marksGeneration,
  renderChat,
  renderWithSpans,
} from "../../../../data/hub/templates/chat_template.ts";
import { loadTokenizer, makeTokenizer } from "../../../../data/hub/tokenizer.ts";

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

Deno.test("renderChat() names a broken template with its file and line", () => {
  const says = (template: string, file?: string) => {
    try {
      return renderChat(template, [{ role: "user", content: "x" }], { file });
    } catch (error) {
      return (error as Error).message;
    }
  };
  const late = "{{ messages[0].content }}\n{% if true %}\n{{ raise_exception('no') }}{% endif %}";
  assert.equal(says(late), "Cannot render the chat template (line 3): no");
  assert.equal(says(late, "m/chat_template.jinja"), "Cannot render the chat template (m/chat_template.jinja:3): no");
  assert.equal(
    says(late, "m/tokenizer_config.json"),
    "Cannot render the chat template (m/tokenizer_config.json, line 3 of chat_template): no",
  );
  assert.match(says("{% for x in %}"), /^Cannot render the chat template \(line 1\): /);
  assert.match(says("{{ 'open }}", "m/x.jinja"), /^Cannot render the chat template \(m\/x\.jinja\): /);
});

Deno.test("renderChat() ends a template that only loops in a longer conversation", () => {
  const template = "{% if messages | length > 3 %}{% for i in range(99999) %}{% if range(99999) %}{{ i }}" +
    "{% endif %}{% endfor %}{% endif %}{{ messages[0].content }}";
  const chat = (length: number) => Array.from({ length }, () => ({ role: "user", content: "x" }));
  assert.equal(renderChat(template, chat(3)), "x");
  assert.throws(
    () => renderChat(template, chat(4)),
    /\(line 1\): it takes more than 10,000,000 steps; look for a loop/,
  );
});

Deno.test("renderChat() has jinja2's longest range", () => {
  assert.equal(renderChat("{{ range(100000) | length }}", []), "100000");
  assert.throws(() => renderChat("{{ range(100001) | length }}", []), /range\(\) is longer than 100000/);
  assert.throws(() => renderChat("{{ range(1.5) | length }}", []), /what is no whole number/);
});

/** A case of templates in the manner of each family. */
interface FamilyCase {
  readonly template: string;
  readonly conversation: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly text?: string;
  readonly error?: string;
  readonly ids?: number[];
  readonly mask?: number[];
}

const { templates, conversations, cases } = JSON.parse(Deno.readTextFileSync("tests/goldens/chat_templates.json")) as {
  readonly templates: Readonly<Record<string, string>>;
  readonly conversations: Readonly<Record<string, ChatMessage[]>>;
  readonly cases: readonly FamilyCase[];
};
const SPECIAL = { bos_token: "<|endoftext|>", eos_token: "<|im_end|>" };
const TOKENIZER = makeTokenizer(
  new Map([
    ["tokenizer.json", Deno.readTextFileSync("tests/models/tokenizers/qwen2.json")],
    ["tokenizer_config.json", JSON.stringify(SPECIAL)],
  ]),
  "x",
);

function optionsOf({ options: { add_generation_prompt, continue_final_message, tools, ...variables } }: FamilyCase) {
  return {
    addGenerationPrompt: add_generation_prompt === true,
    continueFinalMessage: continue_final_message === true,
    tools: (tools ?? null) as Record<string, unknown>[] | null,
    variables: { ...SPECIAL, ...variables },
  };
}

for (const [name, template] of Object.entries(templates)) {
  Deno.test(`renderChat() writes what transformers writes by the template ${name}`, () => {
    const own = cases.filter((one) => one.template === name);
    assert(own.length > 8, String(own.length));
    for (const one of own) {
      const label = `${one.conversation} ${JSON.stringify(one.options)}`, messages = conversations[one.conversation]!;
      if (one.error !== undefined) {
        assert.throws(() => renderChat(template, messages, optionsOf(one)), /Cannot render the chat template/, label);
        continue;
      }
      // Llama 3's says the year of today where no date is given.
      const want = name === "llama3"
        ? one.text!.replace(/Today: \d{4}\n/, `Today: ${new Date().getFullYear()}\n`)
        : one.text!;
      assert.equal(renderChat(template, messages, optionsOf(one)), want, label);
      if (one.ids === undefined) continue;
      const { text, spans } = renderWithSpans(template, messages, optionsOf(one));
      assert.equal(text, one.text, label);
      const { ids, mask } = maskedIds(text, spans, (some) => TOKENIZER.encode(some));
      assert.deepEqual([...ids], one.ids, label);
      assert.deepEqual(mask, one.mask, label);
    }
    assert.equal(marksGeneration(template), own.some(({ mask }) => mask?.includes(1)));
  });
}

Deno.test("renderChat() goes on with the last message, and refuses what it cannot go on with", () => {
  const template = "{% for m in messages %}<{{ m.role }}>{{ m.content | trim }}<end>{% endfor %}",
    chat = [{ role: "assistant", content: "so far " }];
  assert.equal(renderChat(template, chat, { continueFinalMessage: true }), "<assistant>so far");
  const go = (text: string, messages: ChatMessage[], more = {}) => () =>
    renderChat(text, messages, { continueFinalMessage: true, ...more });
  assert.throws(go(template, []), /there is no last message with a text to go on with/);
  assert.throws(go("{{ messages[0].role }}", chat), /it reads no content/);
  assert.throws(go("{{ messages[0].role }}{# content #}", chat), /does not appear as it is/);
  assert.throws(go(template, chat, { addGenerationPrompt: true }), /exclude each other/);
});

Deno.test("renderChat() puts Qwen2-VL's markers where a kept prompt shows its images", () => {
  const template = Deno.readTextFileSync(
    new URL("../../../goldens/images/qwen2_vl_template.jinja", import.meta.url),
  );
  const id = `${"0".repeat(32)}-4x4.png`, image = "<|vision_start|><|image_pad|><|vision_end|>";
  const text = renderChat(template, messagesIn(promptWithImages("Which?", [id, id]))!, { addGenerationPrompt: true });
  assert.equal(
    text,
    "<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n" +
      `<|im_start|>user\n${image}${image}Which?<|im_end|>\n<|im_start|>assistant\n`,
  );
});
