// Cells of a notebook, written by deno task docs.
// deno-lint-ignore-file
// deno-fmt-ignore-file
import { defineDiagnosis, defineWorkflow, openRun, runWorkflow, show } from "../../../workflows/mod.ts";

const reward = await Deno.makeTempFile({ suffix: ".ts" });
await Deno.writeTextFile(
  reward,
  `export function score({ texts }, { bonus }) {
  return texts.map((text) => /^\\d+$/.test(text.trim()) ? bonus : 0);
}
`,
);
const { folder, status } = await runWorkflow(defineWorkflow({
  name: "own_reward",
  seed: 1,
  threads: 1,
  steps: [
    { uses: "load_prompts", with: { task: "addition", digits: 1 } },
    { uses: "load_model", with: { model: "../tests/models/warm_addition" } },
    {
      repeat: 15,
      steps: [
        { uses: "sample_groups", with: { prompts_per_step: 16, group_size: 8, max_new_tokens: 4 } },
        {
          uses: "score_rewards",
          with: { rewards: [{ uses: "verifier" }, { uses: reward, name: "number", with: { bonus: 0.5 } }] },
        },
        { uses: "compute_advantages", with: { estimator: "grpo" } },
        { uses: "apply_update", with: { learning_rate: 2e-4 } },
      ],
    },
  ],
}));
await Deno.remove(reward);
const run = await openRun(folder);
await show(run.chart("reward"));
await show(run.completions.select("prompt", "text", "reward.verifier", "reward.number", "reward").slice(-6));
const halved = defineDiagnosis({
  codes: [],
  severity: "warning",
  about: "The entropy has halved.",
  reads: ["entropy"],
  decision: "The last entropy is below half of the first.",
  hint: "Raise the temperature, or stop earlier.",
  lookAlikes: {},
  taughtBy: "this notebook",
  check(view) {
    const entropy = view.finite("entropy");
    const [first, last] = [entropy[0], entropy.at(-1)];
    if (first === undefined || last === undefined) return { missing: ["entropy"], because: "no record has it" };
    if (last > first / 2) return null;
    return {
      trainSteps: view.trainSteps.slice(-1),
      message: `The entropy goes from ${first.toFixed(3)} to ${last.toFixed(3)}`,
      evidence: [],
    };
  },
});
console.log(run.check(halved) ?? "silent on our run");
const trl = await openRun("../tests/cases/120-trl-grpo/trainer_state.json");
console.log(trl.check(halved));
await show(trl.chart("entropy"));
