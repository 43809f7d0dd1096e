/** Faults of the step `fine_tune`: the supervised warm start. @module */
import { faultsOf } from "./fault.ts";
import { columnArray } from "../../data/tables/mod.ts";
import { policyWeights, spoil, withColumns } from "./change.ts";
import { detached, overriding, trainedOn } from "./overriding.ts";

const { fault, altering, setting } = faultsOf("fine_tune");

export const SUPERVISED_FAULTS = {
  sft_learning_rate_ten: setting({
    about: "Fine-tune at a learning rate of 10",
    causes: ["learning_rate_too_high"],
    lookAlike: "sft_fast",
  }, () => ({ learning_rate: 10, warmup_updates: 0 })),
  sft_learning_rate_zero: setting({
    about: "Fine-tune at a learning rate of 0",
    causes: ["learning_rate_zero"],
    lookAlike: "sft",
  }, () => ({ learning_rate: 0 })),
  sft_crushing_clip: setting({
    about: "Fine-tune with the gradient clipped to a norm of 1e-12",
    causes: ["update_too_small"],
    lookAlike: "sft",
  }, () => ({ max_grad_norm: 1e-12 })),
  sft_nan_weight: altering({
    about: "Fine-tune a model with a NaN among its weights",
    causes: ["non_finite_weights"],
    lookAlike: "sft",
  }, (context) => spoil(policyWeights(context), "model.layers.0.mlp.up_proj.weight", NaN)),
  sft_no_labels: fault({
    about: "Fine-tune with every label masked out, as a wrong response template does",
    causes: ["no_supervised_tokens"],
    lookAlike: "sft",
    around: (_, context) =>
      trainedOn(
        context,
        (batch) => ({ batch: { completionMask: batch.completions.map(({ length }) => new Float32Array(length)) } }),
      ),
  }),
  sft_detached_loss: fault({
    about: "Fine-tune with the loss detached from the parameters",
    causes: ["broken_gradient_path"],
    lookAlike: "sft",
    around: (_, context) => detached(context),
  }),
  sft_one_row: fault({
    about: "Fine-tune on copies of one row",
    causes: ["overfitting"],
    rule: "statistical",
    lookAlike: "sft",
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
