/** TRL's configurations with an option that it only misses later, against the translation of such a file. @module */
import { ourDefault } from "../../translate/settle.ts";
import { applyTable } from "../../translate/table.ts";
import { TRAINERS } from "../../translate/trainers.ts";
import type { Value } from "../../translate/written.ts";
import { defineTopic } from "../topic.ts";

/**
 * TRL takes an unknown loss_type until its first loss is computed. The table of its options takes it too and says of the
 * option that it is not supported; no workflow is written of such a file, and `apply_update` refuses the name.
 */
export const trlConfig = defineTopic<Readonly<Record<string, Value>>, unknown>({
  about: "TRL 1.16 GRPOConfig: an unknown loss_type is taken (workflows/translate)",
  takes: { edge: ({ name }) => /^trl\/grpo\/config_unknown/.test(name) },
  evaluate({ params }) {
    const options = Object.entries(params).map(([name, value], i) => ({ name, value, line: i + 1 }));
    const { outcomes } = applyTable(TRAINERS.trl["grpo"]!, options, "TRL", ourDefault);
    const told = outcomes.filter(({ line, class: kind }) => line > 0 && kind === "not_supported");
    return { accepted: told.length === options.length };
  },
});
