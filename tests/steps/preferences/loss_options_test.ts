import assert from "node:assert/strict";
import { z } from "zod";
import {
  isOfPairs,
  LOSS_OPTIONS,
  lossOf,
  type LossOptions,
  lossProblems,
  lossSettings,
  preferenceLoss,
} from "../../../steps/preferences/loss_options.ts";

const options = (given: Record<string, unknown>): LossOptions => z.strictObject(LOSS_OPTIONS).parse(given);

Deno.test("lossOf() makes the loss that the options name", () => {
  assert.deepEqual(lossOf(options({ loss: "kto", desirable_weight: 1.5 })), {
    objective: "kto",
    form: "kto",
    beta: 0.1,
    desirableWeight: 1.5,
    undesirableWeight: 1,
  });
  assert.deepEqual(lossOf(options({ loss: "kto_vanilla", detach_kl: true })), {
    objective: "kto_vanilla",
    beta: 0.1,
    detach: true,
  });
  const dpo = lossOf(options({ loss: "dpo", dpo_loss: ["sigmoid", "sft"], loss_weights: [1, 0.2], ld_alpha: 0.5 }));
  assert.deepEqual("losses" in dpo && [dpo.losses, dpo.ldAlpha], [[{ name: "sigmoid", weight: 1 }, {
    name: "sft",
    weight: 0.2,
  }], 0.5]);
  assert.deepEqual(["dpo", "kto"].map((loss) => isOfPairs(options({ loss }))), [true, false]);
});

Deno.test("lossProblems() names options that the loss does not read, weights that do not fit and what is unsafe", () => {
  const problems = (given: Record<string, unknown>) => lossProblems(options(given)).join("\n");
  assert.equal(problems({ loss: "dpo", dpo_loss: "robust", label_smoothing: 0.1 }), "");
  assert.match(problems({ loss: "dpo", desirable_weight: 2 }), /Cannot use "desirable_weight": loss is dpo, want kto/);
  assert.match(problems({ loss: "kto", dpo_loss: "ipo" }), /Cannot use "dpo_loss": loss is kto, want dpo/);
  assert.match(problems({ loss: "dpo", loss_weights: [1, 2] }), /loss_weights has 2 values, want one per dpo_loss/);
  assert.match(
    problems({ loss: "dpo", dpo_loss: "nca_pair", f_divergence: "forward_kl" }),
    /it reads plain log-ratios/,
  );
  assert.match(problems({ loss: "dpo", f_divergence_alpha: 2 }), /f_divergence is not alpha_divergence/);
  assert.match(problems({ loss: "kto_vanilla" }), /Cannot train with loss kto_vanilla/);
  assert.equal(problems({ loss: "kto_vanilla", unsafe: true }), "");
});

Deno.test("lossSettings() says what rules look for", () => {
  assert.deepEqual(lossSettings(options({ loss: "dpo", dpo_loss: ["sigmoid", "sft"] })), {
    algorithm: "dpo",
    loss: "sigmoid+sft",
    kl_coef: 0.1,
  });
  assert.equal(lossSettings(options({ loss: "kto_vanilla", unsafe: true })).kto_vanilla_loss, true);
});

Deno.test("preferenceLoss() makes the loss of options as they are written, with the defaults of the step", () => {
  assert.deepEqual(preferenceLoss({ loss: "dpo", beta: 0.3 }), lossOf(options({ loss: "dpo", beta: 0.3 })));
  assert.throws(() => preferenceLoss({ loss: "dpo", beta: -1 }), /Cannot use option "beta" of train_preferences/);
});
