import assert from "node:assert/strict";
import { assistantSpans, maskedIds } from "../../../../data/hub/templates/assistant_mask.ts";

const CHAT = [{ role: "user", content: "hi" }, { role: "assistant", content: "ho" }, { role: "user", content: "x" }, {
  role: "assistant",
  content: "yy",
}];
const LOOP =
  "{% for m in messages %}<{{ m.role }}>{{ m.content }};{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}";
const parts = (template: string) => {
  const { text, spans } = assistantSpans(template, CHAT);
  return spans.map(([from, to]) => text.slice(from, to));
};

Deno.test("assistantSpans() takes what each message adds, or what the template marks", () => {
  assert.deepEqual(parts(LOOP), ["ho;", "yy;"]);
  const marked = LOOP.replace(
    "{{ m.content }}",
    "{% if m.role == 'assistant' %}{% generation %}{{ m.content }}{% endgeneration %}{% endif %}",
  );
  assert.deepEqual(parts(marked), ["ho", "yy"]);
  assert.throws(
    () => assistantSpans("{{ messages | length }}{% for m in messages %}{{ m.content }}{% endfor %}", CHAT),
    /Cannot tell the assistant's turns/,
  );
});

Deno.test("maskedIds() counts a token that reaches over the end of a span, none for an empty one", () => {
  // Tokens of two letters each.
  const encode = (text: string) =>
    (text.match(/..?/g) ?? []).map((t) => t.charCodeAt(0) * 256 + (t.charCodeAt(1) || 0));
  assert.deepEqual(maskedIds("abcdefgh", [[2, 4]], encode).mask, [0, 1, 0, 0]);
  assert.deepEqual(maskedIds("abcdefgh", [[2, 5]], encode).mask, [0, 1, 1, 0]);
  assert.deepEqual(maskedIds("abcdefgh", [[3, 4], [6, 6], [7, 8]], encode).mask, [0, 1, 0, 1]);
});
