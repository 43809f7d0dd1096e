/** Remedies of our own runs: each is pasted into a workflow and passes its check, and reaches the healthy range. */
import assert from "node:assert/strict";
import { STEPS } from "../../../../steps/mod.ts";
import { patchLine, remedyOf } from "../../../../steps/diagnoses/remedies/remedy.ts";
import { parseWorkflow } from "../../../../workflows/language/parse.ts";
import { planWorkflow } from "../../../../workflows/plan/plan_workflow.ts";
import { preflight } from "../../../../workflows/preflight/preflight.ts";
import { viewOf } from "../synthetic.ts";
import type { Patch } from "../../../../steps/diagnoses/remedies/patch.ts";
import { EVERY_REMEDY } from "./every_patch.ts";

/** Everything that a remedy could want otherwise. */
const SICK = {
  reference: "none",
  learning_rate: 15,
  kl_coef: 0,
  clip_high: 0.2,
  updates_per_rollout: 4,
  minibatches: 4,
  max_grad_norm: 1e-7,
  epsilon: 1e4,
  aggregation: "sequence_mean",
  group_size: 2,
  max_new_tokens: 4,
  mask_truncated: true,
  temperature: 0.01,
  top_p: 0.01,
  top_k: 1,
} as const;
const WORKFLOW = `name: sick
steps:
  - uses: load_prompts
    with:
      task: addition
      digits: 2
  - uses: load_model
    with:
      model: small_qwen2
      reference: none
  - uses: fine_tune
    with:
      max_updates: 50
      learning_rate: 1.0e-3
  - repeat: 20
    steps:
      - uses: sample_groups
        with:
          prompts_per_step: 16
          group_size: 2
          max_new_tokens: 4
          mask_truncated: true
          temperature: 0.01
          top_p: 0.01
          top_k: 1
      - uses: score_rewards
        with:
          rewards: [{ uses: verifier }, { uses: regex, with: { pattern: "[0-9]+" } }]
      - uses: compute_advantages
        with:
          estimator: grpo
      - uses: apply_update
        with:
          learning_rate: 15
          clip_high: 0.2
          updates_per_rollout: 4
          minibatches: 4
          max_grad_norm: 1.0e-7
          epsilon: 1.0e+4
          aggregation: sequence_mean
      - uses: diagnose
`;

/** The same on preferences, and with a critic. */
const PREFERENCES = `name: sick
steps:
  - uses: load_preferences
    with:
      task: addition
      digits: 2
      form: unpaired
  - uses: load_model
    with:
      model: small_qwen2
      reference: copy
  - uses: train_preferences
    with:
      loss: kto
      max_updates: 50
      learning_rate: 15
      beta: 0.01
`;
const CRITIC = WORKFLOW.replace("  - repeat", "  - uses: load_critic\n  - repeat").replace(
  "learning_rate: 15",
  "learning_rate: 3.0e-4",
).replace(
  "      - uses: compute_advantages\n        with:\n          estimator: grpo",
  "      - uses: compute_values\n      - uses: compute_advantages\n        with:\n          estimator: gae",
).replace(
  "      - uses: diagnose",
  "      - uses: update_critic\n        with:\n          learning_rate: 0\n      - uses: diagnose",
);

const OF_STEP = {
  train_preferences: { text: PREFERENCES, algorithm: "kto", settings: { loss: "kto", kl_coef: 0.01 } },
  update_critic: { text: CRITIC, algorithm: "gae", settings: { critic_learning_rate: 0 } },
} as const;

/** The workflow that a cause's remedy is pasted into, and its run. */
function sickOf(patches: readonly Patch[]) {
  const special = patches.find((patch) => "step" in patch && Object.hasOwn(OF_STEP, patch.step)) as
    | { step: keyof typeof OF_STEP }
    | undefined;
  if (special === undefined) return { text: WORKFLOW, view: sick() };
  const { text, algorithm, settings } = OF_STEP[special.step];
  return { text, view: viewOf({ own: true, algorithm, settings: { ...SICK, parameters: 765_184, ...settings } }) };
}

/** A person pastes a line under its step in place of the line that is there. */
function paste(text: string, line: string): string {
  const [, key, step] = /^(\w+): .*# (\w+)$/.exec(line)!;
  const lines = text.split("\n");
  const uses = lines.findIndex((other) => other.trim() === `- uses: ${step}`);
  assert(uses >= 0, `no step ${step}`);
  const indent = " ".repeat(lines[uses]!.indexOf("-") + 4);
  let end = uses + 2;
  while (lines[end]!.startsWith(indent)) end++;
  const at = lines.findIndex((other, i) => i > uses && i < end && other.trim().startsWith(`${key}: `));
  lines.splice(at < 0 ? end : at, at < 0 ? 0 : 1, indent + line);
  return lines.join("\n");
}

async function problems(text: string): Promise<string[]> {
  const plan = planWorkflow(parseWorkflow(text, "sick.yaml", { folder: "/data", kinds: STEPS }), STEPS);
  return (await preflight(plan, { runsFolder: "/none" })).filter(({ severity }) => severity === "error")
    .map(({ message }) => message);
}

const sick = (algorithm = "grpo") => viewOf({ own: true, algorithm, settings: { ...SICK, parameters: 765_184 } });

for (const [cause, patches] of EVERY_REMEDY) {
  Deno.test(`the remedy of ${cause} can be pasted into a workflow, which passes its check`, async () => {
    const { text, view } = sickOf(patches), lines = remedyOf(patches, undefined, view).patches.map(patchLine);
    assert(lines.every((line) => line !== null), "a value in force is not among the settings");
    if (patches.every((patch) => "option" in patch)) return assert.deepEqual(lines, []);
    const before = await problems(text);
    const after = await problems((lines as string[]).reduce(paste, text));
    assert.deepEqual(after.filter((problem) => !before.includes(problem)), []);
    // What it is about is no longer a problem.
    for (const line of lines as string[]) {
      const [key] = line.split(":");
      assert.deepEqual(after.filter((problem) => problem.startsWith(`${key} is`) && key !== "kl_coef"), []);
    }
  });
}

Deno.test("every learning rate that a remedy gives is at most the usual one, however far out it is", () => {
  for (const [cause, patches] of EVERY_REMEDY) {
    for (
      const [rate, algorithm, step, usual] of [[15, "grpo", "apply_update", 3e-4], [
        50,
        "sft",
        "fine_tune",
        1e-3,
      ], [50, "dpo", "train_preferences", 3e-4]] as const
    ) {
      const view = viewOf({ own: true, algorithm, settings: { ...SICK, learning_rate: rate, parameters: 765_184 } });
      for (const patch of remedyOf(patches, undefined, view).patches) {
        if (patch.key !== "learning_rate" || patch.step === "update_critic") continue;
        assert.equal(patch.step, step, cause);
        assert(patch.value === null || Number(patch.value) <= usual, `${cause}: ${patch.value}`);
      }
    }
  }
});

Deno.test("remedyOf() leaves out what no step of a warm start has, and the workflow of a run that is not ours", () => {
  const patches = [
    { step: "sample_groups", key: "temperature", set: 1 },
    { step: "apply_update", key: "max_grad_norm", set: 1 },
  ] as const;
  assert.deepEqual(remedyOf(patches, undefined, sick("sft")).patches.map(patchLine), ["max_grad_norm: 1  # fine_tune"]);
  assert.deepEqual(remedyOf(patches, "by hand", viewOf({ settings: { temperature: 0.1 } })), {
    patches: [],
    options: ["trl: temperature=1"], // it clips at 1 anyway
    by_hand: "by hand",
  });
});

Deno.test("patchLine() is null where the value in force is not known", () => {
  const [patch] = remedyOf([{ step: "sample_groups", key: "max_new_tokens", mul: 2 }], undefined, viewOf({ own: true }))
    .patches;
  assert.equal(patch!.value, null);
  assert.equal(patchLine(patch!), null);
});
