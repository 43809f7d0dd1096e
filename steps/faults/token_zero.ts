/** What a sampler writes on logits that are NaN: token 0 up to the cap, on every row. @module */
import { columnArray } from "../../data/tables/mod.ts";
import type { StepContext } from "../step.ts";
import { withColumns } from "./change.ts";

/** Rewrites the completions of the train step in place: token 0 only, as long as the longest, with log-probs NaN. */
export function onlyTokenZero(context: StepContext): void {
  const table = context.table("completions"), rows = Array.from({ length: table.numRows() });
  const lengths = Array.from(columnArray(table, "completion_tokens") as ArrayLike<number>);
  const tokens = Math.max(...lengths), ids = new Int32Array(tokens), nan = new Float32Array(tokens).fill(NaN);
  const each = <T>(value: T) => rows.map(() => value);
  const completions = withColumns("completions", table, {
    token_ids: each(ids),
    text: each(context.resource("policy").decode(ids)),
    completion_tokens: each(tokens),
    truncated: each(true),
    completion_mask: each(new Float32Array(tokens).fill(1)),
    sampler_logprobs: each(nan),
    ...(table.column("ref_logprobs") ? { ref_logprobs: each(nan) } : {}),
  });
  context.write({ completions });
}
