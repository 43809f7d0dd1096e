import assert from "node:assert/strict";
import type { Loss } from "../../../gpu/losses/mod.ts";
import { modelConfig } from "../../../gpu/models/config.ts";
import { parameterLayout } from "../../../gpu/models/parameters.ts";
import { logprobsGraph, trainGraph, type TrainGraphOptions } from "../../../gpu/training/train_graph.ts";
import { readJson } from "../safetensors.ts";

const config = modelConfig(readJson("models/qwen2/config.json"));
const OPTIONS: TrainGraphOptions = {
  config,
  layout: parameterLayout(config),
  adapter: null,
  shape: { prompts: 2, group: 3, promptTokens: 5, completionTokens: 4 },
  positions: 16,
  provider: "cpu",
  temperature: 1,
};
const CLIPPED: Loss = {
  objective: "clipped",
  clipLow: 0.2,
  clipHigh: 0.2,
  ratioCap: null,
  ratioLevel: "token",
  onPolicy: false,
  kl: null,
};
const shapes = (values: readonly { name: string; shape: readonly unknown[] }[]) =>
  Object.fromEntries(values.map(({ name, shape }) => [name, shape]));

Deno.test("trainGraph() asks for what the loss reads and gives gradients of what trains, nothing else", () => {
  const graph = trainGraph(OPTIONS, CLIPPED, new Set(["0.qkv", "norm"]), { accumulate: true });
  const inputs = Object.entries(shapes(graph.inputs)).filter(([name]) => !name.startsWith("weight."));
  assert.deepEqual(Object.fromEntries(inputs), {
    prompts: [2, 5],
    prompt_mask: [2, 5],
    completions: [6, 4],
    cos: [16, 8],
    sin: [16, 8],
    coefficients: [6, 4],
    completion_mask: [6, 4],
    advantages: [6, 4],
    old_logprobs: [6, 4],
    "gradient.before.0.qkv": [128, 64],
    "gradient.before.norm": [64],
  });
  assert.deepEqual(shapes(graph.outputs), {
    "gradient.0.qkv": [128, 64],
    "gradient.norm": [64],
    metrics: [8],
    logprobs: [6, 4],
    loss: [1],
  });
});

Deno.test("trainGraph() that does not accumulate reads no gradient", () => {
  const graph = trainGraph(OPTIONS, { objective: "cross_entropy" }, new Set(["embed"]), { accumulate: false });
  assert.deepEqual(graph.inputs.filter(({ name }) => /gradient|advantages|logprobs/.test(name)), []);
});

Deno.test("trainGraph() takes the exponentials of the vocabulary once, for the gradient and for the entropy", () => {
  const { nodes } = trainGraph(OPTIONS, { objective: "cross_entropy" }, new Set(["embed"]), { accumulate: false });
  assert.equal(nodes.filter(({ op }) => op === "Exp").length, 1);
});

Deno.test("logprobsGraph() gives log-probs per completion token, and what else is asked for", () => {
  assert.deepEqual(shapes(logprobsGraph(OPTIONS).outputs), { logprobs: [6, 4] });
  assert.deepEqual(shapes(logprobsGraph(OPTIONS, ["entropy"]).outputs), {
    logprobs: [6, 4],
    "statistic.entropy": [6, 4],
  });
  const { "statistic.top1": top1 } = shapes(logprobsGraph(OPTIONS, ["log_sum_squares", "top1"]).outputs);
  assert.deepEqual(top1, [6, 4]);
});
