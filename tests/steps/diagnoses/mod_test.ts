/** What rules can say in a run of ours, where every train step and its rows are at hand: at once, and only then. */
import { type Cause } from "../../../steps/diagnoses/mod.ts";
import { diagnoseRun } from "../../../steps/diagnoses/diagnose_run.ts";
import assert from "node:assert/strict";
import { flat, group, HEALTHY, healthyBut, type Run, viewOf } from "./synthetic.ts";

const own = (columns: Record<string, readonly (number | null)[]>, more: Omit<Run, "columns"> = {}): Run =>
  healthyBut(columns, { own: true, ...more });
const rows = (more: Parameters<typeof group>[3][], rewards = [1, 0]) =>
  more.flatMap((extra, i) =>
    group(`${i}+3=`, ["3", "4"], rewards, { advantage: null, ...extra }).map((row, j) => ({
      ...row,
      advantage: j === 0 ? 0.5 : -0.5,
      ...extra,
    }))
  );
const last = (value: number, otherwise: number) => [...flat(otherwise, 29), value];

const FIRES: Record<string, { cause: Cause; run: Run }> = {
  "a last gradient of 0 with advantages": {
    cause: "broken_gradient_path",
    run: own({ grad_norm: last(0, 0.8), advantage_std: flat(0.9), loss_tokens: flat(100) }),
  },
  "a last train step without loss tokens": {
    cause: "all_completions_masked",
    run: own({ loss_tokens: last(0, 100), grad_norm: last(0, 0.8) }),
  },
  "one token on which sampler and trainer differ by 0.1 nats": {
    cause: "rollout_trainer_mismatch",
    run: own({ sampler_logprob_gap: last(0.1, 1e-6) }),
  },
  "a ratio other than 1 in the only update": {
    cause: "rollout_trainer_mismatch",
    run: own({ ratio_mean: last(1.01, 1) }, { settings: { num_iterations: 1 } }),
  },
  "a first update of a fiftieth of Adam's": {
    cause: "update_too_small",
    run: own({ update_size: [0.001], grad_norm: [0.8] }),
  },
  "a KL of exactly 0 while updates have their size": {
    cause: "update_too_small",
    run: own({ kl: flat(0), update_size: flat(0.5), learning_rate: flat(1e-4) }),
  },
  "a KL of 0.01 to a copy of the policy before any update": {
    cause: "wrong_reference_model",
    run: own({ kl: flat(0.01) }, { settings: { reference: "copy" } }),
  },
  "64 of 100,000 parameters": {
    cause: "no_trainable_parameters",
    run: own({}, { settings: { trainable_parameters: 64, parameters: 100_000 } }),
  },
  "a KL weight of 1000": { cause: "invalid_config_value", run: own({}, { settings: { beta: 1000 } }) },
  "a mask that counts a part of a completion": {
    cause: "group_integrity",
    run: own({}, { completions: rows([{ tokens: 3, lossTokens: 2 }]) }),
  },
  "an advantage against its reward": {
    cause: "group_integrity",
    run: own({}, { completions: rows([{}], [0, 1]) }),
  },
  "copies of one prompt": {
    cause: "overfitting",
    run: own({}, { completions: [1, 2, 3, 4].flatMap((id) => group("1+3=", ["3", "4"], [1, 0], { promptId: id })) }),
  },
  "a warm start that knows its rows by heart": {
    cause: "overfitting",
    run: {
      own: true,
      algorithm: "sft",
      columns: { loss: [2, 0.5, 0.01], grad_norm: [1, 1, 1], accuracy: [0, 0, 0.1] },
    },
  },
  "two rewards that cancel": {
    cause: "zero_reward_variance",
    run: own({ reward: flat(1), zero_spread_fraction: flat(1), grad_norm: flat(0) }, {
      completions: [0, 1, 2, 3].flatMap((i) =>
        group(`${i}+3=`, ["3", "4"], [1, 1]).map((row, j) => ({ ...row, rewards: { right: j, style: 1 - j } }))
      ),
    }),
  },
  "no reward for any completion": {
    cause: "invalid_reward_values",
    run: own({ reward: flat(null), zero_spread_fraction: flat(null), grad_norm: flat(0) }, {
      completions: group("1+3=", ["3", "4"], [null, null]),
    }),
  },
  "answers that are not those of the sums": {
    cause: "reward_parser_mismatch",
    run: own({}, {
      completions: Array.from(
        { length: 10 },
        (_, i) => group(`${i}+3=`, [`${i + 3}`, "1"], [0, 0], { answer: "the answer" }),
      ).flat(),
    }),
  },
  "rewards that prefer wrong completions": {
    cause: "reward_parser_mismatch",
    run: own({}, {
      completions: Array.from({ length: 10 }, (_, i) =>
        group(`${i}+3=`, ["a", "b"], [-1, 0]).map((row, j) => ({
          ...row,
          correct: j === 0,
          advantage: j === 0 ? -0.5 : 0.5,
        }))).flat(),
    }),
  },
  "supervised labels that are all masked": {
    cause: "no_supervised_tokens",
    run: { own: true, algorithm: "sft", columns: { loss: [0], grad_norm: [0], loss_tokens: [0], entropy: [5] } },
  },
};

for (const [when, { cause, run }] of Object.entries(FIRES)) {
  Deno.test(`a run of ours: ${cause} is named on ${when}`, () => {
    const { findings } = diagnoseRun(viewOf(run));
    assert.equal(findings[0]?.cause, cause, JSON.stringify(findings.map((f) => [f.cause, f.message])));
  });
}

const SILENT: Record<string, Run> = {
  "rewards, advantages and masks that belong together": own({ sampler_logprob_gap: flat(1e-6), ratio_mean: flat(1) }, {
    settings: { num_iterations: 1, reference: "copy", trainable_parameters: 9e4, parameters: 1e5, beta: 0.05 },
    completions: rows([{ tokens: 3, lossTokens: 3 }, { tokens: 5, lossTokens: 0 }]),
  }),
  "an early record without loss tokens": own({ loss_tokens: [0, ...flat(100, 29)] }),
  "a gradient of 0 where every group ties": own({
    grad_norm: last(0, 0.8),
    zero_spread_fraction: last(1, 0.2),
    advantage_std: last(0, 0.9),
  }),
  "several updates per rollout": own({ ratio_mean: flat(1.02) }, { settings: { num_iterations: 4 } }),
  "a small update after many": own({ update_size: [...flat(0.5, 29), 0.01] }),
  "a warm start that is right on new prompts": {
    own: true,
    algorithm: "sft",
    columns: { loss: [2, 0.5, 0.01], grad_norm: [1, 1, 1], accuracy: [0, 0, 0.8] },
  },
  "two rewards that agree": own({}, {
    completions: [0, 1, 2, 3].flatMap((i) =>
      group(`${i}+3=`, ["3", "4"], [2, 0]).map((row, j) => ({
        ...row,
        rewards: { right: 1 - j, style: 1 - j },
        advantage: j === 0 ? 0.5 : -0.5,
      }))
    ),
  }),
};

for (const [when, run] of Object.entries(SILENT)) {
  Deno.test(`a run of ours: silence on ${when}`, () => {
    const alarms = diagnoseRun(viewOf(run)).findings.filter(({ severity }) => severity !== "info");
    assert.deepEqual(alarms.map(({ cause, message }) => [cause, message]), []);
  });
}

Deno.test("a foreign log does not get what only our own rows prove", () => {
  const foreign = healthyBut({ grad_norm: last(0, 0.8), loss_tokens: last(0, 100), update_size: flat(0.5) });
  assert.deepEqual(diagnoseRun(viewOf({ ...HEALTHY, ...foreign, own: false })).verdict, "benign");
});
