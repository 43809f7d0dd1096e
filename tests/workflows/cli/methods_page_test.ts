import assert from "node:assert/strict";
import { METHOD_SECTIONS } from "../../../workflows/cli/method_sections.ts";
import { methodsPage, notesOf } from "../../../workflows/cli/methods_page.ts";

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

/** What the page says of one method. */
const section = (name: string, title?: string) => {
  const page = methodsPage(), from = title === undefined ? 0 : page.indexOf(`\n## ${title}\n`);
  const start = page.indexOf(`\n### \`${name}\`\n`, from);
  assert(from >= 0 && start >= 0, `${title}: ${name}`);
  return page.slice(start, page.indexOf("\n#", start + 1));
};

Deno.test("methodsPage() names options with their defaults", () => {
  const page = methodsPage();
  assert.match(page, /`loss: kto` of `train_preferences`; reads `beta` 0\.1, `desirable_weight` 1/);
  assert.match(page, /`f_divergence: reverse_kl` of `train_preferences` \(default\)/);
  assert.match(page, /`dpo_loss: robust` [^\n]*`label_smoothing` 0/);
  assert.match(section("discopop"), /`discopop_tau` 0\.05/);
  assert.doesNotMatch(section("sigmoid"), /discopop_tau/);
  assert.match(section("alpha_divergence"), /; reads `f_divergence_alpha` 0\.5/);
  assert.doesNotMatch(section("reverse_kl"), /f_divergence_alpha/);
  assert.match(section("value"), /`updates_per_rollout` 1, `minibatches` 1/);
  assert.doesNotMatch(page, /`,,/);
});

Deno.test("methodsPage() names every step that has a method", () => {
  assert.match(section("k1"), /`kl_estimator: k1` of `compute_advantages` \(default\); reads `kl_coef` 0/);
  assert.match(section("k3"), /of `apply_update` \(default\); [^]*`kl_estimator: k3` of `compute_advantages`; reads/);
  assert.doesNotMatch(section("k3+"), /compute_advantages/);
  assert.match(
    section("kl_target"),
    /step `apply_update`[^]*step `compute_advantages`; reads `kl_target`, `kl_horizon` 10000/,
  );
  assert.doesNotMatch(section("entropy_target"), /compute_advantages/);
  assert.match(
    section("token_mean"),
    /of `apply_update` \(default\)[^]*`aggregation: token_mean` of `update_critic` \(default\)/,
  );
  assert.match(section("cross_entropy"), /Formula: -lp[^]*step `fine_tune`; reads `loss_on` completion/);
});

Deno.test("methodsPage() has every reward: of another system's the source, of ours what it is", () => {
  assert.match(
    section("verifier", "Rewards"),
    /own verifier[^]*`uses: verifier` in `rewards` of `score_rewards`; reads `right` 1/,
  );
  assert.doesNotMatch(section("verifier", "Rewards"), /Formula|In none of/);
  assert.match(
    section("visual/iou"),
    /Formula: sum of the IoUs [^]*Source: Visual-RFT [^]*\* Visual-RFT: accuracy_reward_iou/,
  );
});

Deno.test("every entry of a table of methods has notes with a formula and a source", () => {
  const without = METHOD_SECTIONS.flatMap(({ title, entries }) =>
    Object.entries(entries).flatMap(([name, entry]) => {
      const notes = notesOf(entry);
      if (!notes && title === "Rewards" && (entry as { about?: string }).about) return []; // of our own
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
