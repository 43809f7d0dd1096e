/** The rule invalid_config_value: its fault and its look-alikes. */
import assert from "node:assert/strict";
import rule from "../../../steps/diagnoses/invalid_config_value.ts";
import { viewOfPost } from "./told/view_of_post.ts";
import { flat, healthyBut, ramp, testRule } from "./synthetic.ts";

/** Pairs whose texts differ, a loss at its start and no gradient at all: beta 0 looks so, and a frozen adapter. */
const unmoved = (
  system: string,
  settings: Record<string, unknown> = {},
  more: Record<string, (number | null)[]> = {},
  algorithm = "dpo",
) => ({
  algorithm,
  system,
  settings,
  columns: {
    loss: flat(algorithm === "kto" ? 0.5 : 0.6931),
    grad_norm: flat(0),
    reward_margin: flat(0),
    chosen_logprob: ramp(-9, -8),
    rejected_logprob: ramp(-19, -18),
    ...more,
  },
});

testRule("invalid_config_value", {
  fires: {
    "beta 0 in DPO": {
      algorithm: "dpo",
      settings: { beta: 0 },
      columns: { loss: flat(0.6931), grad_norm: flat(0), reward_margin: flat(0) },
    },
    "beta 0 without a configuration": unmoved("nemo-rl"),
    "beta 0 in another's log": unmoved("nemo-rl", {}, { kl_coef: flat(0) }),
    "a learning rate as text": { settings: { learning_rate: "one e minus six" } },
    "PyYAML's 1e-6": { settings: { learning_rate: "1e-6" }, source: "config.yaml" },
    "the trainer's refusal": {
      messages: [
        "ValueError: The global train batch size (3 x 2) must be evenly divisible by the number of generations per prompt (8).",
      ],
    },
  },
  silent: {
    "a beta that is read": unmoved("trl", { beta: 0.1, gradient_checkpointing: true }),
    "a beta that is read as text": unmoved("trl", { beta: "0.1" }),
    "a beta that only the program knows": unmoved("nemo-rl", { beta: "args.beta" }),
    "a beta of LLaMA-Factory": unmoved("llamafactory", { pref_beta: 0.1 }),
    "a beta that the log prints": unmoved("nemo-rl", {}, { kl_coef: flat(0.1) }),
    "TRL's own beta, beside a configuration": unmoved("trl", { learning_rate: 5e-7, gradient_checkpointing: true }),
    "TRL's own beta, in a log alone": unmoved("trl"),
    "the same in KTO": unmoved("trl", { learning_rate: 5e-7 }, {}, "kto"),
    "the same of what is built on TRL": unmoved("ms-swift"),
    "OpenRLHF's own beta": unmoved("openrlhf"),
    "beta 0 in GRPO": healthyBut({}, { settings: { beta: 0.0 } }),
    "PyYAML's 1e-6 where the trainer reads it as a number": healthyBut(
      { learning_rate: flat(1e-6) },
      { settings: { learning_rate: "1e-6" }, source: "config.yaml" },
    ),
    "the same where no record prints the rate": healthyBut(
      { learning_rate: flat(null) },
      { settings: { learning_rate: "1e-6" }, source: "config.yaml" },
    ),
    "a flag written as text": healthyBut({}, { settings: { learning_rate: "1e-6" } }),
  },
});

/** What it says to do about a post with a configuration and what the trainer prints. */
async function hintOf(config: string, error: string) {
  const post = `ORPO with TRL stops at once.\n\n\`\`\`yaml\n${config}\n\`\`\`\n\n\`\`\`\n${error}\n\`\`\`\n`;
  const found = rule.check(await viewOfPost(post));
  return found !== null && "hint" in found ? found.hint : null;
}

const KIND = "TypeError: '<=' not supported between instances of 'float' and 'str'";

Deno.test("invalid_config_value says how a number is written that YAML reads as text", async () => {
  assert.equal(
    await hintOf("learning_rate: 8e-6\nbeta: 0.1", KIND),
    "Write learning_rate: 8.0e-6 in place of 8e-6, which YAML reads as text.",
  );
});

Deno.test("invalid_config_value promises an option in a message only where the message names one", async () => {
  assert.match(await hintOf("learning_rate: 8.0e-6\nbeta: 0.1", KIND) ?? "", /^Look in the traceback for the option/);
  assert.match(
    await hintOf("beta: 0.1", "TypeError: ORPOConfig.__init__() got an unexpected keyword argument 'betta'") ?? "",
    /^Do as its message says/,
  );
});
