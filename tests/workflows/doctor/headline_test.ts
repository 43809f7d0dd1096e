import assert from "node:assert/strict";
import { happened, headline } from "../../../workflows/doctor/headline.ts";
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
    "Since train step 180 (the last 45 % of the train steps), entropy went from 1.5 to 0.01. 55 % of the rollouts taught nothing " +
      "(6.2 of 11.3 h). Change: epsilon_high=0.28, beta=0.01.",
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

Deno.test("happened() does not say twice since when, and leaves names as they are", () => {
  const of = (message: string, share = 0.45) =>
    happened(
      faulty({ message, train_steps: [180] }, { cost: oneCost({ rollouts: null, share_of_run: share }) }),
      oneFinding({
        message,
        train_steps: [180],
      }),
    );
  const when = "Since train step 180 (the last 45 % of the train steps), ";
  assert.equal(
    of("Nothing rises since train step 180 (45 % of the run): reward is flat"),
    `${when}nothing rises: reward is flat.`,
  );
  assert.equal(
    of("Entropy fell, and since train step 180 the reward is flat"),
    `${when}entropy fell, and the reward is flat.`,
  );
  assert.equal(of("Since train step 180 in 70 % of the groups all tie"), `${when}in 70 % of the groups all tie.`);
  assert.equal(of("loss turns NaN at train step 180 (1.2 before)"), `${when}loss turns NaN (1.2 before).`);
  assert.equal(of("KL is 3, and at train step 1800 it is 4"), `${when}KL is 3, and at train step 1800 it is 4.`);
  assert.equal(
    of("The margin grows to 3, from train step 180 on, and goes on"),
    `${when}the margin grows to 3, and goes on.`,
  );
  assert.equal(of("It falls from train step 180 on: bad"), `${when}it falls: bad.`);
  assert.equal(of("Qwen2.5-VL writes pixels"), `${when}Qwen2.5-VL writes pixels.`);
  assert.equal(of("A reward is null", 1), "From the first train step on, a reward is null.");
  assert.equal(of("Accuracy is 0 on held-out pairs", 0.001), "At train step 180, accuracy is 0 on held-out pairs.");
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

Deno.test("headline() speaks of records where the log tells no train steps", () => {
  const cost = oneCost({ waste: "all", share_of_run: 0.55 }), message = "Entropy fell, and since record 180 it is flat";
  const run = faulty({
    cause: "kl_explosion",
    message,
    train_steps: [180],
    remedy: { patches: [], options: ["trl: beta=0.01"] },
  }, { cost });
  assert.match(
    headline({ ...run, counts: "records" }),
    /^Since record 180 \(the last 55 % of the records\), entropy fell, and it is flat\. .* before record 180 and change: beta=0\.01\.$/,
  );
  const whole = { ...run.diagnosis, cost: oneCost({ waste: "all", share_of_run: 1 }) };
  assert.match(headline({ ...run, diagnosis: whole, counts: "records" }), /^From the first record on, entropy fell/);
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
