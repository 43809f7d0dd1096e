import assert from "node:assert/strict";
import type { LossPresetName } from "../../gpu/losses/presets.ts";
import { readCases } from "../gpu/safetensors.ts";
import { same } from "../same.ts";
import { trlOptions } from "../../workflows/goldens/topics/trl_grpo_losses.ts";
import { type GivenLogprobs, updateOn } from "./contexts/given_logprobs.ts";
import { ONE_LAYER, withTinyPolicy } from "./contexts/training_run.ts";

interface Case {
  readonly name: string;
  readonly params: Readonly<Record<string, number | string | boolean | null>>;
  readonly inputs: GivenLogprobs & { readonly num_items_in_batch: number; readonly tool_mask?: unknown };
  readonly outputs: {
    readonly loss: number;
    readonly grad_logprobs: readonly (readonly number[])[];
    readonly metrics: Readonly<Record<string, number>>;
  };
}

const cases = (file: string): Case[] => readCases(`goldens/formulas/${file}`);

/** Tolerance for float32, with the rounding of log-probs near -6 in ratios. */
function near(value: number, want: number, what: string): void {
  const equal = Object.is(value, want) || Math.abs(value - want) <= 1e-5 + 1e-4 * Math.abs(want);
  assert(equal, `${what}: ${value}, want ${want}`);
}

/** What the step is not given in a case: logits whose entropy is the case's, a sampler that is not the old policy. */
const ours = ({ params, inputs }: Case) =>
  !["cispo", "vespo"].includes(String(params["loss_type"])) && // their value is of log-probs, not of differences
  params["gradient_accumulation_steps"] === undefined && !("entropies" in inputs) && !("sampling_logprobs" in inputs);
const trl = cases("trl_grpo_losses.json").filter((one) =>
  ours(one) && /\/0$/.test(one.name) && !/adaptive|mask_truncated|vllm/.test(one.name) && !one.inputs.tool_mask &&
  typeof one.inputs.advantages[0] === "number"
);

Deno.test(`apply_update gives TRL's loss, KL and clip fraction in ${trl.length} cases`, () =>
  withTinyPolicy(async (run) => {
    assert(trl.length >= 40, `${trl.length}`);
    for (const one of trl) {
      const { name, params, inputs, outputs } = one;
      const { update, metrics } = await updateOn(run, inputs, trlOptions(one.params));
      near(update["loss"]!, outputs.loss, `${name} loss`);
      const region = outputs.metrics["clip_ratio/region_mean"];
      if (region !== undefined) near(update["clip_fraction"]!, region, `${name} clip fraction`);
      if (params["beta"]) near(update["kl"]!, outputs.metrics["kl"]!, `${name} kl`);
      assert.equal(metrics["clip_fraction"], update["clip_fraction"], name);
    }
  }, { ...ONE_LAYER, reference: "copy" }));

const edge = cases("edge.json").filter((one) =>
  ours(one) && /^trl\/grpo\/[^/]+\/(grpo|dapo)/.test(one.name) && one.inputs.logprobs &&
  // A NaN on padding is the model's own in a run, where no row has padding.
  !/on_padding/.test(one.name)
);

Deno.test(`apply_update gives TRL's loss at the edges, NaN and infinities too, in ${edge.length} cases, and applies none of those`, () =>
  withTinyPolicy(async (run) => {
    assert(edge.length >= 20, `${edge.length}`);
    for (const one of edge) {
      const { name, inputs, outputs } = one, before = run.weights();
      const { update, metrics } = await updateOn(run, inputs, trlOptions(one.params));
      near(update["loss"]!, outputs.loss, `${name} loss`);
      near(update["clip_fraction"]!, outputs.metrics["clip_ratio/region_mean"]!, `${name} clip fraction`);
      const numbers = [outputs.loss, ...outputs.grad_logprobs.flat()];
      const finite = numbers.every((value) => Number.isFinite(value) && Math.abs(value) < 1e15);
      assert.equal(Boolean(update["applied"]), finite, name);
      assert.equal(metrics["non_finite"], finite ? 0 : 1, name);
      same(run.weights(), before, name);
    }
  }, { ...ONE_LAYER, reference: "copy" }));

const VERL: Record<string, string> = {
  "token-mean": "token_mean",
  "token-sum": "token_sum",
  "seq-mean-token-mean": "sequence_mean",
  "seq-mean-token-sum": "sequence_sum",
};
/** Where verl leaves rows without a token out of its count, they are left out of the case. */
const verl = cases("verl_policy_losses.json").filter(({ name, params, inputs }) =>
  /^(vanilla|gspo)\//.test(name) && !/rollout_is|global_batch|sum-norm/.test(name) &&
  typeof inputs.advantages[0] === "number" && params["loss_agg_mode"] !== undefined
);

Deno.test(`apply_update gives verl's vanilla and GSPO losses and clip fractions in ${verl.length} cases`, () =>
  withTinyPolicy(async (run) => {
    assert(verl.length >= 25, `${verl.length}`);
    for (const { name, params, inputs, outputs } of verl) {
      const rows = inputs.completion_mask.flatMap((row, i) => row.includes(1) ? [i] : []);
      const kept = <T>(values: readonly T[]) => rows.map((i) => values[i]!);
      const gspo = params["loss_mode"] === "gspo", both = params["clip_ratio"] ?? 0.2;
      const bound = (value: unknown) => (value === null ? both : value ?? 0.2);
      const { update } = await updateOn(run, {
        logprobs: kept(inputs.logprobs),
        old_logprobs: kept(inputs.old_logprobs!),
        completion_mask: kept(inputs.completion_mask),
        advantages: kept(inputs.advantages),
      }, {
        preset: gspo ? "gspo" : "vanilla",
        ...(gspo ? {} : { aggregation: VERL[String(params["loss_agg_mode"])] }),
        ...(params["clip_ratio_c"] === undefined ? {} : { ratio_cap: params["clip_ratio_c"] }),
        clip_low: bound(params["clip_ratio_low"]),
        clip_high: bound(params["clip_ratio_high"]),
      });
      near(update["loss"]!, outputs.loss, `${name} loss`);
      if (!gspo) near(update["clip_fraction"]!, outputs.metrics["actor/pg_clipfrac"]!, `${name} clip fraction`);
    }
  }, ONE_LAYER));

/** The names without a system's. */
type PlainName = Exclude<LossPresetName, `${string}/${string}`>;

/** What the systems' own defaults say: TRL 1.16 GRPOConfig, DAPO's and GSPO's papers, verl's `actor` group. */
const DEFAULTS: Record<PlainName, readonly [low: number, high: number, cap: number, unit: "token" | "sequence"]> = {
  grpo: [0.2, 0.2, Infinity, "token"],
  bnpo: [0.2, 0.2, Infinity, "token"],
  dr_grpo: [0.2, 0.2, Infinity, "token"],
  dapo: [0.2, 0.28, Infinity, "token"],
  vanilla: [0.2, 0.2, 3, "token"],
  gspo: [3e-4, 4e-4, Infinity, "sequence"],
};
/** The weight of a token of a completion of `length`; two completions, 6 tokens in all, max_new_tokens 16. */
const WEIGHTS: Record<PlainName, (length: number) => number> = {
  grpo: (length) => 1 / length / 2,
  bnpo: () => 1 / 6,
  dr_grpo: () => 1 / 32,
  dapo: () => 1 / 6,
  vanilla: () => 1 / 6,
  gspo: (length) => 1 / length / 2,
};

Deno.test("apply_update follows a preset's bounds, cap, ratio level and aggregation, on both sides of each bound", () =>
  withTinyPolicy(async (run) => {
    const lengths = [4, 2], mask = [[1, 1, 1, 1], [1, 1, 0, 0]];
    for (const preset of Object.keys(DEFAULTS) as PlainName[]) {
      const [low, high, cap, unit] = DEFAULTS[preset];
      const ratios = [1 - 1.3 * low, 1 - 0.7 * low, 1 + 0.7 * high, 1 + 1.3 * high, 2.8, 3.5, Math.min(cap, 50) * 1.2];
      for (const ratio of ratios) {
        for (const sign of [1, -1]) {
          // At token level one token moves, at sequence level the mean of a completion's log-ratios.
          const moved = unit === "token" ? Math.log(ratio) : 4 * Math.log(ratio);
          const logprobs = [[moved, 0, 0, 0], [0, 0, 0, 0]], zero = mask.map((row) => row.map(() => 0));
          const advantages = [sign, 0.5];
          const { update } = await updateOn(
            run,
            { logprobs, old_logprobs: zero, completion_mask: mask, advantages },
            { preset },
          );
          const loss = (r: number, a: number) =>
            -Math.min(Math.min(r, cap) * a, Math.min(Math.max(r, 1 - low), 1 + high) * a);
          const first = unit === "token" ? loss(ratio, sign) + 3 * loss(1, sign) : 4 * loss(ratio, sign);
          const want = WEIGHTS[preset](lengths[0]!) * first + WEIGHTS[preset](lengths[1]!) * 2 * loss(1, 0.5);
          const what = `${preset}, ratio ${ratio}, advantage ${sign}`;
          assert(Math.abs(update["loss"]! - want) < 5e-6 * Math.max(1, ratio), `${what}: ${update["loss"]}, ${want}`);
          const bound = (sign > 0 && ratio > 1 + high) || (sign < 0 && ratio < 1 - low);
          near(update["clip_fraction"]!, bound ? (unit === "token" ? 1 / 6 : 1 / 2) : 0, `${what}: clip fraction`);
        }
      }
    }
  }, ONE_LAYER));
