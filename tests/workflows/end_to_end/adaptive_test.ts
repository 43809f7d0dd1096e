/** Adaptive coefficients and the sampler's correction in real runs: a stop anywhere changes no number. */
import assert from "node:assert/strict";
import { ONE_LAYER } from "../../steps/contexts/training_run.ts";
import { same } from "../../same.ts";
import { withFolder } from "../engine/fake_runs.ts";
import { StopAtPoint, tinyRun, traces } from "./tiny_runs.ts";

const text = `
name: adaptive
seed: 3
device: cpu
threads: 1
checkpoint: { every: 1, keep: 2 }
steps:
  - { uses: load_prompts, with: { task: addition, digits: 1 } }
  - { uses: load_model, with: { model: ${JSON.stringify(ONE_LAYER.model)}, reference: copy } }
  - repeat: 3
    steps:
      - { uses: sample_groups, with: { prompts_per_step: 2, group_size: 2, max_new_tokens: 3 } }
      - { uses: score_rewards, with: { rewards: [{ uses: length_penalty }] } }
      - { uses: measure_tokens }
      - { uses: compute_advantages, with: { estimator: grpo, kl_coef: 0.2, kl_target: 0.0001, kl_horizon: 8 } }
      - uses: apply_update
        with:
          learning_rate: 1.0e-2
          updates_per_rollout: 2
          kl_coef: 0.1
          kl_target: 0.001
          kl_horizon: 8
          entropy_coef: 0.01
          entropy_target: 5.6
          sampler_weights: token
          sampler_reject: { token_k3: 1 }
  - { uses: export_model }
`;

Deno.test("kl_coef, of the loss and of the reward, and entropy_coef go on after a stop as if there had been none", () =>
  withFolder(async (runs) => {
    const points: number[] = [];
    let step = "";
    const counter = new StopAtPoint(Infinity, (point) => step === "apply_update" && points.push(point));
    const onEvent = (event: Record<string, unknown>) => {
      if (event["event"] === "step_started") step = String(event["step"]);
    };
    const whole = await tinyRun({ runs, runId: "whole", text, stop: counter, onEvent });
    assert.equal(whole.status, "ok", whole.reason ?? "");
    const want = traces(whole.folder);
    const metrics = want.rows["metrics"] as Record<string, number>[];
    assert.equal(new Set(metrics.map(({ kl_coef }) => kl_coef)).size, 3, "kl_coef did not move");
    const inReward = metrics.map(({ reward_kl_coef }) => reward_kl_coef);
    assert(new Set(inReward).size === 3 && inReward[0] === 0.2, `kl_coef of the reward was ${inReward}`);
    assert.equal(new Set(metrics.map(({ entropy_coef }) => entropy_coef)).size, 3, "entropy_coef did not move");
    let stopped = 0;
    for (const point of points.filter((_, i) => i % 3 === 1)) {
      const id = `stop_${point}`;
      const first = await tinyRun({ runs, runId: id, text, stop: new StopAtPoint(point) });
      if (first.status === "ok") continue;
      stopped++;
      const last = await tinyRun({ runs, resume: id, text });
      assert.equal(last.status, "ok", last.reason ?? "");
      const got = traces(last.folder);
      assert.equal(got.weights, want.weights, `weights after a stop at ${point}`);
      for (const table of Object.keys(want.rows)) {
        same(got.rows[table], want.rows[table], `${table} after a stop at ${point}`);
      }
    }
    assert(stopped >= 2, `${stopped}`);
  }));
