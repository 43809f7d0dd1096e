/** Faults in the rules on other systems' configurations. @module */
import { mutationsOf } from "./mutation.ts";

const at = (name: string) => `workflows/preflight/foreign/${name}.ts`;

export const LAUNCHES = mutationsOf({
  [at("loss_rules")]: [
    ["clip_range_turned", "!(high < low)", "!(high > low)"],
    ["delta_above_the_clip_range", "delta > 1 + high", "delta < 1 + high"],
    ["cispo_cap_of_one_and_more", "cap >= 1", "cap >= 10"],
  ],
  [at("batch_rules")]: [["whole_groups_are_not", "all.count % size === 0", "all.count % size !== 0"]],
  [at("length_rules")]: [
    ["full_engine_is_too_short", "needs < limit : needs <= limit", "needs < limit : needs < limit"],
  ],
  [at("visual_rules")]: [["image_tokens_doubled", "PIXELS_OF_TOKEN = 784", "PIXELS_OF_TOKEN = 1568"]],
  [at("sampling_rules")]: [
    ["hot_doubled", "HOT = 2,", "HOT = 4,"],
    ["even_engines_are_not", "count % size === 0", "count % size !== 0"],
    [
      "cold_validation_is_sampled",
      "launch.flag(`${R}val_kwargs.do_sample`) === true && hot > 0",
      "launch.flag(`${R}val_kwargs.do_sample`) === true",
    ],
  ],
  [at("schedule_rules")]: [
    ["warmup_within_the_run", "warmup < all", "warmup > all"],
    ["saves_at_the_end", "every <= all", "every < all"],
    ["saves_divide_evaluations", "saved % each === 0", "each % saved === 0"],
  ],
  [at("precision_rules")]: [["bf16_overflows", '.replace(/bfloat16/, "")', ""]],
  [at("launch")]: [
    [
      "first_option_wins",
      "return this.options.findLast(({ name }) => names.includes(name));",
      "return this.options.find(({ name }) => names.includes(name));",
    ],
    ["defaults_of_what_is_elsewhere", "=== undefined && this.isWhole ? otherwise", "=== undefined ? otherwise"],
  ],
  [at("find")]: [["halves_are_judged", "&& (isWhole || !entry.wantsWhole)", ""]],
  [at("name_distance")]: [["plurals_are_typos", 'if (rest + other === "s") return false; // a plural', ""]],
});
