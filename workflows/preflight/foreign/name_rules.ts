/** Options under names that are gone, and numbers that are text. @module */
import { withPoint } from "../../../data/with_point.ts";
import type { Launch } from "./launch.ts";
import { type Hit, hit, type LaunchRule, ON_TRAINER } from "./rule.ts";

/** Options that a version took away, with the name that it has since; null where there is none. */
const GONE: Readonly<
  Record<
    string,
    readonly { readonly systems: readonly Launch["system"][]; readonly now: string | null; readonly since: string }[]
  >
> = {
  evaluation_strategy: [{ systems: ON_TRAINER, now: "eval_strategy", since: "transformers 4.46" }],
  per_gpu_train_batch_size: [{ systems: ON_TRAINER, now: "per_device_train_batch_size", since: "transformers 4" }],
  no_cuda: [{ systems: ON_TRAINER, now: "use_cpu", since: "transformers 5" }],
  vllm_device: [{ systems: ["trl", "unsloth"], now: "vllm_mode", since: "TRL 0.16" }],
  max_seq_length: [{ systems: ["trl"], now: "max_length", since: "TRL 0.20" }],
  use_liger: [{ systems: ["trl"], now: "use_liger_kernel", since: "TRL 0.18" }],
  sft_type: [{ systems: ["ms-swift"], now: "train_type", since: "ms-swift 3" }],
  model_id_or_path: [{ systems: ["ms-swift"], now: "model", since: "ms-swift 3" }],
  batch_size: [{ systems: ["ms-swift"], now: "per_device_train_batch_size", since: "ms-swift 3" }],
  train_dataset_sample: [{ systems: ["ms-swift"], now: null, since: "ms-swift 3: write DATASET#1000" }],
  dpo_beta: [{ systems: ["llamafactory"], now: "pref_beta", since: "LLaMA-Factory 0.8" }],
  dpo_loss: [{ systems: ["llamafactory"], now: "pref_loss", since: "LLaMA-Factory 0.8" }],
  lora_r: [{ systems: ["llamafactory", "ms-swift"], now: "lora_rank", since: "the first version" }],
};

function gone(launch: Launch): Hit[] {
  return Object.entries(GONE).flatMap(([name, entries]) => {
    const told = launch.told(name), found = entries.find(({ systems }) => systems.includes(launch.system));
    if (told === undefined || found === undefined) return [];
    const { now, since } = found;
    return hit(
      `${launch.called(name)} is gone, or without effect, since ${since}${
        now === null ? "" : `: it is ${launch.called(now)} there`
      }`,
      [told],
      now === null ? { name } : { name: now, value: told.value },
    );
  });
}

/** Systems whose own reader makes a number of it, and which. */
const CONVERTS: Readonly<Partial<Record<Launch["system"], string>>> = {
  trl:
    "TRL's own command line reads the number all the same (argparse converts it), a script of one's own with yaml.safe_load does not",
  llamafactory: "LLaMA-Factory from 0.9.2 on reads the number all the same (OmegaConf), earlier ones do not",
};

function numberAsText(launch: Launch): Hit[] {
  const why = CONVERTS[launch.system];
  if (launch.form !== "keys" || !/\.ya?ml$/.test(launch.path) || why === undefined) return [];
  const lines = launch.text.split("\n");
  return launch.options.flatMap((option) => {
    const raw = /:\s*([-+]?\d+[eE][-+]?\d+|[-+]?\d+\.\d*[eE]\d+)\s*(?:#.*)?$/.exec(lines[option.line - 1] ?? "")?.[1];
    const pointed = raw === undefined ? null : withPoint(raw);
    if (typeof option.value !== "number" || pointed === null) return [];
    return {
      ...hit(
        `${option.name} "${raw}" is no number to PyYAML, which wants a point and a signed exponent in it; ${why}`,
        [option],
      ),
      change: [{ name: option.name, value: { unresolved: pointed } }],
      replaces: /is no number$/,
    };
  });
}

export const NAME_RULES = {
  option_gone: {
    systems: [...ON_TRAINER],
    severity: "info",
    about: "An option under a name that later versions do not have.",
    change: "the name, as the message has it",
    source: "transformers, TRL, ms-swift, LLaMA-Factory: release notes of the versions named",
    check: gone,
  },
  number_as_text: {
    systems: ["trl", "llamafactory"],
    severity: "warning",
    about: "A number without a point, which PyYAML reads as text; whether that matters depends on who reads the file.",
    change: "the number: 1.0e-6 in place of 1e-6",
    source: "YAML 1.1, float; TRL, scripts/utils.py, TrlParser; LLaMA-Factory, hparams/parser.py, read_args",
    check: numberAsText,
  },
} as const satisfies Record<string, LaunchRule>;
