/** Reads a file of another system: which system, which trainer, which options. @module */
import { dirname, resolve } from "node:path";
import { messageOf } from "../../data/error_text.ts";
import { isFile, notAFile } from "../../data/file_system.ts";
import { flagOptions, type TrainingCommand, trainingCommands } from "./command_line.ts";
import { hydraOverrides } from "./hydra.ts";
import { readPython } from "./python_call.ts";
import { type Foreign, type ForeignSystem, ownEntry, shownValue, type Written } from "./written.ts";
import { yamlOptions } from "./yaml_options.ts";

const MAX_BYTES = 1 << 20;
const MAX_CONFIGURATION_BYTES = 200_000; // A YAML of a million bytes takes a minute to parse.
const KINDS =
  "want a TRL script or its command line, a verl, OpenRLHF, ms-swift, Visual-RFT, VLM-R1 or R1-V command line, or a YAML " +
  "of TRL, verl, OpenRLHF, ms-swift or LLaMA-Factory";

/** Reads a file. Throws a SyntaxError or RangeError that says what it is and what it should be. */
export async function readForeign(path: string, shown: string): Promise<Foreign> {
  const text = await readText(path, shown);
  const read = /\.py$/.test(path)
    ? fromPython(text, shown)
    : /\.(?:ya?ml|json)$/.test(path)
    ? fromConfiguration(text, path, shown)
    : await fromCommands(text, path, shown) ?? (looksLikePython(text) ? fromPython(text, shown) : null) ??
      (isConfigurationText(text) ? fromConfiguration(text, path, shown) : null);
  if (read === null) throw notOne(shown, "no command in it starts a training that is known here");
  if (read.options.length === 0) throw notOne(shown, "it sets no option");
  return read;
}

const notOne = (shown: string, what: string) => new SyntaxError(`Cannot translate "${shown}": ${what}; ${KINDS}`);

async function readText(path: string, shown: string): Promise<string> {
  const info = await Deno.stat(path).catch((error) => {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return null;
    throw error;
  });
  if (info === null) throw new RangeError(`Cannot translate "${shown}": there is no such file`);
  const what = notAFile(info);
  if (what !== null) throw new RangeError(`Cannot translate "${shown}": it is ${what}, want a file`);
  const most = /\.(?:ya?ml|json|txt)$/.test(path) ? MAX_CONFIGURATION_BYTES : MAX_BYTES;
  if (info.size > most) {
    throw new RangeError(`Cannot translate "${shown}": it has ${info.size} bytes, want at most ${most}; ${KINDS}`);
  }
  if (/\.(?:[cm]?[jt]sx?|ipynb|parquet|safetensors|gz|zip)$/.test(path)) {
    throw notOne(shown, "its name says that it is something else");
  }
  const bytes = await Deno.readFile(path);
  if (bytes.includes(0)) throw notOne(shown, "it is no text");
  const text = new TextDecoder().decode(bytes);
  if (text.includes("\ufffd")) throw notOne(shown, "it is no UTF-8 text");
  if (text.trim() === "") throw notOne(shown, "it is empty");
  return text;
}

export const looksLikePython = (text: string) =>
  /^\s*(?:from \w[\w.]* import |import \w)/m.test(text) && /Trainer\s*\(|Config\s*\(/.test(text);

/** Lines of `key: value`, as a log's head has them. */
function isConfigurationText(text: string): boolean {
  const lines = text.split("\n").filter((line) => /\S/.test(line) && !/^\s*#/.test(line));
  return lines.length > 0 && lines.length <= 2000 &&
    lines.filter((line) => /^\s*-?\s*["']?[A-Za-z_][\w.]*["']?\s*[:=]/.test(line)).length >= lines.length * 0.8;
}

function fromPython(text: string, shown: string): Foreign {
  const { trainer, options, notes, parses, functions } = readPython(text);
  if (trainer === null || parses) {
    throw notOne(
      shown,
      parses
        ? "it takes its arguments from the command line: give that command line (in a .sh file) or its --config YAML"
        : "it makes no trainer of TRL",
    );
  }
  return { system: "trl", trainer, form: "TRL script", options, notes, functions };
}

const SYSTEM_TITLES: Readonly<Record<ForeignSystem, string>> = {
  trl: "TRL",
  verl: "verl",
  openrlhf: "OpenRLHF",
  "ms-swift": "ms-swift",
  llamafactory: "LLaMA-Factory",
  "visual-rft": "Visual-RFT",
  "vlm-r1": "VLM-R1",
  "r1-v-family": "R1-V",
};

/** A YAML or `key: value` lines. */
function fromConfiguration(text: string, path: string, shown: string): Foreign {
  const lines = /\.(?:ya?ml|json)$/.test(path) ? text : text.replaceAll(/^(\s*[\w.]+)\s*=\s*(.*)$/gm, "$1: $2");
  const { options: read, problem } = yamlOptions(lines, path.endsWith(".json"));
  if (problem !== null) throw notOne(shown, problem);
  const options = configurationOptions(read);
  const names = new Set(options.map(({ name }) => name));
  if (names.has("steps") || [...names].some((name) => /^steps\.\d+\.uses$/.test(name))) {
    throw notOne(shown, "it is a workflow already");
  }
  const system = systemOf(names);
  if (system === null) throw notOne(shown, "it holds no option that is known here");
  const trainer = trainerOf(system, options, path);
  if (trainer === null) throw unclear(shown, system);
  return { system, trainer, form: `${SYSTEM_TITLES[system]} configuration`, options, notes: [] };
}

/** TRL's mixture of data sets, where it has one: what names it stands under its own options. */
export function configurationOptions(options: readonly Written[]): readonly Written[] {
  if (options.some(({ name }) => /^datasets\.1\./.test(name))) return options;
  return options.map((option) => {
    const name = ownEntry(MIXTURE, /^datasets\.0\.(\w+)$/.exec(option.name)?.[1] ?? "");
    return name === undefined ? option : { ...option, name };
  });
}

const MIXTURE: Readonly<Record<string, string>> = {
  path: "dataset_name",
  name: "dataset_config",
  split: "dataset_train_split",
  data_files: "train_dataset.data_files",
};

const unclear = (shown: string, system: ForeignSystem) =>
  new SyntaxError(
    `Cannot translate "${shown}": its ${
      SYSTEM_TITLES[system]
    } options do not say what is trained, want one of them to; ` +
      `add a line such as "trainer: grpo" (or kto, dpo, sft, rloo, reward)`,
  );

const HUGGING_FACE = [
  "per_device_train_batch_size",
  "gradient_accumulation_steps",
  "num_train_epochs",
  "model_name_or_path",
  "dataset_name",
  "num_generations",
  "max_completion_length",
  "lr_scheduler_type",
  "max_steps",
  "learning_rate",
  "reward_funcs",
  "loss_type",
  "beta",
];

/** Whose options they are, or null. */
export function systemOf(names: ReadonlySet<string>): ForeignSystem | null {
  const has = (...list: string[]) => list.some((name) => names.has(name));
  if (
    [...names].some((name) =>
      /^(?:actor_rollout_ref|algorithm\.|critic\.|trainer\.(?:total_epochs|n_gpus_per_node)|data\.train_files)/.test(
        name,
      )
    )
  ) return "verl";
  if (has("rlhf_type", "train_type", "sft_type", "tuner_type")) return "ms-swift";
  if (has("stage") && has("finetuning_type", "cutoff_len", "template", "do_train", "dataset_dir", "pref_loss")) {
    return "llamafactory";
  }
  if (
    has("algo.advantage.estimator", "advantage_estimator", "rollout.batch_size", "rollout_batch_size", "actor.adam.lr")
  ) return "openrlhf";
  return has(...HUGGING_FACE) ? "trl" : null;
}

const NAMED = /(?:^|[^a-z])(grpo|kto|dpo|sft|rloo|reward|ppo)(?:[^a-z]|$|trainer|config)/i;

/** What is trained: an option says it, options that only it has, or the file's name; null where nothing does. */
export function trainerOf(system: ForeignSystem, options: readonly Written[], path: string): string | null {
  const value = (name: string) => options.findLast((option) => option.name === name)?.value,
    has = (name: string) => value(name) !== undefined;
  if (system === "verl") {
    return has("data.prompt_key") && !options.some(({ name }) => name.startsWith("actor_rollout_ref")) ? "sft" : "ppo";
  }
  const said = value("trainer") ?? value("rlhf_type") ?? (system === "llamafactory" ? value("stage") : undefined);
  if (typeof said === "string") {
    return (/^(\w+?)(?:Trainer)?$/.exec(said)?.[1] ?? said).toLowerCase().replace(/^rm$/, "reward").replace(
      /^pt$/,
      "sft",
    );
  }
  if (system === "ms-swift") return "sft";
  if (system === "openrlhf") return "ppo";
  if (["num_generations", "max_completion_length", "reward_funcs", "num_iterations", "epsilon_high"].some(has)) {
    return has("normalize_advantages") || has("reward_clip_range") ? "rloo" : "grpo";
  }
  if (has("desirable_weight") || has("undesirable_weight")) return "kto";
  if (["loss_weights", "f_divergence_type", "ld_alpha", "discopop_tau", "precompute_ref_batch_size"].some(has)) {
    return "dpo";
  }
  if (["packing", "completion_only_loss", "assistant_only_loss", "dataset_text_field"].some(has)) return "sft";
  if (has("center_rewards_coefficient")) return "reward";
  const loss = value("loss_type");
  if (typeof loss === "string" && /^(?:kto|apo_zero_unpaired)$/.test(loss)) return "kto";
  if (typeof loss === "string" && /^(?:sigmoid|ipo|hinge|robust)$/.test(loss)) return "dpo";
  const named = NAMED.exec(path.split("/").at(-1)!)?.[1] ??
    options.map(({ value }) => NAMED.exec(String(value))?.[1]).find((name) => name !== undefined);
  return named?.toLowerCase() ?? null;
}

/** The last training command of a script. */
async function fromCommands(text: string, path: string, shown: string): Promise<Foreign | null> {
  const { commands } = trainingCommands(text), command = commands.at(-1);
  if (command === undefined) return null;
  const others = commands.slice(0, -1).map(({ line }) => String(line)), [first, ...rest] = others;
  const notes = first === undefined ? [] : [
    `${
      rest.length === 0 ? `line ${first} starts another training` : `lines ${listed(others)} start other trainings`
    }: ` +
    "it is not translated; give it in a file of its own",
  ];
  const read = command.system === "verl" ? overridesOf(command) : flagsOf(command);
  const configuration = read.files.length > 0 ? await configurationBeside(read.files[0]!, path) : null;
  if (configuration?.problem) notes.push(configuration.problem);
  const options = [...configuration?.options ?? [], ...read.options];
  if (command.processes !== null) options.push({ name: "num_processes", value: command.processes, line: command.line });
  notes.push(...read.notes, ...command.note === null ? [] : [command.note]);
  const trainer = command.trainer ?? trainerOf(command.system, options, path);
  if (trainer === null) throw unclear(shown, command.system);
  return { system: command.system, trainer, form: `${SYSTEM_TITLES[command.system]} command line`, options, notes };
}

const LISTED = 20;

/** The first of many, each in short. */
function listed(words: readonly string[]): string {
  const rest = words.length > LISTED ? ` and ${words.length - LISTED} more` : "";
  return words.slice(0, LISTED).map(shownValue).join(" ") + rest;
}

interface Flags {
  readonly options: readonly Written[];
  readonly notes: readonly string[];
  /** Configurations that the command reads. */
  readonly files: readonly string[];
}

/** Of a command that Hydra reads. */
export function overridesOf({ words }: TrainingCommand): Flags {
  const { overrides, rest } = hydraOverrides(words.filter(({ text }) => text !== "--"));
  const deleted = overrides.filter(({ deleted }) => deleted).map(({ name }) => `~${name}`);
  const notes = deleted.length === 0 ? [] : [`${listed(deleted)}: the default of what is removed holds here`];
  const strange = rest.filter(({ text }) => !/^--(?:config-name|config-path)/.test(text)).map(({ text }) => text);
  if (strange.length > 0) notes.push(`words that are no option: ${listed(strange)}`);
  return { options: overrides.filter(({ deleted }) => !deleted), notes, files: [] };
}

/** Of a command with flags. */
export function flagsOf({ words }: TrainingCommand): Flags {
  const { options, rest } = flagOptions(words);
  const files = [
    ...options.filter(({ name }) => name === "config").map(({ value }) => String(value)),
    ...rest.map(({ text }) => text).filter((text) => /\.(?:ya?ml|json)$/.test(text)),
  ];
  // LLaMA-Factory overrides its YAML as Hydra does.
  const { overrides, rest: strange } = hydraOverrides(rest.filter(({ text }) => !/\.(?:ya?ml|json)$/.test(text)));
  const notes = strange.length > 0 ? [`words that are no option: ${listed(strange.map(({ text }) => text))}`] : [];
  return { options: [...options.filter(({ name }) => name !== "config"), ...overrides], notes, files };
}

/** The options of a configuration that a command names; it may lie beside the script or where it is started. */
async function configurationBeside(
  file: string,
  script: string,
): Promise<{ options: Written[]; problem: string | null }> {
  const places = [resolve(dirname(script), file), resolve(dirname(script), file.split("/").at(-1)!)],
    found = places.find(isFile);
  if (found === undefined) {
    return {
      options: [],
      problem: `the command reads "${file}", which is not beside it: put it there, its options are missing`,
    };
  }
  try {
    const { options, problem } = yamlOptions(await readText(found, file), found.endsWith(".json"));
    return { options: options.map((option) => ({ ...option, line: 0 })), problem };
  } catch (error) {
    return { options: [], problem: messageOf(error) };
  }
}
