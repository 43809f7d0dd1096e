import assert from "node:assert/strict";
import { chatVariables, thinking, toolSchemas } from "../../../workflows/translate/chat_variables.ts";
import { told } from "./translated.ts";

Deno.test("variables of the chat template become chat_template_kwargs, also as JSON and by their own names", () => {
  const wanted = { enable_thinking: false };
  const of = (...given: Parameters<typeof told>) => told(...given).settings["load_model.chat_template_kwargs"];
  assert.deepEqual(of("trl", "grpo", { chat_template_kwargs: wanted }), wanted);
  assert.deepEqual(of("trl", "grpo", { chat_template_kwargs: '{"enable_thinking": false}' }), wanted);
  assert.deepEqual(of("verl", "ppo", { "data.apply_chat_template_kwargs": wanted }), wanted);
  assert.deepEqual(of("verl", "ppo", { "data.apply_chat_template_kwargs.enable_thinking": false }), wanted);
  assert.deepEqual(of("llamafactory", "sft", { enable_thinking: false }), wanted);
  assert.deepEqual(of("ms-swift", "grpo", { enable_thinking: false }), wanted);
  assert("lacks" in chatVariables().make({ a: { unresolved: "f()" } }, null as never));
  assert("lacks" in chatVariables().make("{no", null as never));
  assert("equal" in thinking().make(null, null as never));
});

Deno.test("tools are their JSON schemas; functions of a script are told", () => {
  const schema = { type: "function", function: { name: "add" } };
  assert.deepEqual(told("trl", "grpo", { tools: [schema] }).settings["load_model.tools"], [schema]);
  const { classes, texts } = told("trl", "grpo", { tools: [{ unresolved: "add" }] });
  assert.equal(classes["tools"], "not_supported");
  assert.match(texts["tools"]!, /JSON schemas into tools of load_model/);
  assert("equal" in toolSchemas().make([], null as never));
});
