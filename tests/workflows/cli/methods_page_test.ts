import assert from "node:assert/strict";
import { STEPS } from "../../../steps/mod.ts";
import { METHOD_SECTIONS, methodsPage, notesOf } from "../../../workflows/cli/methods_page.ts";

Deno.test("methodsPage() has every method with formula, source, the option here and names elsewhere", () => {
  const page = methodsPage();
  for (const { title, entries } of METHOD_SECTIONS) {
    assert(page.includes(`## ${title}\n`) === Object.values(entries).some(notesOf), title);
    for (const [name, entry] of Object.entries(entries)) {
      const notes = notesOf(entry);
      if (notes) {
        assert(page.includes(`### \`${name}\`\n\n* Formula: ${notes.formula}\n* Source: ${notes.source}\n`), name);
      }
    }
  }
  assert.match(page, /\* Here: `estimator: grpo` of `compute_advantages` \(default\); reads `scale`/);
  assert.match(page, /\* verl: /);
  assert.doesNotMatch(page, /\bundefined\b/);
});

Deno.test("methodsPage() names options that the step has, with their defaults", () => {
  for (const { title, step, option, entries, reads } of METHOD_SECTIONS) {
    const known = Object.keys(STEPS[step as keyof typeof STEPS].params.shape);
    const named = Object.entries(entries).flatMap(([name, entry]) => reads?.(entry as object, name) ?? []);
    for (const one of [...(option === null ? [] : [option]), ...named]) assert(known.includes(one), `${title}: ${one}`);
  }
  const page = methodsPage();
  assert.match(page, /`loss: kto` of `train_preferences`; reads `beta` 0\.1, `desirable_weight` 1/);
  assert.match(page, /`f_divergence: reverse_kl` of `train_preferences` \(default\)/);
  assert.match(page, /`dpo_loss: robust` [^\n]*`label_smoothing` 0/);
  assert.doesNotMatch(page, /`,,/);
});

Deno.test("every entry of a table of methods has notes with a formula and a source", () => {
  const without = METHOD_SECTIONS.flatMap(({ title, entries }) =>
    Object.entries(entries).flatMap(([name, entry]) => {
      const notes = notesOf(entry);
      return notes && notes.formula.length > 3 && notes.source.length > 3 ? [] : [`${title}: ${name}`];
    })
  );
  assert.deepEqual(without, []);
});

Deno.test("notesOf() finds notes in an entry or as one, and none where there are none", () => {
  const notes = { formula: "a + b", source: "a book", names: {} };
  assert.equal(notesOf({ method: notes }), notes);
  assert.equal(notesOf(notes), notes);
  for (const nothing of [null, 3, () => 1, {}, { method: 3 }]) assert.equal(notesOf(nothing), null);
});
