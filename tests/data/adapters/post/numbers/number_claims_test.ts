import assert from "node:assert/strict";
import { isAnyRun, numberClaims } from "../../../../../data/adapters/post/numbers/number_claims.ts";
import type { ToldValue } from "../../../../../data/adapters/post/said.ts";
import type { SubjectName } from "../../../../../data/adapters/post/words/subjects.ts";

const SPAN = { throughout: false };

function said(
  subject: SubjectName,
  relation: ToldValue["relation"],
  values: number[],
  text = "",
  span: { throughout: boolean; atEnd?: true } = SPAN,
) {
  return numberClaims(subject, { values, relation }, span, text).map(({ predicate }) => predicate);
}

Deno.test("one number says something where it is 0, or where no sound run has it", () => {
  assert.deepEqual(said("reward", "is", [0]), ["zero"]);
  assert.deepEqual(said("kl", "is", [-0.4]), ["negative"]);
  assert.deepEqual(said("kl", "is", [0.4]), []);
  assert.deepEqual(said("kl", "is", [80]), ["high"]);
  assert.deepEqual(said("entropy", "is", [0.01]), ["low"]);
  assert.deepEqual(said("clip_fraction", "is", [0.5]), ["high"]);
  assert.deepEqual(said("loss", "is", [0.69]), []);
});

Deno.test("what is 0 at the end has fallen, and what is one number throughout stands still", () => {
  assert.deepEqual(said("reward", "is", [0], "", { throughout: false, atEnd: true }), ["zero", "falls"]);
  assert.deepEqual(said("reward", "is", [0.4], "", { throughout: true }), ["constant"]);
  assert.deepEqual(said("kl", "is", [0.4], "", { throughout: true }), []);
});

Deno.test("a course says where it goes, and what little is left collapses", () => {
  assert.deepEqual(said("reward", "course", [0.8, 0.5]), ["falls"]);
  assert.deepEqual(said("reward", "course", [0.8, 0.1]), ["collapses"]);
  assert.deepEqual(said("reward", "course", [0.6, 0]), ["zero", "collapses"]);
  assert.deepEqual(said("loss", "course", [2, 1]), ["falls"]);
  assert.deepEqual(said("loss", "course", [2, 1.9]), []);
  assert.deepEqual(said("kl", "course", [0.01, 4]), ["rises"]);
  assert.deepEqual(said("kl", "course", [0.001, 0.01]), [], "any run's");
  assert.deepEqual(said("kl", "course", [4, 0.1]), [], "nothing is lost by it");
  assert.deepEqual(said("grad_norm", "course", [1, 60]), ["explodes"]);
  assert.deepEqual(said("accuracy", "course", [0.5, 0.5]), ["constant"]);
});

Deno.test("a rising reward alone does not say that a run is sound, nor does a schedule say anything", () => {
  assert.deepEqual(said("reward", "course", [0.1, 0.6]), []);
  assert.deepEqual(said("learning_rate", "course", [1e-5, 0]), []);
});

Deno.test("a series says something where most of it goes one way", () => {
  assert.deepEqual(said("accuracy", "series", [0.2, 0.3, 0.6]), ["rises"]);
  assert.deepEqual(said("accuracy", "series", [0.2, 0.6, 0.1, 0.5, 0.3]), []);
  assert.deepEqual(said("grad_norm", "series", [0.5, 0.6, 90, 0.5]), ["noisy"]);
  assert.deepEqual(said("reward", "series", [0.8, 0.4, 0], "0.8 / 0.4 / 0"), [], "of completions side by side");
  assert.deepEqual(said("reward", "between", [0.2, 0.6]), []);
  assert.deepEqual(said("grad_norm", "between", [20_000, 90_000]), ["high"]);
  assert.deepEqual(said("kl", "between", [-0.1, 0.1]), []);
});

const BORDERS:
  readonly (readonly [what: string, SubjectName, ToldValue["relation"], readonly number[], ...string[]])[] = [
    ["a rise from 0 is one of its size, not of nothing", "accuracy", "course", [0, 0.02], "rises"],
    ["a rise from below 0", "loss", "course", [-0.2, 0.3], "rises"],
    ["from 0 to below where any run comes", "kl", "course", [0, 0.1]],
    ["a peak among three others", "grad_norm", "series", [1, 20, 1, 1], "noisy"],
    ["no peak among two others", "grad_norm", "series", [1, 20, 1]],
    ["no peak of hardly ten times the rest", "grad_norm", "series", [1, 9.9, 1, 1]],
    ["clipped, just not", "clip_fraction", "is", [0.29]],
    ["clipped", "clip_fraction", "is", [0.3], "high"],
    ["an entropy that leaves a choice", "entropy", "is", [0.051]],
    ["an entropy that leaves none", "entropy", "is", [0.05], "low"],
    ["a loss that has hardly risen", "loss", "course", [2, 2.5]],
    ["a loss that has risen by a third", "loss", "course", [2, 2.7], "rises"],
    ["a held-out loss that has hardly risen", "eval_loss", "course", [1, 1.14]],
    ["a held-out loss that has risen", "eval_loss", "course", [1, 1.16], "rises"],
    ["a held-out loss that has risen by next to nothing", "eval_loss", "course", [0.1, 0.119]],
    ["a held-out loss that has risen by a little more", "eval_loss", "course", [0.1, 0.121], "rises"],
    ["a KL that rises to where any run's is", "kl", "course", [0.01, 0.19]],
    ["a KL that rises further", "kl", "course", [0.01, 0.21], "rises"],
    ["a reward of which a fourth is left", "reward", "course", [0.8, 0.2], "collapses"],
    ["a reward of which more is left", "reward", "course", [0.8, 0.21], "falls"],
    ["a score that has moved by less than a twentieth", "accuracy", "course", [0.5, 0.52]],
    ["a score that has moved by more", "accuracy", "course", [0.5, 0.53], "rises"],
  ];

for (const [what, subject, relation, values, ...predicates] of BORDERS) {
  Deno.test(`numberClaims() at a border: ${what}`, () => {
    assert.deepEqual(said(subject, relation, [...values]), predicates);
  });
}

Deno.test("isAnyRun() is true of a KL that rises to where any run's comes", () => {
  assert(isAnyRun("kl", 0.02) && !isAnyRun("kl", 2) && !isAnyRun("kl", null) && !isAnyRun("loss", 0.02));
});
