/** TRL's configurations whose groups cannot be, against the groups that `compute_advantages` takes. @module */
import { table } from "arquero";
import { checkedGroups } from "../../../steps/advantages/groups.ts";
import { advantageSettings, DEFAULT_ESTIMATOR } from "../../../steps/advantages/presets.ts";
import { defineTopic } from "../topic.ts";

interface Params {
  readonly num_generations: number;
  readonly per_device_train_batch_size?: number;
}

export const trlGroups = defineTopic<Params, unknown>({
  about: "TRL 1.16 GRPOConfig: groups of one, and batches that are no whole groups (steps/advantages/groups.ts)",
  takes: { edge: ({ name }) => /^trl\/grpo\/config_(?:num_generations|batch)/.test(name) },
  evaluate({ params: { num_generations: size, per_device_train_batch_size: count = 4 * size } }) {
    const rows = Array.from({ length: count }, (_, row) => row), { entry } = advantageSettings({});
    const completions = table({
      prompt_id: rows.map((row) => Math.floor(row / size)),
      sample: rows.map((row) => row % size),
    });
    const groups = checkedGroups(completions, DEFAULT_ESTIMATOR, entry.minGroupSize(entry.params.parse({})), size);
    return { accepted: groups.length === count };
  },
});
