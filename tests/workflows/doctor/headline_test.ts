import assert from "node:assert/strict";
import { happened, headline, reasonsBeside } from "../../../workflows/doctor/headline.ts";
import type { Examined } from "../../../workflows/doctor/examined.ts";
import { oneCost, oneExamined, oneFinding } from "./one_examined.ts";

const faulty = (finding: Parameters<typeof oneFinding>[0], more: Partial<Examined["diagnosis"]> = {}) => {
  const { diagnosis } = oneExamined();
  return oneExamined({ system: "trl", diagnosis: { ...diagnosis, findings: [oneFinding(finding)], ...more } });
};

Deno.test("headline() says since when, why, how much, what to change", () => {
  const remedy = { patches: [], options: ["trl: epsilon_high=0.28", "trl: beta=0.01"] };
  const run = faulty({
    cause: "zero_reward_variance",
    message: "Entropy went from 1.5 to 0.01",
    train_steps: [180, 181],
    remedy,
  }, {
    cost: oneCost(),
  });
  assert.equal(
    headline(run),
    "Entropy went from 1.5 to 0.01; it shows since train step 180 (the last 45 % of the train steps). 55 % of the rollouts " +
      "taught nothing (6.2 of 11.3 h). Change: epsilon_high=0.28, beta=0.01.",
  );
});

Deno.test("headline() of what spoils the policy goes back first; without an option it is the hint", () => {
  const cost = oneCost({ waste: "all", share_of_run: 0.55 });
  const spoilt = faulty({ cause: "kl_explosion", remedy: { patches: [], options: ["trl: beta=0.01"] } }, { cost });
  assert.match(headline(spoilt), / Go back to a checkpoint before train step 180 and change: beta=0\.01\.$/);
  const early = { ...spoilt.diagnosis, cost: oneCost({ waste: "all", share_of_run: 0.99 }) };
  assert.match(headline({ ...spoilt, diagnosis: early }), / Start again with beta=0\.01\.$/);
  const bare = faulty({ hint: "Score a gold answer by hand", remedy: { patches: [], options: [] } });
  assert.match(headline(bare), / Score a gold answer by hand\.$/);
  const own = oneFinding({
    remedy: { patches: [{ step: "apply_update", key: "learning_rate", mul: 0.3, value: 9e-5 }], options: [] },
  });
  assert.match(
    headline(oneExamined({ diagnosis: { ...spoilt.diagnosis, cost: undefined!, findings: [own] } })),
    /Change: learning_rate: 0\.00009 in apply_update\.$/,
  );
});

Deno.test("happened() prints a message as it is, and says since when where the message does not", () => {
  const of = (message: string, share = 0.45) =>
    happened(
      faulty({ message, train_steps: [180] }, { cost: oneCost({ rollouts: null, share_of_run: share }) }),
      oneFinding({ message, train_steps: [180] }),
    );
  for (
    const own of [
      "Nothing rises since train step 180 (45 % of the run): reward is flat",
      "The learning rate is 13 times the usual one; from train step 26 on no completion is rewarded",
      "Since train step 180 in 70 % of the groups all tie",
      "It is down since record 9: bad",
      "A loss turns NaN at train step 180 (1.2 before)",
      "The score fell from 49.6 % (train step 180) to 22 %",
    ]
  ) assert.equal(of(own), `${own}.`);
  const when = "; it shows since train step 180 (the last 45 % of the train steps).";
  for (
    const undated of [
      "KL went from 0 to 3",
      "KL is 3, and at train step 1800 it is 4",
      "16 gradients, up to 450 times at train step 150",
      "Qwen2.5-VL writes pixels",
      "grad_norm is 0",
    ]
  ) assert.equal(of(undated), `${undated}${when}`);
  assert.equal(of("KL is 3. It was 1."), `KL is 3. It was 1${when}`);
  assert.equal(of("A reward is null", 1), "A reward is null; it shows from the first train step on.");
  assert.equal(of("A reward is null", 0.9975), "A reward is null; it shows since train step 180.");
  assert.equal(
    of("Accuracy is 0 on held-out pairs", 0.001),
    "Accuracy is 0 on held-out pairs; it shows at train step 180.",
  );
});

Deno.test("headline() says what the person loses where another finding than the first does", () => {
  const collapse = oneFinding({
    cause: "reward_collapse",
    message:
      "The score fell from 65.83 % (train step 100) to 37.34 %; learning rate 0.0000049998488149588695, usual is 1e-6",
  });
  const floor = oneFinding({ cause: "all_incorrect_reward_floor", message: "Since train step 9 the reward ends at 0" });
  const { diagnosis } = oneExamined();
  const of = (findings: typeof diagnosis.findings, afterEffects: typeof findings) =>
    headline(oneExamined({ diagnosis: { ...diagnosis, findings, afterEffects } }));
  const score = "Besides, the score fell from 65.8 % (train step 100) to 37.3 %. ";
  assert(of([oneFinding()], [floor, collapse]).includes(`0.01; it shows since train step 3. ${score}Change`));
  assert(of([oneFinding(), collapse], [floor]).includes(score));
  assert(of([oneFinding()], [floor]).includes(" Besides, since train step 9 the reward ends at 0. "));
  assert.doesNotMatch(of([collapse], [floor]), /Besides/);
  const told = oneFinding({ message: "The KL went from 0 to 3 while the score fell from about 0.66 to 0.37" });
  assert.doesNotMatch(of([told], [collapse]), /Besides/, "the same fall");
  const other = oneFinding({ message: "The KL went from 0 to 3 while eval_score fell from about 0.66 to 0.37" });
  assert.match(of([other], [collapse]), /Besides, the score fell/);
  assert.doesNotMatch(of([oneFinding()], [oneFinding({ cause: "mode_collapse" })]), /Besides/);
});

Deno.test("headline() goes back before the first of the trends that spoil, to the start where that is all of the run", () => {
  const remedy = { patches: [], options: ["trl: beta=0.01"] }, { diagnosis } = oneExamined();
  const trainSteps = Array.from({ length: 400 }, (_, i) => i + 1), values = trainSteps.map(() => 1);
  const first = oneFinding({ cause: "kl_explosion", train_steps: [180], began: 180, remedy });
  const of = (findings: typeof diagnosis.findings, afterEffects: typeof findings) =>
    headline(oneExamined({
      system: "trl",
      series: new Map([["kl", { name: "kl", trainSteps, values }]]),
      diagnosis: { ...diagnosis, findings: [first, ...findings], afterEffects, cost: oneCost({ share_of_run: 0.55 }) },
    }));
  const other = (began: number, more = {}) =>
    oneFinding({ cause: "reward_collapse", train_steps: [began], began, ...more });
  assert.match(of([], [other(120)]), /before train step 120 and change/);
  assert.match(of([other(90)], [other(120)]), /before train step 90 and change/);
  assert.match(of([other(300)], []), /before train step 180 and change/);
  assert.match(of([other(90, { severity: "info" })], []), /before train step 180 /);
  assert.match(of([], [oneFinding({ cause: "zero_advantage", train_steps: [90] })]), /before train step 180 /);
  // A run that stands still has spoilt nothing.
  assert.match(of([other(90, { cause: "learning_plateau" })], []), /before train step 180 /);
  assert.match(of([other(90, { cause: "reward_imbalance" })], []), /before train step 90 /);
  assert.match(of([], [other(10)]), /Start again with beta=0\.01\.$/);
});

Deno.test("headline() of one record, of a run without steps, of a healthy and of an undecided one", () => {
  const { diagnosis } = oneExamined();
  const said = faulty({ message: "grad_norm is exactly 0", train_steps: [1] }, { cost: oneCost() });
  assert.match(headline({ ...said, records: 1 }), /^grad_norm is exactly 0\. [A-Z]/);
  assert.match(
    headline(faulty({ message: "groups have 2 completions", train_steps: [] })),
    /^Groups have 2 completions\. /,
  );
  const healthy = { ...diagnosis, verdict: "benign", findings: [], reasons: ["no rule fires"] } as const;
  assert.equal(headline(oneExamined({ diagnosis: healthy })), "no rule fires");
  const open = {
    ...diagnosis,
    verdict: "insufficient",
    findings: [],
    reasons: ["two records are no trend"],
    differential: [{ cause: "reward_hacking", probability: 0.731, for: [], against: [] }],
  } as const;
  assert.equal(
    headline(oneExamined({ diagnosis: open })),
    "Two records are no trend. It may be reward_hacking (73 %).",
  );
  assert.equal(headline(oneExamined({ diagnosis: { ...healthy, reasons: [] } })), "");
});

Deno.test("headline() of what may be says it once, and reasonsBeside() has what it does not say", () => {
  const { diagnosis } = oneExamined();
  const reasons = ["it may be reward_hacking, and nothing tells", "the loss is 0.123456"];
  const run = oneExamined({
    diagnosis: {
      ...diagnosis,
      ...{ verdict: "insufficient", findings: [], reasons },
      differential: [{ cause: "reward_hacking", probability: 0.77, for: [], against: [] }],
    },
  });
  const head = headline(run);
  assert.equal(head, "It may be reward_hacking (77 %), and nothing tells.");
  assert.deepEqual(reasonsBeside(run, head), ["the loss is 0.123456"]);
  assert.deepEqual(reasonsBeside(run, `${head} The loss is 0.123.`), []);
});

Deno.test("headline() speaks of records where the log tells no train steps", () => {
  const cost = oneCost({ waste: "all", share_of_run: 0.55 }), message = "Entropy fell";
  const run = faulty({
    cause: "kl_explosion",
    message,
    train_steps: [180],
    remedy: { patches: [], options: ["trl: beta=0.01"] },
  }, { cost });
  assert.match(
    headline({ ...run, counts: "records" }),
    /^Entropy fell; it shows since record 180 \(the last 55 % of the records\)\. .* before record 180 and change: beta=0\.01\.$/,
  );
  const whole = { ...run.diagnosis, cost: oneCost({ waste: "all", share_of_run: 1 }) };
  assert.match(
    headline({ ...run, diagnosis: whole, counts: "records" }),
    /^Entropy fell; it shows from the first record on\./,
  );
});

Deno.test("headline() warns of the rate that a resume brings back where a trainer of Hugging Face is told a new one", () => {
  const of = (system: string, option: string) => {
    const remedy = { patches: [], options: [`${system}: ${option}`] };
    const cost = oneCost({ waste: "all", share_of_run: 0.55 });
    return headline({ ...faulty({ cause: "kl_explosion", remedy }, { cost }), system });
  };
  assert.match(
    of("trl", "learning_rate=1e-6"),
    /: learning_rate=1e-6 \(load it as the model: a resume brings the old rate/,
  );
  assert.doesNotMatch(of("trl", "beta=0.01"), /old rate/);
  assert.doesNotMatch(of("verl", "actor.optim.lr=1e-6"), /old rate/);
  assert.doesNotMatch(of("openrlhf", "actor_learning_rate=1e-6"), /old rate/);
});

Deno.test("headline() says first what a person does where an option does not put right what is taught", () => {
  const remedy = { patches: [], options: ["trl: beta=0.01"], by_hand: "Fix the verifier" },
    { diagnosis } = oneExamined();
  const of = (cause: string) =>
    headline(oneExamined({
      system: "trl",
      diagnosis: { ...diagnosis, findings: [oneFinding({ cause, remedy })], afterEffects: [] },
    }));
  assert.match(of("reward_hacking"), /\. Fix the verifier\. Change: beta=0\.01\.$/);
  assert.doesNotMatch(of("excessive_clipping"), /Fix the verifier/);
});

Deno.test("headline() leaves a reward function's name as it is written, and begins others with a capital", () => {
  const of = (message: string) => happened(oneExamined({ series }), oneFinding({ message }));
  const values = [1, 1], trainSteps = [1, 2];
  const series = new Map(["reward.style", "loss"].map((name) => [name, { name, trainSteps, values }]));
  assert.match(of("style has 95.5 % of the variance"), /^style has 95\.5 %/);
  assert.match(of("loss grew"), /^Loss grew/);
});
