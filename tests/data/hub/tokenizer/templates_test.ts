import assert from "node:assert/strict";
import { readTemplates } from "../../../../data/hub/tokenizer/templates.ts";

const files = (given: Readonly<Record<string, string>>) => new Map(Object.entries(given));

Deno.test("readTemplates() takes the file of its own, then the tokenizer's, then the JSON; each with where it stands", () => {
  const jinja = files({ "chat_template.jinja": "a" }), settings = { chat_template: "b" }, json = { chat_template: "c" };
  assert.equal(readTemplates(jinja, settings, json, "m").chatTemplate, "a");
  const [own, other] = [readTemplates(files({}), settings, json, "m"), readTemplates(files({}), {}, json, "m")];
  assert.deepEqual([own.chatTemplate, own.templateFiles.get("b")], ["b", "m/tokenizer_config.json"]);
  assert.deepEqual([other.chatTemplate, other.templateFiles.get("c")], ["c", "m/chat_template.json"]);
  assert.equal(readTemplates(files({}), {}, {}, "m").chatTemplate, null);
});

Deno.test("readTemplates() refuses what is no template, which would be none", () => {
  for (const own of [5, { default: "x" }, [5], [null], [{ name: "default" }]]) {
    assert.throws(() => readTemplates(files({}), { chat_template: own }, {}, "m"), {
      name: "SyntaxError",
      message: /from m: chat_template of tokenizer_config\.json is .*, want a text, or a list of \{ name, template \}/,
    });
  }
  assert.throws(
    () => readTemplates(files({}), {}, { chat_template: 5 }, "m"),
    /chat_template of chat_template\.json is 5/,
  );
  assert.equal(readTemplates(files({}), { chat_template: null }, { chat_template: null }, "m").chatTemplate, null);
});

Deno.test("readTemplates() knows named ones, of a list and of their folder", () => {
  const listed = { chat_template: [{ name: "default", template: "d" }, { name: "rag", template: "r" }] };
  const { chatTemplate, templates, templateFiles } = readTemplates(
    files({ "additional_chat_templates/tool_use.jinja": "t" }),
    listed,
    {},
    "m",
  );
  assert.deepEqual([chatTemplate, templates], ["d", { default: "d", rag: "r", tool_use: "t" }]);
  assert.equal(templateFiles.get("t"), "m/additional_chat_templates/tool_use.jinja");
});
