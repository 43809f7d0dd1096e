/** TRL's configurations with an option that it only misses later, against the translation of such a file. @module */
import { translated } from "../../translate/translate.ts";
import type { Value } from "../../translate/written.ts";
import { defineTopic } from "../topic.ts";

/**
 * TRL takes an unknown loss_type until its first loss is computed. A translation takes the file too and says of the option
 * that it is not supported; `apply_update` itself refuses such a name before the run.
 */
export const trlConfig = defineTopic<Readonly<Record<string, Value>>, unknown>({
  about: "TRL 1.16 GRPOConfig: an unknown loss_type is taken (workflows/translate)",
  takes: { edge: ({ name }) => /^trl\/grpo\/config_unknown/.test(name) },
  evaluate({ params }) {
    const options = Object.entries(params).map(([name, value], i) => ({ name, value, line: i + 1 }));
    const foreign = { system: "trl", trainer: "grpo", form: "a configuration", options, notes: [] } as const;
    const { outcomes } = translated(foreign, "grpo.yaml", "grpo");
    const told = outcomes.filter(({ line, class: kind }) => line > 0 && kind === "not_supported");
    return { accepted: told.length === options.length };
  },
});
