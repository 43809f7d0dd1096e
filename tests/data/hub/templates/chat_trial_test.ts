import assert from "node:assert/strict";
import { chatTemplateProblem } from "../../../../data/hub/templates/chat_trial.ts";

Deno.test("chatTemplateProblem() is null for a template that renders a user's message", () => {
  const template = "{{ bos_token }}{% for m in messages %}{{ m.content }}{% endfor %}";
  assert.equal(chatTemplateProblem(template, { variables: { bos_token: "<s>" } }), null);
});

Deno.test("chatTemplateProblem() says why a template does not render", () => {
  const problem = chatTemplateProblem("{{ messages | no_filter }}", { file: "m/chat_template.jinja" });
  assert.match(problem!.text, /^Cannot render the chat template \(m\/chat_template\.jinja:1\): .*no_filter/);
  assert.equal(problem!.system, false);
});

Deno.test("chatTemplateProblem() names a template that says nothing of the user's message: an empty file, a text", () => {
  for (const template of ["", " \n", "hi", "{{ messages[0].role }}"]) {
    assert.deepEqual(chatTemplateProblem(template, { file: "a.jinja" }), {
      text: "The chat template (a.jinja) drops the user's message; take the one that the model came with",
      system: false,
    });
  }
});

Deno.test("chatTemplateProblem() finds out whether the system's message is dropped or refused", () => {
  const drops = "{% for m in messages if m.role != 'system' %}{{ m.content }}{% endfor %}";
  assert.deepEqual(chatTemplateProblem(drops, {}), {
    text: "The chat template drops the system message; put what it says into the user's",
    system: true,
  });
  const refuses =
    "{% if messages[0].role == 'system' %}{{ raise_exception('no system role') }}{% endif %}{{ messages[0].content }}";
  assert.equal(
    chatTemplateProblem(refuses, { file: "a.jinja" })!.text,
    "The chat template (a.jinja) takes no system message (no system role); put what it says into the user's",
  );
});
