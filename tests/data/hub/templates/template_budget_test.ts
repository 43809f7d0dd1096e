import assert from "node:assert/strict";
import { valueOf } from "../../../../data/hub/templates/python_values.ts";
import { TemplateBudget } from "../../../../data/hub/templates/template_budget.ts";
import { renderChat } from "../../../../data/hub/templates/chat_template.ts";

Deno.test("TemplateBudget counts steps, the length of what is made, and all of what is walked through", () => {
  const taken = (spend: (budget: TemplateBudget) => void) => {
    for (let most = 0;; most++) {
      try {
        spend(new TemplateBudget(most));
        return most;
      } catch (error) {
        assert.match(String(error), /^RangeError: it takes more than [\d,]+ steps; look for a loop/);
      }
    }
  };
  assert.equal(taken((budget) => budget.spend(3)), 3);
  assert.equal(taken((budget) => budget.made(valueOf("x".repeat(64)))), 4);
  assert.equal(taken((budget) => budget.made(valueOf(["x".repeat(64), 1]))), 2);
  assert.equal(taken((budget) => budget.made(valueOf({ a: 1, b: 2, c: 3 }))), 3);
  // Each value, what it holds, and a text by its length: 1 + 2, 1 + 1, 1, 1 + 4.
  assert.equal(taken((budget) => budget.walked(valueOf([[1], "x".repeat(64)]))), 11);
});

/** Each of them would run for hours, or fill the memory. */
const GREEDY: Readonly<Record<string, string>> = {
  "a text that doubles": "{% for i in range(99) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}",
  "a list that doubles": "{% set ns.x = [1] %}{% for i in range(99) %}{% set ns.x = ns.x + ns.x %}{% endfor %}",
  "a list that holds another twice, written":
    "{% for i in range(99) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x }}",
  "the same as JSON": "{% for i in range(99) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x | tojson }}",
  "the same compared": "{% for i in range(99) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x == ns.x }}",
  "the same joined": "{% for i in range(99) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x | join }}",
  "what holds itself": "{% set ns.x = ns %}{{ ns }}",
};

for (const [what, template] of Object.entries(GREEDY)) {
  Deno.test(`a template is ended at ${what}`, () => {
    const begun = "{% set ns = namespace(x='ab') %}";
    assert.throws(() => renderChat(begun + template, []), /\(line 1\): it takes more than 10,000,000 steps/);
  });
}

Deno.test("a template is not ended in a conversation of 2,000 messages, nor at a long one", () => {
  const template = "{% for m in messages %}{% if loop.first or messages[loop.index0 - 1].role != m.role %}" +
    "<{{ m.role }}>{{ m.content | trim }}{% endif %}{% endfor %}{{ messages | length }}";
  const chat = Array.from(
    { length: 2000 },
    (_, i) => ({ role: i % 2 ? "assistant" : "user", content: "word ".repeat(100) }),
  );
  assert.match(renderChat(template, chat), /2000$/);
  assert.match(renderChat(template, [{ role: "user", content: "word ".repeat(200_000) }]), /word1$/);
});
