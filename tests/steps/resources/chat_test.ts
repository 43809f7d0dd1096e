import assert from "node:assert/strict";
import { join } from "node:path";
import {
  chatOf,
  chatSettingsOf,
  filesWith,
  NO_TEMPLATE,
  optionsOf,
  templateOf,
} from "../../../steps/resources/chat.ts";

const LOOP =
  "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}{% if enable_thinking is false %}<quick>{% endif %}{% if tools %}{{ tools | length }}{% endif %}";
const tokenizer = (chatTemplate: string | null, templates = {}) => ({
  chatTemplate,
  templates,
  specialTokens: { eos_token: "</s>" },
});
const list = JSON.stringify([{ role: "system", content: "Be brief." }, { role: "user", content: "hi" }]);

Deno.test("chatOf() renders lists of messages, texts where asked, with variables and tools", () => {
  const { format, conversation, turns } = chatOf(tokenizer(LOOP), {
    always: false,
    kwargs: { enable_thinking: false },
    tools: [{}],
  });
  assert.equal(format("hi"), "hi");
  assert.equal(format(list), "system: Be brief.\nuser: hi\n<quick>1");
  assert.equal(conversation!([{ role: "user", content: "a" }]), "user: a\n<quick>1");
  const own = turns!([{ role: "assistant", content: "a" }]);
  assert.deepEqual([own.text, own.spans], ["assistant: a\n<quick>1", [[0, own.text.length]]]);
  assert.equal(chatOf(tokenizer(LOOP), { always: true }).format("hi"), "user: hi\n");
  assert.deepEqual(optionsOf(tokenizer(LOOP), { always: true, kwargs: { eos_token: "x" } }).variables, {
    eos_token: "x",
  });
});

Deno.test("chatOf() refuses a list without a template, and a system message that the template drops", () => {
  const { format, conversation } = chatOf(tokenizer(null), { always: false });
  assert.equal(conversation, undefined);
  assert.throws(() => format(list), new RegExp(NO_TEMPLATE));
  const drops = chatOf(tokenizer("{{ messages[-1].content }}"), { always: false });
  assert.throws(() => drops.format(list), /drops its system message "Be brief\."; put that into the user's message/);
});

Deno.test("chatSettingsOf() reads a template from a file, which is used in place of all the tokenizer has, and exported", () => {
  const folder = Deno.makeTempDirSync(), file = join(folder, "own.jinja");
  try {
    Deno.writeTextFileSync(file, "own {{ messages[0].content }}");
    const settings = chatSettingsOf({ chat_template: "own.jinja", tools: [{}] }, folder);
    assert.equal(chatOf(tokenizer("d", { tool_use: "t" }), settings).format("hi"), "own hi");
    assert.equal(chatOf(tokenizer(null), settings).format("hi"), "own hi");
    assert.equal(optionsOf(tokenizer("d"), settings).file, file);
    const files = new Map([["chat_template.jinja", "d"], ["tokenizer.json", "{}"]]);
    assert.deepEqual([...filesWith(files, settings)], [["chat_template.jinja", settings.own!.text], [
      "tokenizer.json",
      "{}",
    ]]);
    assert.equal(filesWith(files, { always: true }), files);
    assert.throws(
      () => chatSettingsOf({ chat_template: "none.jinja" }, folder),
      /there is no file .*none\.jinja, want true, false or/,
    );
    assert.throws(
      () => chatSettingsOf({ chat_template: "." }, folder),
      /: \S+ is a folder, want the file of a template/,
    );
    assert.equal(chatSettingsOf({ chat_template: true }, folder).own, null);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("templateOf() takes tool_use where there are tools", () => {
  const several = tokenizer("d", { default: "d", tool_use: "t" });
  assert.deepEqual([templateOf(several, { always: true }), templateOf(several, { always: true, tools: [{}] })], [
    "d",
    "t",
  ]);
  assert.equal(templateOf(tokenizer("d"), { always: true, tools: [{}] }), "d");
});
