/** The rule mode_collapse: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { between, type Curve, longRun, noisy } from "./long_run.ts";
import { begins, flat, group, ramp, type Run, testRule, viewOf } from "./synthetic.ts";

/** A run of ours whose completions of a train step are one text for every prompt, with a gradient at each of its updates. */
const sameText = (
  trainStep: number,
  gradients: readonly number[],
  changes = gradients.map((gradient) => gradient / 1e3),
): Run => ({
  own: true,
  columns: { loss: gradients, reward: flat(0, gradients.length), grad_norm: gradients, relative_update: changes },
  completions: ["a?", "b?", "c?", "d?"].flatMap((prompt) => group(prompt, ["1", "1"], [0, 0], { trainStep })),
});

/** Eight questions of which most or all are answered by one word, and what a policy says to each; `correct` of ours. */
const yesOrNo = (answers: readonly string[], said: readonly string[], own = true): Run => ({
  own,
  columns: { loss: ramp(0.1, 0.2), reward: ramp(0.5, 0.8), grad_norm: ramp(0.5, 0.6), relative_update: flat(1e-3) },
  completions: answers.flatMap((answer, i) => {
    const correct = said[i] === answer;
    return group(`${i}: same?`, [said[i]!, said[i]!], [correct ? 1 : 0, correct ? 1 : 0], {
      trainStep: 30,
      answer,
      ...(own ? { correct } : {}),
    });
  }),
});
const NO = Array(8).fill("no"), MIXED = ["no", "yes", "no", "yes", "no", "no", "yes", "no"];

testRule("mode_collapse", {
  fires: {
    "one word for questions of mixed answers": yesOrNo(MIXED, NO),
    "one word for questions of mixed answers in a log": yesOrNo(MIXED, NO, false),
    "one word for questions of another answer": yesOrNo(Array(8).fill("yes"), NO),
    "a text that holds the answers of all": yesOrNo(["cat", "dog", "cat", "dog"], Array(4).fill("cat or dog"), false),
    "one text for every prompt after the first gradient": sameText(2, [0.5, 0]),
    "one text for every prompt in a window that has lost the beginning": { ...sameText(8, [0, 0]), steps: [7, 8] },
    "gradients that a log prints as 0.000": { ...sameText(3, [0, 0, 0]), own: false, decimals: { grad_norm: 3 } },
    "one text for every prompt": {
      columns: { loss: ramp(0.1, 0.2), reward: ramp(0.5, 0.6) },
      completions: ["a?", "b?", "c?", "d?", "e?"].flatMap((prompt) =>
        group(prompt, ["I am sorry.", "I am sorry."], [0.5, 0.5])
      ),
    },
    "one reward and one length on all batches": {
      algorithm: "ppo",
      columns: {
        loss: ramp(0.1, 0.2),
        reward: flat(0.537),
        completion_length: flat(64),
        completion_length_min: flat(64),
        completion_length_max: flat(64),
        truncated_fraction: flat(0),
      },
    },
  },
  silent: {
    "one word that all of the questions want": yesOrNo(NO, NO),
    "one word that all of the questions want, in a log": yesOrNo(NO, NO, false),
    "one word that nearly all want, with a wrong one": yesOrNo(NO, [...NO.slice(1), "yd"]),
    "the first rollout: no update was made yet": sameText(1, [0.5]),
    "a policy that no gradient has reached": sameText(3, [0, 0, 0.5]),
    "a policy that no update has moved": sameText(3, [0.5, 0.5, 0.5], [0, 0, 0]),
    "a log whose every gradient is 0": { ...sameText(3, [0, 0, 0]), own: false },
    "the same text inside each group only": {
      completions: ["a?", "b?", "c?", "d?"].flatMap((prompt) =>
        group(prompt, Array(4).fill(`to ${prompt}`), flat(1, 4))
      ),
    },
    "a constant reward at free lengths": {
      columns: {
        reward: flat(0.5),
        completion_length: ramp(20, 30),
        completion_length_min: ramp(5, 9),
        completion_length_max: ramp(40, 60),
      },
    },
  },
});

Deno.test("mode_collapse shows the text that most prompts got, not the last one", () => {
  const found = DIAGNOSES.mode_collapse.check(viewOf(yesOrNo(MIXED, [...NO.slice(1), "maybe"])));
  assert(found !== null && "evidence" in found);
  assert.deepEqual(found.evidence.map(({ value }) => value), ["no"]);
});

Deno.test("mode_collapse over several train steps leaves one answer that is asked for alone", () => {
  const check = (answer: (step: number) => string) =>
    DIAGNOSES.mode_collapse.check(viewOf({
      columns: { loss: ramp(0.1, 0.2, 60), reward: ramp(0.5, 0.6, 60), grad_norm: ramp(0.5, 0.6, 60) },
      completions: Array.from({ length: 12 }, (_, step) =>
        group(`${step}: same?`, step < 4 ? ["a", "b", "c"] : ["no", "no", "no"], flat(0.5, 3), {
          trainStep: 5 * step + 1,
          answer: answer(step),
        })).flat(),
    }));
  assert.equal(check(() => "no"), null);
  assert(check((step) => step % 2 === 0 ? "no" : "yes") !== null);
});

Deno.test("mode_collapse does not send a policy that was so before any update back to a checkpoint", () => {
  const early = sameText(1, []).completions!, late = sameText(3, [0.5, 0.5, 0.5]);
  const found = (completions: Run["completions"]) =>
    DIAGNOSES.mode_collapse.check(viewOf({ ...late, completions: [...completions!, ...late.completions!] }));
  const arrived = found(early), fallen = found(early.map((row, i) => ({ ...row, text: String(i) })));
  assert(arrived !== null && "message" in arrived && fallen !== null && "message" in fallen);
  assert.match(arrived.hint!, /^The model arrived like this/);
  assert.deepEqual([arrived.remedy, fallen.hint, fallen.remedy], [[], undefined, undefined]);
});

Deno.test("mode_collapse sees one text spread over train steps of one prompt each", () => {
  /** Twelve printed train steps of ten completions; a share of those of the first and of the later ones is one text. */
  const check = (early: number, late: number, { prompts = 12, steps = 12 } = {}) =>
    DIAGNOSES.mode_collapse.check(viewOf({
      columns: { loss: ramp(0.1, 0.2, 60), reward: ramp(0.5, 0.6, 60), grad_norm: ramp(0.5, 0.6, 60) },
      completions: Array.from({ length: steps }, (_, step) => {
        const same = 10 * (step < steps / 3 ? early : late);
        const texts = Array.from({ length: 10 }, (_, i) => i < same ? "I am sorry." : `answer ${step} ${i}`);
        return group(`${step % prompts}?`, texts, flat(0.5, 10), { trainStep: 5 * step + 1 });
      }).flat(),
    }));
  const found = check(0.1, 0.7);
  assert(found !== null && "message" in found);
  assert.equal(
    found.message,
    "One text is 70 % of the completions from train step 41 on, for 4 different prompts (at first 10 %)",
  );
  assert.deepEqual([found.trainSteps[0], found.evidence.length], [41, 1]);
  assert.equal(check(0.1, 0.5), null, "half of them");
  assert.equal(check(0.6, 0.7), null, "most had it at first");
  assert.equal(check(0.1, 0.7, { prompts: 3 }), null, "three prompts again and again");
  assert.equal(check(0.1, 0.7, { steps: 2 }), null, "two train steps have no thirds");
});

Deno.test("mode_collapse begins where the batches became one, not with the last records that are looked at", () => {
  const same = [...ramp(0.2, 0.5, 20), ...flat(0.6, 30) as number[]];
  const length = [...ramp(20, 40, 20), ...flat(33, 30) as number[]];
  const columns = {
    reward: same,
    completion_length_min: length,
    completion_length: length,
    completion_length_max: length,
    grad_norm: ramp(1, 1, 50),
  };
  assert.equal(begins("mode_collapse", { columns }), 21);
});

Deno.test("mode_collapse by its texts begins with the first printed train step that they are the same in", () => {
  const printed = [1, 10, 20, 30, 40].flatMap((trainStep) =>
    ["a?", "b?", "c?", "d?"].flatMap((prompt) =>
      group(prompt, trainStep < 20 ? [`${prompt} 1`, `${prompt} 2`] : ["I am sorry.", "I am sorry."], [0, 0], {
        trainStep,
      })
    )
  );
  const columns = { loss: ramp(0.1, 0.2, 40), reward: ramp(0.5, 0.6, 40), grad_norm: ramp(0.5, 0.6, 40) };
  assert.equal(begins("mode_collapse", { columns, completions: printed }), 20);
});

Deno.test("mode_collapse is open where the entropy is gone, groups come to tie, and no completion is printed", () => {
  const checked = (ties: Curve, reward = between(0.6, 0.05, 0.3, 0.8)) =>
    DIAGNOSES.mode_collapse.check(viewOf(longRun({
      entropy: noisy(between(0.8, 0.08, 0.3, 0.9), 0.01),
      zero_spread_fraction: noisy(ties, 0.01),
      reward: noisy(reward, 0.02),
      "reward.accuracy_reward": noisy(reward, 0.02),
    })));
  assert.deepEqual((checked(between(0.1, 0.95, 0.3, 0.8)) as { missing: unknown }).missing, [
    "completions of two prompts",
  ]);
  assert.equal(checked(between(0.1, 0.4)), null, "groups still differ");
  assert.equal(checked(() => 0.95), null, "they tied from the start");
  assert.equal(checked(between(0.1, 0.95, 0.3, 0.8), between(0.3, 0.97, 0, 0.4)), null, "all are right");
});
