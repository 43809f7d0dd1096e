/** The rule on the chat template: what it must speak of, and the look-alikes at which it is silent. */
import { testRules } from "./rule_cases.ts";

testRules(["chat_template"], [
  {
    rule: "chat_template",
    what: "a list of messages without a chat template",
    severity: "error",
    refuses: true,
    fires: { prompts: { file: "messages.jsonl", answer_column: "sum" } },
    says: /^prompt "\d+\+1=" cannot be read: it is a list of messages and the tokenizer has no chat template/,
    silent: { prompts: { file: "sums.jsonl", answer_column: "sum" } },
  },
  {
    rule: "chat_template",
    what: "a chat template that is not there",
    severity: "error",
    refuses: true,
    fires: { model: { chat_template: true } },
    says: /the tokenizer has none/,
    silent: {},
  },
  {
    rule: "chat_template",
    what: "a file of a template that is not there",
    severity: "error",
    refuses: true,
    fires: { prompts: { file: "messages.jsonl", answer_column: "sum" }, model: { chat_template: "none.jinja" } },
    says: /there is no file .*none\.jinja, want true, false or a file/,
    at: "none.jinja",
    silent: {
      prompts: { file: "messages.jsonl", answer_column: "sum" },
      model: { chat_template: "dropping/chat_template.jinja" },
    },
  },
  {
    rule: "chat_template",
    what: "a file of a template that throws",
    severity: "error",
    refuses: true,
    fires: { model: { chat_template: "throwing/chat_template.jinja" } },
    says: /^Cannot render the chat template \(.*throwing\/chat_template\.jinja:2\): never$/,
    at: "throwing/chat",
    silent: { model: { chat_template: "dropping/chat_template.jinja" } },
  },
  {
    rule: "chat_template",
    what: "one that throws, where lists of messages go through it",
    severity: "error",
    refuses: true,
    fires: { prompts: { file: "messages.jsonl", answer_column: "sum" }, model: { model: "throwing" } },
    says: /^Cannot render the chat template \(.*throwing\/chat_template\.jinja:2\): never$/,
    at: "throwing",
    silent: { prompts: { file: "messages.jsonl", answer_column: "sum" }, model: { model: "dropping" } },
  },
  {
    rule: "chat_template",
    what: "one that throws, where nothing goes through it",
    severity: "warning",
    fires: { model: { model: "throwing" } },
    says: /throwing\/chat_template\.jinja:2\): never; prompts that are plain texts do without it$/,
    silent: { model: { model: "cold" } },
  },
  {
    rule: "chat_template",
    what: "one that drops the system's messages, which the data have",
    severity: "error",
    refuses: true,
    fires: { prompts: { file: "system.jsonl", answer_column: "sum" }, model: { model: "dropping" } },
    says:
      /^prompt "\d+\+1=" cannot be read: the chat template drops its system message "Add\."; put that into the user's message/,
    silent: { prompts: { file: "messages.jsonl", answer_column: "sum" }, model: { model: "dropping" } },
  },
  {
    rule: "chat_template",
    what: "one that loops in a long conversation only",
    severity: "error",
    refuses: true,
    fires: { prompts: { file: "turns.jsonl", answer_column: "sum" }, model: { model: "looping" } },
    says:
      /^prompt "\d+\+1=" cannot be rendered by the chat template \(.*looping\/chat_template\.jinja:1\): it takes more than 10,000,000 steps; look for a loop/,
    silent: { prompts: { file: "messages.jsonl", answer_column: "sum" }, model: { model: "looping" } },
  },
]);
