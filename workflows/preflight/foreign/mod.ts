/** Every rule on other systems' configurations by its name: what `check`, docs/preflight.md and the tests read. @module */
import { ADAPTER_RULES } from "./adapter_rules.ts";
import { BATCH_RULES } from "./batch_rules.ts";
import { DEEPSPEED_RULES } from "./deepspeed_rules.ts";
import { DIAGNOSED } from "./diagnosed.ts";
import { FILE_RULES } from "./file_rules.ts";
import { KL_RULES } from "./kl_rules.ts";
import { LENGTH_RULES } from "./length_rules.ts";
import { LLAMAFACTORY_DATA_RULES } from "./llamafactory_data_rules.ts";
import { LLAMAFACTORY_RULES } from "./llamafactory_rules.ts";
import { LOSS_RULES } from "./loss_rules.ts";
import { NAME_RULES } from "./name_rules.ts";
import { NUMBER_RULES } from "./number_rules.ts";
import { OPTION_RULES } from "./option_rules.ts";
import { OPENRLHF_RULES } from "./openrlhf_rules.ts";
import { PRECISION_RULES } from "./precision_rules.ts";
import { PREFERENCE_RULES } from "./preference_rules.ts";
import { RATE_RULES } from "./rate_rules.ts";
import { REWARD_RULES } from "./reward_rules.ts";
import type { ForeignRule } from "./rule.ts";
import { RUN_RULES } from "./run_rules.ts";
import { SAMPLING_RULES } from "./sampling_rules.ts";
import { SCHEDULE_RULES } from "./schedule_rules.ts";
import { SHELL_RULES } from "./shell_rules.ts";
import { SWIFT_RULES } from "./swift_rules.ts";
import { SYNTAX_RULES } from "./syntax_rules.ts";
import { UNSLOTH_RULES } from "./unsloth_rules.ts";
import { VERL_ENGINE_RULES } from "./verl_engine_rules.ts";
import { VERL_RULES } from "./verl_rules.ts";
import { VISUAL_RULES } from "./visual_table.ts";
import { WORD_RULES } from "./word_rules.ts";

/** Rules by what they are about, in the order of the page. */
export const RULE_GROUPS = {
  "The file": {
    ...FILE_RULES,
    ...SHELL_RULES,
    ...SYNTAX_RULES,
    unknown_key: RUN_RULES.unknown_key,
    ...OPTION_RULES,
    ...NUMBER_RULES,
    ...WORD_RULES,
    ...NAME_RULES,
  },
  "Batches and groups": { ...BATCH_RULES, group_of_one: RUN_RULES.group_of_one },
  "Lengths": LENGTH_RULES,
  "Sampling": SAMPLING_RULES,
  "Rewards and loss": {
    ...REWARD_RULES,
    ...LOSS_RULES,
    ...KL_RULES,
    kl_without_weight: RUN_RULES.kl_without_weight,
    kl_charged_twice: RUN_RULES.kl_charged_twice,
  },
  "Pairs, labels, texts": PREFERENCE_RULES,
  "Adapters": ADAPTER_RULES,
  "Learning rate": RATE_RULES,
  "Precision and attention": PRECISION_RULES,
  "DeepSpeed": DEEPSPEED_RULES,
  "Length of the run": SCHEDULE_RULES,
  "verl": { ...VERL_RULES, ...VERL_ENGINE_RULES, minibatch_larger_than_batch: RUN_RULES.minibatch_larger_than_batch },
  "OpenRLHF": OPENRLHF_RULES,
  "ms-swift": SWIFT_RULES,
  "LLaMA-Factory": { ...LLAMAFACTORY_RULES, ...LLAMAFACTORY_DATA_RULES },
  "Unsloth": UNSLOTH_RULES,
  "Visual-RFT, VLM-R1, R1-V": VISUAL_RULES,
  "Found by the doctor's diagnoses": DIAGNOSED,
} as const satisfies Record<string, Record<string, ForeignRule>>;

/** All of them by name; no two groups have one name. */
export const FOREIGN_RULES: Readonly<Record<string, ForeignRule>> = Object.assign({}, ...Object.values(RULE_GROUPS));
