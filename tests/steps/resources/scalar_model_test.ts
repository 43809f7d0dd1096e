import assert from "node:assert/strict";
import { SCORE } from "../../../gpu/models/parameters.ts";
import { restoreTrained, scalarModel, takeBody, trainedState } from "../../../steps/resources/scalar_model.ts";
import { same } from "../../same.ts";
import { ONE_LAYER, type TrainingRun, withTinyPolicy } from "../contexts/training_run.ts";

const make = ({ policy: { model } }: TrainingRun, seed = 1) =>
  scalarModel(model.runtime, { config: model.config, tensors: model.weights.toHuggingFace(), seed, stream: "head" });

Deno.test("scalarModel() keeps a head that the tensors have, and refuses a body of another shape", () =>
  withTinyPolicy(({ policy: { model } }) => {
    const tensors = model.weights.toHuggingFace(), { hiddenSize } = model.config;
    tensors.set(SCORE, { shape: [1, hiddenSize], data: new Float32Array(hiddenSize).fill(3) });
    const source = { config: model.config, tensors, seed: 1, stream: "head" };
    const scalar = scalarModel(model.runtime, source);
    assert(scalar.weights.toHuggingFace().get(SCORE)!.data.every((x) => x === 3));
    scalar.release();
    tensors.delete("model.norm.weight");
    assert.throws(() => scalarModel(model.runtime, source), /"model.norm.weight" is missing/);
  }, ONE_LAYER));

Deno.test("takeBody() takes all but the head", () =>
  withTinyPolicy((run) => {
    const scalar = make(run), head = scalar.weights.toHuggingFace().get(SCORE)!.data;
    run.policy.model.weights.values.upload(run.weights().map((x) => x * 2));
    takeBody(scalar, run.policy.model);
    const now = scalar.weights.toHuggingFace();
    assert.deepEqual(now.get(SCORE)!.data, head);
    for (const [name, { data }] of run.policy.model.weights.toHuggingFace()) same(now.get(name)!.data, data);
    scalar.release();
  }, ONE_LAYER));

Deno.test("trainedState() and restoreTrained() are bitwise, moments included", () =>
  withTinyPolicy(async (run) => {
    const [one, two] = [make(run), make(run, 2)];
    const batch = { prompts: [[5]], group: 1, completions: [[6, 7]], inputs: { returns: [[1, 2]] } };
    const adamw = { learningRate: 0.01, beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0, maxNorm: 1 };
    const step = async (model: typeof one) => {
      const loss = { objective: "value", clip: null } as const;
      await model.accumulateGradient(batch, { loss, aggregation: "token_mean", temperature: 1 });
      await model.applyUpdate(adamw);
    };
    await step(one);
    await restoreTrained(two, await trainedState(one));
    await step(one);
    await step(two);
    const values = ({ weights: { values, layout } }: typeof one) => values.download(new Float32Array(layout.size));
    same(values(two), values(one));
    assert.equal((await two.optimizer()).updates, 2);
    one.release();
    two.release();
  }, ONE_LAYER));
