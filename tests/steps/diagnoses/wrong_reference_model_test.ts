/** The rule wrong_reference_model: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { diagnoseRun } from "../../../steps/diagnoses/diagnose_run.ts";
import { flat, HEALTHY, healthyBut, ramp, type Run, testRule, viewOf } from "./synthetic.ts";

/** DPO of ours whose first record is off, after a warm start. */
const warmDpo = (settings: Record<string, unknown>): Run => ({
  algorithm: "dpo",
  own: true,
  steps: [4, 5, 6],
  settings,
  warmStart: { own: true, algorithm: "sft", columns: { loss: [2, 1, 0.5] } },
  columns: { loss: [0.69, 0.68, 0.67], chosen_reward: [-0.02, 0.03, 0.1], rejected_reward: [-0.01, -0.02, -0.1] },
});

testRule("wrong_reference_model", {
  fires: {
    "a KL of 1 from the first record": healthyBut({ kl: ramp(1.2, 0.9) }),
    "a KL of exactly 0.05 from the first record": healthyBut({ kl: flat(0.05) }),
    "a copy that differs before the first update, however far the policy goes": {
      own: true,
      settings: { reference: "copy" },
      columns: {
        kl: [0.006, 1, 2, 2, 2, 2],
        learning_rate: flat(1e-3, 6),
        loss: ramp(0, 0, 6),
        reward: ramp(0.3, 0.4, 6),
      },
    },
    "the base of a fresh adapter that is not off": {
      own: true,
      settings: { reference: "adapter_off", lora_fresh: true },
      columns: { kl: flat(0.006, 6), learning_rate: flat(1e-3, 6), loss: ramp(0, 0, 6), reward: ramp(0.3, 0.4, 6) },
    },
    "a small KL in fp32, every update printed": {
      settings: { bf16: false },
      columns: { kl: flat(0.01, 4), learning_rate: flat(1e-6, 4), loss: ramp(0, 0, 4), reward: ramp(0.3, 0.4, 4) },
    },
    "a KL of 1.2 over four passes that stays": {
      settings: { "actor_rollout_ref.actor.ppo_epochs": 4 },
      system: "verl",
      columns: { kl: flat(1.2, 4), learning_rate: flat(1e-6, 4), loss: ramp(0, 0, 4), reward: ramp(0.3, 0.4, 4) },
    },
    ...Object.fromEntries(
      [[[1, 2], undefined], [[4, 5], { columns: { loss: [2, 1, 0.5] } }]].map(([steps, warmStart]) => [
        `DPO of ours in its record of train step ${(steps as number[])[0]}`,
        {
          algorithm: "dpo",
          own: true,
          steps: steps as number[],
          ...(warmStart ? { warmStart: { own: true, algorithm: "sft", ...warmStart } } : {}),
          columns: { loss: [0.69, 0.68], chosen_reward: [0.02, 0.03], rejected_reward: [-0.01, -0.02] },
        } as Run,
      ]),
    ),
    "a fresh adapter's dropout, which changes nothing while B is 0": {
      algorithm: "dpo",
      own: true,
      settings: { reference: "copy", lora_dropout: 0.2, lora_fresh: true },
      columns: { loss: [0.69, 0.68], chosen_reward: [0.02, 0.03], rejected_reward: [-0.01, -0.02] },
    },
    "a copy of an adapter that has trained, without dropout": warmDpo({
      reference: "copy",
      lora_dropout: 0,
      lora_fresh: true,
    }),
    "DPO rewards before any update": {
      algorithm: "dpo",
      settings: { bf16: false },
      columns: {
        loss: ramp(0.695, 0.6, 30, 0),
        chosen_reward: ramp(-0.2, 0.1),
        rejected_reward: ramp(-0.196, -0.3),
        reward_margin: ramp(-0.04, 0.4),
        grad_norm: ramp(2, 2),
      },
    },
    "DPO rewards far from 0 at the beginning of the epoch that stay there": {
      algorithm: "dpo",
      stepsPrinted: false,
      columns: {
        epoch: [0.01, 0.02, 0.03, 0.04, 0.05],
        loss: [1.31, 1.22, 1.25, 1.18, 1.21],
        chosen_reward: [-2.1, -2.0, -2.2, -2.1, -2.0],
        rejected_reward: [-1.7, -1.7, -1.8, -1.7, -1.6],
      },
    },
  },
  silent: {
    "a KL just below 0.05 from the first record": healthyBut({ kl: flat(0.0499) }),
    "dropout of an adapter that has trained, beside its copy": warmDpo({
      reference: "copy",
      lora_dropout: 0.2,
      lora_fresh: true,
    }),
    "the base of an adapter that was trained before": {
      own: true,
      settings: { reference: "adapter_off", lora_fresh: false },
      columns: { kl: flat(0.006, 6), learning_rate: flat(1e-3, 6), loss: ramp(0, 0, 6), reward: ramp(0.3, 0.4, 6) },
    },
    "DPO of ours without a reference": {
      algorithm: "dpo",
      own: true,
      settings: { reference_free: true },
      columns: { loss: [0.4, 0.3], chosen_reward: [-0.2, -0.1], rejected_reward: [-2, -3], reward_margin: [1.8, 2.9] },
    },
    "DPO of ours that goes on: the window has lost its beginning": {
      algorithm: "dpo",
      own: true,
      steps: [40, 41, 42],
      columns: { loss: ramp(0.5, 0.4, 3), chosen_reward: ramp(0.3, 0.4, 3), rejected_reward: ramp(-0.9, -1, 3) },
    },
    "KTO in an unknown precision, 0.04 from 0": {
      algorithm: "kto",
      columns: {
        chosen_reward: ramp(0.02, 0.2, 12, 0),
        rejected_reward: ramp(-0.02, -0.2, 12, 0),
        loss: ramp(0.5, 0.4, 12),
      },
    },
    "five updates at a large rate before the first record": healthyBut({
      learning_rate: flat(1e-3),
      kl: ramp(0.11, 0.16),
    }, { steps: Array.from({ length: 30 }, (_, i) => 5 * i + 5) }),
    "a mean over two passes in fp32, small": {
      settings: { bf16: false, num_iterations: 2 },
      columns: { kl: flat(0.01, 4), learning_rate: flat(1e-6, 4), loss: ramp(0, 0, 4), reward: ramp(0.3, 0.4, 4) },
    },
    "a mean over four passes that falls back at the next rollout": {
      settings: { "actor_rollout_ref.actor.ppo_epochs": 4 },
      system: "verl",
      columns: {
        kl: [2.2, 0.2, 0.3, 0.2],
        learning_rate: flat(1e-6, 4),
        loss: ramp(0, 0, 4),
        reward: ramp(0.3, 0.4, 4),
      },
    },
    "thirty passes, which may have learned anything": {
      settings: { "actor_rollout_ref.actor.ppo_epochs": 30 },
      system: "verl",
      columns: { kl: flat(1.2, 4), learning_rate: flat(1e-6, 4), loss: ramp(0, 0, 4), reward: ramp(0.3, 0.4, 4) },
    },
    "one record of four passes at a large rate": {
      settings: { "actor_rollout_ref.actor.ppo_epochs": 4 },
      system: "verl",
      columns: { kl: [0.15, 0.2, 0.18], learning_rate: flat(1e-3, 3), loss: ramp(0, 0, 3), reward: ramp(0.3, 0.4, 3) },
    },
    "a KL that starts at 1 and explodes": healthyBut({ kl: Array.from({ length: 30 }, (_, i) => 1.6 ** i) }),
    "a first record of ten updates that has learned": {
      algorithm: "dpo",
      stepsPrinted: false,
      columns: {
        epoch: [0.01, 0.02, 0.03, 0.04, 0.05],
        loss: [0.6, 0.4, 0.3, 0.2, 0.15],
        chosen_reward: [0.3, 0.8, 1.4, 1.9, 2.4],
        rejected_reward: [-0.6, -1.4, -2.2, -3.1, -4],
      },
    },
    "KL that starts at 0": HEALTHY,
    "DPO from 0": {
      algorithm: "dpo",
      columns: {
        loss: ramp(0.6931, 0.6, 30, 0),
        chosen_reward: ramp(0, 0.1, 30, 0),
        rejected_reward: ramp(0, -0.1, 30, 0),
        grad_norm: ramp(2, 2),
      },
    },
    "a first record of perhaps ten updates at a rate that no model stands": healthyBut({
      kl: ramp(3.2, 3, 30, 0),
      learning_rate: flat(1e-3),
      reward: ramp(0.04, 0.03, 30, 0.005),
    }, { stepsPrinted: false }),
    "SimPO, whose rewards are log-probs": {
      algorithm: "dpo",
      columns: {
        loss: ramp(0.95, 0.7),
        chosen_logprob: ramp(-1.46, -1.1, 30, 0),
        rejected_logprob: ramp(-1.49, -1.35, 30, 0),
        chosen_reward: ramp(-2.92, -2.2, 30, 0),
        rejected_reward: ramp(-2.98, -2.7, 30, 0),
      },
    },
    "an excerpt of a KTO run": {
      algorithm: "kto",
      stepsPrinted: false,
      columns: { loss: ramp(0.41, 0.4), chosen_reward: ramp(1.2, 1.2), rejected_reward: ramp(0.4, 0.3) },
    },
  },
});

Deno.test("wrong_reference_model advises what fits the reference: a folder only where there is one", () => {
  const advised = (settings: Record<string, unknown>) => {
    const found = diagnoseRun(viewOf(warmDpo(settings))).findings.find(({ cause }) =>
      cause === "wrong_reference_model"
    )!;
    return `${found.hint} ${found.remedy.by_hand}`;
  };
  const [copy, off, folder] = [
    advised({ reference: "copy" }),
    advised({ reference: "adapter_off", lora_fresh: true }),
    advised({ reference: "./base" }),
  ];
  assert.match(copy, /is a copy of the policy/);
  assert.match(off, /The adapter has trained before the reference is asked: use reference: copy/);
  assert.doesNotMatch(copy + off, /folder/);
  assert.match(folder, /Check the folder that reference of load_model names/);
});
