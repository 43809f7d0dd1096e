/** Which goldens hold each aggregation's values and gradients: one without does not type-check. @module */
import type { Aggregation } from "../../../gpu/losses/aggregations.ts";

/** TRL's `loss_type` in trl_grpo_losses.json, verl's `loss_agg_mode` in verl_policy_losses.json. */
type Golden =
  | { readonly trl: string; readonly verl?: string }
  | { readonly trl?: string; readonly verl: string }
  | { readonly trl?: never; readonly verl?: never; readonly file: string };

export const GOLDENS: Record<Aggregation, Golden> = {
  token_mean: { trl: "bnpo", verl: "token-mean" },
  rollout_token_mean: { trl: "dapo" },
  token_sum: { verl: "token-sum" },
  sequence_mean: { trl: "grpo", verl: "seq-mean-token-mean" },
  sequence_sum: { trl: "luspo", verl: "seq-mean-token-sum" },
  completion_mean: { file: "trl_rloo.json" },
  sequence_sum_norm: { trl: "dr_grpo", verl: "seq-mean-token-sum-norm" },
};

const byName = (system: "trl" | "verl"): ReadonlyMap<string, Aggregation> =>
  new Map(
    (Object.entries(GOLDENS) as [Aggregation, Golden][]).flatMap(([ours, { [system]: theirs }]) =>
      theirs === undefined ? [] : [[theirs, ours]]
    ),
  );
/** Our name of theirs. */
export const TRL = byName("trl"), VERL = byName("verl");
