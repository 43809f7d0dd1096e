// Cells of a notebook, written by deno task docs.
// deno-lint-ignore-file
// deno-fmt-ignore-file
import { defineWorkflow, openWorkflow, show } from "../../../workflows/mod.ts";

const run = await openWorkflow(defineWorkflow({
  name: "inside",
  seed: 1,
  threads: 1,
  steps: [
    { uses: "load_prompts", with: { task: "addition", digits: 1 } },
    { uses: "load_model", with: { model: "../tests/models/warm_addition" } },
    {
      repeat: 1,
      steps: [
        { uses: "sample_groups", with: { prompts_per_step: 4, group_size: 8, max_new_tokens: 4, temperature: 1 } },
        { uses: "score_rewards", with: { rewards: [{ uses: "verifier" }] } },
        { uses: "compute_advantages", with: { estimator: "grpo" } },
        { uses: "apply_update", with: { loss: "clipped", aggregation: "token_mean", learning_rate: 1e-3, gradients_every: 1 } },
      ],
    },
  ],
}));
console.log(run.steps.join(" → "));
const sampled = await run.step("sample_groups");
await show(sampled.tables.completions!.select("prompt", "sample", "text", "completion_tokens").slice(0, 8));
const scored = await run.step("score_rewards");
console.log(scored.outputs);
await show(run.chart("groups"));
await run.step("compute_advantages");
const rows = run.table("completions").objects() as { prompt_id: number; reward: number; advantage: number }[];
const group = rows.filter(({ prompt_id }) => prompt_id === rows[0]!.prompt_id);
const mean = group.reduce((sum, { reward }) => sum + reward, 0) / group.length;
const std = Math.sqrt(group.reduce((sum, { reward }) => sum + (reward - mean) ** 2, 0) / (group.length - 1));
for (const { reward, advantage } of group) {
  console.log(reward, advantage.toFixed(5), ((reward - mean) / (std + 1e-4)).toFixed(5));
};
const updated = await run.step("apply_update");
await show(run.table("updates").select("loss", "grad_norm", "ratio_mean", "clip_fraction", "update_size"));
console.log(Object.keys(updated.tables).join(", "));
const tokens = run.table("completions").objects() as { advantage: number; completion_tokens: number }[];
const weight = tokens.reduce((sum, row) => sum + row.completion_tokens, 0);
const closed = -tokens.reduce((sum, row) => sum + row.advantage * row.completion_tokens, 0) / weight;
console.log("closed form", closed.toExponential(3), "measured", Number(run.table("updates").get("loss", 0)).toExponential(3));
await show(run.table("gradients").orderby("parameter").slice(0, 8));
import { gradients } from "../../../gpu/autodiff/gradients.ts";
import { Graph } from "../../../gpu/onnx/graph.ts";
import { encodeModel } from "../../../gpu/onnx/proto.ts";
import { openRuntime } from "../../../gpu/session.ts";

const graph = new Graph();
const logits = graph.input("logits", { dtype: "float64", shape: [4] });
const logprobs = logits.sub(logits.exp().sum().log());
const ratio = logprobs.slice([1], [2], [0]).sub(Math.log(0.3)).exp(); // old log-probability of token 1: ln 0.3
const loss = ratio.mul(1.5).min(ratio.max(0.8).min(1.2).mul(1.5)).neg().sum(); // advantage 1.5, clip 0.2
graph.output("loss", loss);
graph.output("gradient", gradients(loss, [logits])[0]!);
console.log([...new Set(graph.nodes.map(({ op }) => op))].join(" "));

const runtime = await openRuntime({ backend: "ffi", device: "cpu", threads: 1 });
const session = await runtime.session(encodeModel(graph));
const at = async (x: number[]) => {
  const given = { logits: runtime.tensor("float64", [4], Float64Array.from(x)) };
  const made = { loss: runtime.tensor("float64", []), gradient: runtime.tensor("float64", [4]) };
  await session.bind(given, made).run();
  return { loss: Number(made.loss.data[0]), gradient: Array.from(made.gradient.data as Float64Array) };
};
const point = [0.1, 0.2, -0.3, 0.4], h = 1e-6;
const { gradient } = await at(point);
for (let i = 0; i < 4; i++) {
  const moved = (by: number) => at(point.map((x, j) => j === i ? x + by : x));
  const quotient = ((await moved(h)).loss - (await moved(-h)).loss) / (2 * h);
  console.log(`d loss / d logit ${i}: ${gradient[i]!.toFixed(9)}   by differences ${quotient.toFixed(9)}`);
};
const { status, folder } = await run.finish();
console.log(status, folder.split("/").at(-1)!.replace(/^\d+-\d+-|-\w+$/g, ""));
