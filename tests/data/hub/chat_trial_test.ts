import assert from "node:assert/strict";
import { chatTemplateProblem } from "../../../data/hub/chat_trial.ts";

Deno.test("chatTemplateProblem() is null for a template that renders a user's message", async () => {
  const template = "{{ bos_token }}{% for m in messages %}{{ m.content }}{% endfor %}";
  assert.equal(await chatTemplateProblem(template, { variables: { bos_token: "<s>" } }), null);
});

Deno.test("chatTemplateProblem() ends a template that loops", async () => {
  const template = "{% for i in range(10000) %}{% for j in range(10000) %}{% endfor %}{% endfor %}";
  const problem = await chatTemplateProblem(template, {}, 400);
  assert.match(problem!.text, /a short conversation takes more than 0.4 s; look for a loop/);
  assert.equal(problem!.endless, true);
});

Deno.test("chatTemplateProblem() says why a template does not render", async () => {
  const problem = await chatTemplateProblem("{{ messages | no_filter }}", {});
  assert.deepEqual([/no_filter/.test(problem!.text), problem!.endless], [true, false]);
});

Deno.test("chatTemplateProblem() ends a template that fills the memory", async () => {
  const problem = await chatTemplateProblem("{% for i in range(100000000000) %}{% endfor %}", {}, 60_000);
  assert.match(problem!.text, /takes more than 256 MB of memory; look for a loop/);
  assert.equal(problem!.endless, true);
});

Deno.test("chatTemplateProblem() finds out whether the system's message is dropped or refused", async () => {
  const drops = "{% for m in messages if m.role != 'system' %}{{ m.content }}{% endfor %}";
  assert.deepEqual(await chatTemplateProblem(drops, {}), {
    text: "The chat template drops the system message; put what it says into the user's",
    endless: false,
    system: true,
  });
  const refuses =
    "{% if messages[0].role == 'system' %}{{ raise_exception('no system role') }}{% endif %}{{ messages[0].content }}";
  assert.match(
    (await chatTemplateProblem(refuses, {}))!.text,
    /takes no system message \(no system role\); put what it says/,
  );
});
