/** PPO with a critic and a reward model through the engine: its rows, its resume, and what a wrong order is told. */
import assert from "node:assert/strict";
import { openRunFolder } from "../../../data/open_run_folder.ts";
import { STEPS } from "../../../steps/mod.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { planRuns } from "../../../workflows/plan/plan_workflow.ts";
import { same } from "../../same.ts";
import { ONE_LAYER } from "../../steps/contexts/training_run.ts";
import { withFolder } from "../engine/fake_runs.ts";
import { StopAtPoint, tinyRun, traces } from "./tiny_runs.ts";

const text = `
name: tiny_ppo
seed: 3
device: cpu
backend: ffi
threads: 1
checkpoint: { every: 100, keep: 1 }
steps:
  - { uses: load_prompts, with: { task: addition, digits: 1 } }
  - { uses: load_preferences, with: { task: addition, digits: 1 } }
  - { uses: load_model, with: { model: ${JSON.stringify(ONE_LAYER.model)} } }
  - { uses: train_reward_model, with: { max_updates: 3, batch_size: 4, evaluate_every: 2, evaluate_limit: 4 } }
  - { uses: load_critic }
  - repeat: 2
    steps:
      - { uses: sample_groups, with: { prompts_per_step: 4, group_size: 2, max_new_tokens: 3 } }
      - { uses: score_rewards, with: { rewards: [{ uses: reward_model }] } }
      - { uses: compute_values }
      - { uses: compute_advantages, with: { estimator: gae, lambda: 0.9 } }
      - { uses: apply_update, with: { learning_rate: 1.0e-3, updates_per_rollout: 2, minibatches: 2 } }
      - { uses: update_critic, with: { learning_rate: 1.0e-3, updates_per_rollout: 4, minibatches: 2 } }
  - { uses: export_model, with: { what: critic } }
  - { uses: export_model, with: { what: reward_model } }
  - { uses: export_model }
`;

const weightsOf = (folder: string) =>
  ["critic", "reward_model", "model"].map((name) => Deno.readFileSync(`${folder}/${name}/model.safetensors`));

Deno.test("PPO with a reward model stops anywhere and resumes to bitwise the same policy, critic, scores and rows", () =>
  withFolder(async (runs) => {
    const points = new Map<string, number>();
    let step = "start";
    const counter = new StopAtPoint(Infinity, (point) => points.set(step, point));
    const onEvent = (event: Record<string, unknown>) => {
      if (event["event"] === "step_started") step = `${event["step"]} ${event["train_step"]}`;
    };
    const whole = await tinyRun({ runs, runId: "whole", text, stop: counter, onEvent });
    assert.equal(whole.status, "ok", whole.reason ?? "");
    const want = traces(whole.folder), weights = weightsOf(whole.folder);
    const metrics = openRunFolder(whole.folder).table("metrics").objects() as Record<string, unknown>[];
    assert.deepEqual(metrics.map(({ phase }) => phase), [
      "reward_model",
      "reward_model",
      "reward_model",
      "rollout",
      "rollout",
    ]);
    for (const row of metrics.slice(3)) {
      for (const name of ["grad_norm", "reward", "value_loss", "value_explained_variance", "critic_grad_norm"]) {
        assert.equal(typeof row[name], "number", name);
      }
    }
    // The critic's updates are not the policy's.
    assert.equal(want.rows["updates"]!.length, 3 + 4);
    const places = [...points].filter(([place]) =>
      /^(?:train_reward_model [12]|sample_groups 5|apply_update|update_critic 4)/.test(place)
    );
    assert(places.length >= 4, places.join("; "));
    for (const [place, point] of places) {
      const id = `stop_${point}`, first = await tinyRun({ runs, runId: id, text, stop: new StopAtPoint(point) });
      if (first.status === "ok") continue;
      const last = await tinyRun({ runs, resume: id, text });
      assert.equal(last.status, "ok", `stopped in ${place}: ${last.reason}`);
      same(weightsOf(last.folder), weights, `weights after a stop in ${place}`);
      const got = traces(last.folder);
      for (const table of Object.keys(want.rows)) same(got.rows[table], want.rows[table], `${table} after ${place}`);
    }
  }));

/** Problems of the same workflow with a line changed. */
function problems(from: RegExp, to: string): string {
  try {
    planRuns(parseWorkflow(text.replace(from, to), "ppo.yaml", { kinds: STEPS, folder: "/" }), STEPS, {});
    return "";
  } catch (error) {
    return String((error as Error).message);
  }
}

Deno.test("a plan names a critic that is asked too early: without values, without returns, without the critic, without a model", () => {
  assert.equal(problems(/^$/, ""), "");
  for (
    const [from, to, told] of [
      [/ +- { uses: compute_values }\n/, "", /"update_critic": it reads completions.values.*add compute_values before/],
      [/estimator: gae, lambda: 0.9/, "estimator: grpo", /"update_critic": it reads completions.returns, which/],
      [/ +- { uses: load_critic }\n/, "", /"compute_values": it needs the critic.*add load_critic before/],
      [
        / +- { uses: train_reward_model.*\n/,
        "",
        /"score_rewards": it needs the reward_model.*load_reward_model or train_re/,
      ],
      [
        /digits: 1 } }\n +- { uses: load_model/,
        "digits: 1, form: unpaired } }\n  - { uses: load_model",
        /preferences.chosen/,
      ],
    ] as const
  ) assert.match(problems(from, to), told);
});
