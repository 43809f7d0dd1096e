/** Every rule of preflight: a plan it must speak of, and the look-alike at which it must be silent. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { WorkflowError } from "../../../workflows/diagnostics.ts";
import type { PreflightFinding } from "../../../workflows/preflight/finding.ts";
import { preflight, preflightOrRefuse, type PreflightRule, RULES } from "../../../workflows/preflight/preflight.ts";
import { planText, type Settings, smallPlan, withFiles } from "./small_plans.ts";

interface Case {
  readonly rule: PreflightRule;
  readonly what: string;
  readonly severity: PreflightFinding["severity"];
  readonly refuses?: boolean;
  readonly fires: Settings;
  /** In the message. */
  readonly says: RegExp;
  /** The text at the place that the finding points to. */
  readonly at?: string;
  readonly silent: Settings;
}

const CASES: readonly Case[] = [
  {
    rule: "group_size",
    what: "groups of one",
    severity: "error",
    refuses: true,
    fires: { sample: { group_size: 1 } },
    says: /group_size is 1, want at least 2 for estimator "grpo"/,
    at: "1",
    silent: { sample: { group_size: 1 }, advantages: { estimator: "reinforce_plus_plus" } },
  },
  {
    rule: "group_size",
    what: "two group sizes",
    severity: "error",
    refuses: true,
    fires: { advantages: { group_size: 4 } },
    says: /is 4 and of sample_groups 8/,
    at: "4",
    silent: { advantages: { group_size: 8 } },
  },
  {
    rule: "minibatches",
    what: "a batch that does not divide",
    severity: "error",
    refuses: true,
    fires: { update: { minibatches: 5, updates_per_rollout: 5 } },
    says: /16 prompts cannot be split into 5 minibatches/,
    at: "5",
    silent: { update: { minibatches: 4, updates_per_rollout: 4 } },
  },
  {
    rule: "near_greedy",
    what: "a cold temperature",
    severity: "error",
    fires: { sample: { temperature: 0.01 } },
    says: /temperature is 0.01: .* set temperature 1/,
    at: "0.01",
    silent: { sample: { temperature: 0.3 } },
  },
  {
    rule: "near_greedy",
    what: "top_k 1",
    severity: "error",
    fires: { sample: { top_k: 1 } },
    says: /set top_k 0/,
    at: "1",
    silent: { sample: { top_k: 2 } },
  },
  {
    rule: "near_greedy",
    what: "settings inherited from the model folder",
    severity: "error",
    fires: { model: { model: "cold" }, sample: { inherit_sampling: true } },
    says: /top_p is 0.001, inherited from generation_config.json of .*cold/,
    at: "true",
    silent: { model: { model: "cold" } },
  },
  {
    rule: "near_greedy",
    what: "inherited settings that the workflow overrides",
    severity: "error",
    fires: { model: { model: "cold" }, sample: { inherit_sampling: true, temperature: 1 } },
    says: /top_p is 0.001/,
    silent: { model: { model: "cold" }, sample: { inherit_sampling: true, temperature: 1, top_p: 1 } },
  },
  {
    rule: "answer_length",
    what: "no room for any answer",
    severity: "error",
    fires: { prompts: { digits: 2, min_digits: 2 }, sample: { max_new_tokens: 1 } },
    says: /shortest answer of split "train" needs 2; no completion can be right, want at least 3/,
    at: "1",
    silent: { prompts: { digits: 2, min_digits: 2 }, sample: { max_new_tokens: 3 } },
  },
  {
    rule: "answer_length",
    what: "no room for the longest answer",
    severity: "warning",
    fires: { prompts: { digits: 2, min_digits: 2 }, sample: { max_new_tokens: 2 } },
    says: /longest answer of split "train" needs 3; such prompts are never right/,
    silent: { prompts: { digits: 2, min_digits: 2 }, sample: { max_new_tokens: 2 }, reward: "length_penalty" },
  },
  {
    rule: "answer_length",
    what: "no room for the end where truncated completions are masked",
    severity: "error",
    fires: { sample: { max_new_tokens: 1, mask_truncated: true } },
    says: /needs 2 with its end/,
    silent: { sample: { max_new_tokens: 3, mask_truncated: true } },
  },
  {
    rule: "context_length",
    what: "prompts beyond the context",
    severity: "error",
    refuses: true,
    fires: { sample: { max_new_tokens: 253 } },
    says: /has 4 tokens, with 253 new ones 257: want at most 256/,
    at: "253",
    silent: { sample: { max_new_tokens: 252 } },
  },
  {
    rule: "learning_rate",
    what: "a learning rate of 0",
    severity: "error",
    fires: { update: { learning_rate: 0 } },
    says: /learning_rate is 0/,
    at: "0",
    silent: { update: { learning_rate: 1e-8, warmup_updates: 5 } },
  },
  {
    rule: "learning_rate",
    what: "a learning rate far out",
    severity: "error",
    fires: { update: { learning_rate: 0.3 } },
    says: /learning_rate is 0.3, 1000 times what is usual .* start from 0.0003/,
    at: "0.3",
    silent: { update: { learning_rate: 0.01 } },
  },
  {
    rule: "learning_rate",
    what: "a supervised learning rate far out",
    severity: "error",
    fires: { tune: { max_updates: 3, learning_rate: 10 } },
    says: /learning_rate is 10/,
    silent: { tune: { max_updates: 3, learning_rate: 0.01 } },
  },
  {
    rule: "gradient_bound",
    what: "a bound that leaves nothing",
    severity: "error",
    fires: { update: { max_grad_norm: 1e-9 } },
    says: /max_grad_norm is 1e-9/,
    at: "1e-9",
    silent: { update: { max_grad_norm: 0.01 } },
  },
  {
    rule: "clip_range",
    what: "a clip range of 0",
    severity: "error",
    fires: { update: { clip_low: 0, clip_high: 0 } },
    says: /clip_low and clip_high are 0/,
    silent: { update: { clip_low: 0 } },
  },
  {
    rule: "reference",
    what: "KL without a reference",
    severity: "error",
    refuses: true,
    fires: { update: { kl_coef: 0.1 } },
    says: /kl_coef is 0.1 and load_model has no reference/,
    at: "0.1",
    silent: { model: { reference: "copy" }, update: { kl_coef: 0.1 } },
  },
  {
    rule: "reference",
    what: "a reference without KL",
    severity: "info",
    fires: { model: { reference: "copy" } },
    says: /KL is measured, not used/,
    at: "copy",
    silent: { model: { reference: "copy" }, advantages: { kl_coef: 0.01 } },
  },
  {
    rule: "schedule",
    what: "a schedule that ends long before the run",
    severity: "warning",
    fires: { update: { schedule: "linear", schedule_updates: 4 } },
    says: /schedule_updates is 4 and the run makes up to 10 updates/,
    at: "4",
    silent: { update: { schedule: "linear", schedule_updates: 10 } },
  },
  {
    rule: "repair",
    what: "repairs without a diagnosis",
    severity: "warning",
    fires: { repair: "apply", diagnose: null },
    says: /no step diagnose/,
    silent: { repair: "apply" },
  },
  {
    rule: "model",
    what: "a model folder that is not there",
    severity: "error",
    refuses: true,
    fires: { model: { model: "./absent" } },
    says: /there is no model "\.\/absent": no preset \(small_qwen2, .*give a Hugging Face folder/,
    at: "./absent",
    silent: { model: { model: "a_run_of_yesterday" } },
  },
  {
    rule: "model",
    what: "a folder without weights",
    severity: "error",
    refuses: true,
    fires: { model: { model: "empty" } },
    says: /has neither model.safetensors/,
    silent: { model: { model: "cold" } },
  },
  {
    rule: "model",
    what: "a configuration that is no model",
    severity: "error",
    refuses: true,
    fires: { model: { model: { model_type: "gpt2" } } },
    says: /gpt2/,
    silent: { model: { model: "small_llama" } },
  },
  {
    rule: "trainable",
    what: "a pattern that matches nothing",
    severity: "error",
    refuses: true,
    fires: { model: { trainable: ["*.mlp.*", "*.lora_A.*"] } },
    says: /trainable "\*\.lora_A\.\*" matches no parameter of the model; it has model\.embed_tokens\.weight/,
    at: '"*.lora_A.*"',
    silent: { model: { trainable: ["*.mlp.*", "model.norm.*"] } },
  },
  {
    rule: "trainable",
    what: "next to nothing that trains",
    severity: "warning",
    fires: { model: { trainable: ["model.norm.weight"] } },
    says: /leaves 64 of \d+ parameters to train/,
    silent: { model: { trainable: ["*norm*", "*.o_proj.*"] } },
  },
  {
    rule: "vocabulary",
    what: "more tokens than rows",
    severity: "error",
    refuses: true,
    fires: { model: { model: "small_vocabulary" } },
    says: /the tokenizer has 512 tokens and the embedding 100 rows/,
    silent: { model: { model: "cold" } },
  },
  {
    rule: "vocabulary",
    what: "a reference that is not there",
    severity: "error",
    refuses: true,
    fires: { model: { reference: "adapter_off" }, update: { kl_coef: 0.1 } },
    says: /reference "adapter_off" is neither none nor copy/,
    silent: { model: { model: "cold", reference: "cold" }, update: { kl_coef: 0.1 } },
  },
  {
    rule: "tokens",
    what: "padding that ends a sequence",
    severity: "info",
    fires: { model: { model: "cold" } },
    says: /the padding token \d+ also ends a sequence: harmless here/,
    silent: {},
  },
  {
    rule: "tokens",
    what: "a chat template that is not there",
    severity: "error",
    refuses: true,
    fires: { model: { chat_template: true } },
    says: /the tokenizer has none/,
    silent: {},
  },
  {
    rule: "prompts",
    what: "a prompt file that is not there",
    severity: "error",
    refuses: true,
    fires: { prompts: { file: "absent.jsonl" } },
    says: /absent\.jsonl/,
    at: "absent.jsonl",
    silent: { prompts: { file: "sums.jsonl", answer_column: "sum" } },
  },
  {
    rule: "prompts",
    what: "an answer column that is not there",
    severity: "error",
    refuses: true,
    fires: { prompts: { file: "sums.jsonl", answer_column: "summ" } },
    says: /it has no column "summ" \(option answer_column\); did you mean "sum"/,
    at: "summ",
    silent: { prompts: { file: "sums.jsonl", answer_column: "sum" } },
  },
  {
    rule: "reward_file",
    what: "a reward file that is not there",
    severity: "error",
    refuses: true,
    fires: { reward: "./absent.ts" },
    says: /there is no reward file \.\/absent\.ts/,
    at: "./absent.ts",
    silent: { reward: "./reward.ts" },
  },
  {
    rule: "splits",
    what: "an accuracy to stop at without validation prompts",
    severity: "error",
    refuses: true,
    fires: { prompts: NO_VALIDATION(), tune: { max_updates: 3, until_accuracy: 0.5 } },
    says: /until_accuracy is measured on validation prompts and there are none/,
    at: "0.5",
    silent: { tune: { max_updates: 3, until_accuracy: 0.5 } },
  },
  {
    rule: "splits",
    what: "an evaluation of an empty split",
    severity: "error",
    refuses: true,
    fires: { prompts: NO_VALIDATION(), evaluate: { split: "validation" } },
    says: /split "validation" has no prompts/,
    silent: { prompts: NO_VALIDATION(), evaluate: { split: "held_out" } },
  },
];

function NO_VALIDATION() {
  return { splits: { train: 0.8, validation: 0, held_out: 0.2 } };
}

for (const { rule, what, severity, refuses = false, fires, says, at, silent } of CASES) {
  Deno.test(`preflight() reports ${rule}: ${what}; and stays silent on its look-alike`, () =>
    withFiles(async (folder) => {
      const found = (await preflight(smallPlan(fires, folder))).filter((finding) => finding.rule === rule);
      const shown = JSON.stringify(found.map(({ message }) => message));
      const hit = found.find(({ message }) => says.test(message));
      assert(hit !== undefined, `${rule} says ${shown}`);
      assert.equal(hit.severity, severity);
      assert.equal(hit.refuses, refuses);
      if (at !== undefined) {
        const { line, column } = hit.position!;
        assert.equal(planText(fires).split("\n")[line - 1]!.slice(column - 1, column - 1 + at.length), at);
        assert(hit.text.startsWith(`small.yaml:${line}:${column}: ${severity}: `), hit.text);
      }
      const others = (await preflight(smallPlan(silent, folder))).filter((finding) => finding.rule === rule);
      assert.deepEqual(others.filter(({ message }) => says.test(message)), []);
    }));
}

Deno.test("preflight() has a case that fires and one that is silent for every rule", () => {
  assert.deepEqual([...new Set(CASES.map(({ rule }) => rule))].sort(), Object.keys(RULES).sort());
});

Deno.test("preflight() is silent on a plan that can work, and takes errors first", () =>
  withFiles(async (folder) => {
    assert.deepEqual(await preflight(smallPlan({}, folder)), []);
    const found = await preflight(
      smallPlan(
        { model: { reference: "copy" }, update: { learning_rate: 0, schedule: "linear", schedule_updates: 2 } },
        folder,
      ),
    );
    assert.deepEqual(found.map(({ severity }) => severity), ["error", "warning", "info"]);
  }));

Deno.test("preflight() leaves alone what is known only during the run", () =>
  withFiles(async (folder) => {
    const open = { max_new_tokens: "${{ steps.load_prompts.outputs.max_new_tokens }}", group_size: 1 };
    assert.deepEqual(await preflight(smallPlan({ sample: open }, folder)), []);
  }));

Deno.test("preflight() finds the model of an earlier run in the runs folder", () =>
  withFiles(async (folder) => {
    const plan = smallPlan({ model: { model: "yesterday" } }, folder);
    const [missing] = await preflight(plan, { runsFolder: join(folder, "runs") });
    assert.match(missing!.message, /there is no model "yesterday"/);
    Deno.mkdirSync(join(folder, "runs", "yesterday"), { recursive: true });
    Deno.renameSync(join(folder, "cold"), join(folder, "runs", "yesterday", "model"));
    const found = await preflight(plan, { runsFolder: join(folder, "runs") });
    assert.deepEqual(found.filter(({ severity }) => severity !== "info"), []);
  }));

Deno.test("preflightOrRefuse() throws what no run survives, with places, and returns the rest", () =>
  withFiles(async (folder) => {
    const [greedy] = await preflightOrRefuse(smallPlan({ sample: { temperature: 0 } }, folder));
    assert.equal(greedy!.rule, "near_greedy");
    await assert.rejects(
      () => preflightOrRefuse(smallPlan({ sample: { group_size: 1, temperature: 0 } }, folder)),
      (error) => {
        assert(error instanceof WorkflowError);
        assert.match(error.message, /^small\.yaml:\d+:\d+: group_size is 1, want at least 2/);
        assert.equal(error.issues.length, 1);
        return true;
      },
    );
  }));
