/** Options that a trainer does not have: near names of its own, and names that another system has for the same. @module */
import { type OptionName, optionName, optionNames, OPTIONS } from "../../../data/options.ts";
import type { SystemName } from "../../../data/systems.ts";
import { isKnown, knownOptions } from "./known_options.ts";
import type { Launch, Told } from "./launch.ts";
import { isTypo } from "./name_distance.ts";
import { type Hit, hit, type LaunchRule, ON_TRAINER } from "./rule.ts";

const LEAST_LETTERS = 6; // Short names are too near to each other.

const last = (name: string) => name.slice(name.lastIndexOf(".") + 1);

/** Names that `unknown_key` compares with. */
const comparedIn = (system: SystemName) =>
  (Object.keys(OPTIONS) as OptionName[]).flatMap((option) => optionName(option, system) ?? []).map(last);

/** verl has all of its options in sections; elsewhere those are other functions' arguments (`model.`, `peft_config.`). */
const isWhole = ({ system }: Launch, name: string) =>
  system === "openrlhf" || name.includes(".") === (system === "verl");

/** The options of a launch that its trainer has not, as far as there is a table of it. */
function strangers(launch: Launch): readonly Told[] {
  const known = knownOptions(launch);
  return known === null
    ? []
    : launch.options.filter(({ name, source }) =>
      source === launch.path && isWhole(launch, name) && !isKnown(known, name)
    );
}

/** A program of one's own may have any option; the systems' own refuse what they do not know. */
const isOwnProgram = ({ form, system, text }: Launch) =>
  form !== "keywords" && (ON_TRAINER as readonly string[]).includes(system) && system !== "ms-swift" &&
  system !== "llamafactory" && !/\btrl\s+[a-z]+\b|\btrl\/scripts\//.test(text);

/** Hydra takes a new key behind a plus sign, and nothing reads it. */
const isAdded = ({ text, form }: Launch, { name, line }: Told) =>
  form === "overrides" && (text.split("\n")[line - 1] ?? "").includes(`+${name}`);

const severityOf = (launch: Launch, told: Told) => isOwnProgram(launch) || isAdded(launch, told) ? "warning" : "error";

/** A letter off, an ending too: argparse takes the beginning of an option for the option. */
function isNear(launch: Launch, written: string, own: string): boolean {
  const isPlural = written === `${own}s` || own === `${written}s`;
  if (!isPlural) return isTypo(written, own) && !comparedIn(launch.system).includes(own); // else unknown_key says it
  return !isOwnProgram(launch) && !(launch.form === "flags" && own.startsWith(written));
}

function unknownOption(launch: Launch): Hit[] {
  const known = knownOptions(launch);
  if (known === null) return [];
  return strangers(launch).flatMap((told) => {
    const end = last(told.name), section = told.name.slice(0, -end.length);
    if (end.length < LEAST_LETTERS) return [];
    const near = [...known.names].filter((name) =>
      last(name).length >= LEAST_LETTERS && isNear(launch, end, last(name))
    );
    const meant = near.find((name) => name === section + last(name)) ?? near[0];
    if (meant === undefined || launch.isWritten(meant)) return [];
    return {
      ...hit(`unknown key "${end}"; did you mean "${last(meant)}"?`, [told], { name: meant, value: told.value }),
      severity: severityOf(launch, told),
    };
  });
}

/** What people write for an option whose name they know from elsewhere. */
const ELSEWHERE: Readonly<Partial<Record<OptionName, readonly string[]>>> = {
  max_new_tokens: [
    "max_new_tokens",
    "max_completion_length",
    "max_response_length",
    "response_length",
    "generate_max_len",
    "max_gen_len",
  ],
  group_size: [
    "num_generations",
    "n_samples_per_prompt",
    "num_return_sequences",
    "group_size",
    "num_samples_per_prompt",
  ],
  learning_rate: ["lr", "learning_rate", "actor_learning_rate"],
  kl_coef: ["kl_coef", "kl_coeff", "kl_loss_coef", "init_kl_coef", "kl_beta", "beta"],
  epochs: ["num_epochs", "total_epochs", "n_epochs", "num_train_epochs"],
  train_steps: ["max_train_steps", "total_training_steps", "num_train_steps"],
  clip_low: ["eps_clip", "clip_eps", "cliprange", "clip_range", "clip_epsilon", "clip_ratio"],
  gradient_accumulation: ["gradient_accumulation", "grad_accum_steps", "accumulation_steps"],
  device_batch_size: ["per_device_batch_size", "micro_train_batch_size", "micro_batch_size"],
};

function nameOfOther(launch: Launch): Hit[] {
  const known = knownOptions(launch);
  if (known === null) return [];
  return strangers(launch).flatMap((told) => {
    const end = last(told.name);
    const found = (Object.entries(ELSEWHERE) as [OptionName, readonly string[]][]).find(([, names]) =>
      names.includes(end)
    );
    if (found === undefined) return [];
    const own = optionNames(found[0], launch.system, launch.isRollout).find((name) => known.names.has(name));
    if (own === undefined || last(own) === end && launch.system !== "verl") return [];
    const isSet = launch.isWritten(own), called = launch.called(own);
    return {
      ...hit(
        `this trainer has no option ${launch.called(told.name)}: another's name for ${called}${
          isSet ? ", which is set as well" : ""
        }; it is refused, or read by nothing`,
        [told],
        ...isSet ? [{ name: told.name }] : [{ name: own, value: told.value }],
      ),
      severity: severityOf(launch, told),
    };
  });
}

const SYSTEMS = [...ON_TRAINER, "verl", "openrlhf"] as const;

export const OPTION_RULES = {
  unknown_option: {
    systems: SYSTEMS,
    severity: "error",
    also: "warning",
    about: "An option that the trainer does not have, a letter or an ending from one that it has.",
    change: "the option's spelling",
    source:
      "the options of each trainer, workflows/translate; transformers, hf_argparser.py; Hydra: Key is not in struct",
    check: unknownOption,
  },
  name_of_other_system: {
    systems: SYSTEMS,
    severity: "error",
    also: "warning",
    about: "An option under the name that another system has for it.",
    change: "the option's name",
    source: "the options of each trainer, workflows/translate; Python: unexpected keyword argument",
    check: nameOfOther,
  },
} as const satisfies Record<string, LaunchRule>;
