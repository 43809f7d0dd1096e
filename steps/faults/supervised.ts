/** Faults of the step `fine_tune`: the supervised warm start. @module */
import { defineFault, NO_PARAMS, setting } from "./fault.ts";
import { columnArray } from "../../data/tables/mod.ts";
import { changeWeights, withColumns } from "./change.ts";
import { overriding, withModel } from "./overriding.ts";

const step = "fine_tune";

export const SUPERVISED_FAULTS = {
  sft_learning_rate_ten: setting({
    about: "Fine-tune at a learning rate of 10",
    step,
    causes: ["learning_rate_too_high"],
    rule: "exact",
    lookAlike: "sft_fast",
    params: NO_PARAMS,
  }, () => ({ learning_rate: 10, warmup_updates: 0 })),
  sft_learning_rate_zero: setting({
    about: "Fine-tune at a learning rate of 0",
    step,
    causes: ["learning_rate_zero"],
    rule: "exact",
    lookAlike: "sft",
    params: NO_PARAMS,
  }, () => ({ learning_rate: 0 })),
  sft_crushing_clip: setting({
    about: "Fine-tune with the gradient clipped to a norm of 1e-12",
    step,
    causes: ["update_too_small"],
    rule: "exact",
    lookAlike: "sft",
    params: NO_PARAMS,
  }, () => ({ max_grad_norm: 1e-12 })),
  sft_nan_weight: defineFault({
    about: "Fine-tune a model with a NaN among its weights",
    step,
    causes: ["non_finite_weights"],
    rule: "exact",
    lookAlike: "sft",
    params: NO_PARAMS,
    around(_, context) {
      changeWeights(context.resource("policy").model.weights, (name, values) => {
        if (name === "model.layers.0.mlp.up_proj.weight") values[5] = NaN;
      });
      return context;
    },
  }),
  sft_no_labels: defineFault({
    about: "Fine-tune with every label masked out, as a wrong response template does",
    step,
    causes: ["no_supervised_tokens"],
    rule: "exact",
    lookAlike: "sft",
    params: NO_PARAMS,
    around: (_, context) =>
      withModel(context, (model) => ({
        accumulateGradient: (batch, settings) =>
          model.accumulateGradient(
            { ...batch, completionMask: batch.completions.map(({ length }) => new Float32Array(length)) },
            settings,
          ),
      })),
  }),
  sft_detached_loss: defineFault({
    about: "Fine-tune with the loss detached from the parameters",
    step,
    causes: ["broken_gradient_path"],
    rule: "exact",
    lookAlike: "sft",
    params: NO_PARAMS,
    around: (_, context) =>
      withModel(context, (model) => ({
        async accumulateGradient(batch, settings) {
          const result = await model.accumulateGradient(batch, settings);
          model.weights.gradients.upload(new Float32Array(model.weights.layout.size));
          return result;
        },
      })),
  }),
  sft_one_row: defineFault({
    about: "Fine-tune on copies of one row",
    step,
    causes: ["overfitting"],
    rule: "statistical",
    lookAlike: "sft",
    params: NO_PARAMS,
    around: (_, context) =>
      overriding(context, {
        table(name) {
          const table = context.table(name);
          if (name !== "prompts") return table;
          const splits = Array.from(columnArray(table, "split") as ArrayLike<string>);
          const row = splits.indexOf("train");
          const copied = (column: string) => {
            const values = Array.from(columnArray(table, column) as ArrayLike<string>);
            return values.map((value, i) => splits[i] === "train" ? values[row]! : value);
          };
          return withColumns("prompts", table, { prompt: copied("prompt"), answer: copied("answer") });
        },
      }),
  }),
} as const;
