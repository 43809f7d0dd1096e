/** Finds the training program in a shell script and its options: which system, which trainer, flags with values. @module */
import { type Command, shellCommands, type Word } from "./shell_words.ts";
import type { Variables } from "./shell_expansion.ts";
import { visualProgram } from "./visual_programs.ts";
import { type ForeignSystem, meant, type Value, type Written } from "./written.ts";

/** A training command: what it starts, its options, what its launcher says. */
export interface TrainingCommand {
  readonly system: ForeignSystem;
  /** Null where the options decide. */
  readonly trainer: string | null;
  readonly words: Command;
  /** Processes that the launcher starts, or null. */
  readonly processes: number | null;
  readonly line: number;
  /** What is to be told of the program, or null. */
  readonly note: string | null;
}

interface Program {
  readonly system: ForeignSystem;
  readonly pattern: RegExp;
  /** The trainer by what the pattern found. */
  readonly trainer: (match: RegExpExecArray) => string | null;
}

const TRL_TRAINERS = "grpo|kto|dpo|sft|rloo|reward|ppo|online_dpo|orpo|cpo|gkd|prm|xpo|nash_md";
const OPENRLHF_TRAINERS: Readonly<Record<string, string>> = {
  train_ppo_ray: "ppo",
  train_ppo: "ppo",
  train_rm: "reward",
};

/** Programs in the order in which a word is offered to them. */
const PROGRAMS: readonly Program[] = [
  {
    system: "verl",
    pattern:
      /^(?:\S*\/)?(?:verl\.trainer\.(main_\w+|fsdp_sft_trainer|sft_trainer)|verl\/trainer\/(\w+)\.py|recipe[./]\w+[./](?:src[./])?(main_\w+)(?:\.py)?|(main_ppo|main_dapo)(?:\.py)?)$/,
    trainer: (m) => /sft/.test(m.slice(1).join("")) ? "sft" : "ppo",
  },
  {
    system: "openrlhf",
    pattern:
      /^(?:\S*\/)?openrlhf(?:\.cli\.|\/cli\/)(train_\w+)(?:\.py)?$|^(?:\S*\/)(train_ppo_ray|train_dpo|train_kto|train_rm)\.py$/,
    trainer: (m) => OPENRLHF_TRAINERS[(m[1] ?? m[2])!] ?? (m[1] ?? m[2])!.replace("train_", ""),
  },
  {
    system: "ms-swift",
    pattern: /^(?:\S*\/)?swift(?:\/cli\/(rlhf|sft|pt)\.py)?$/,
    trainer: (m) => m[1] === "rlhf" || m[1] === undefined ? null : "sft",
  },
  { system: "llamafactory", pattern: /^(?:\S*\/)?(?:llamafactory-cli|train_bash\.py|lmf)$/, trainer: () => null },
  { system: "trl", pattern: /^(?:\S*\/)?trl$/, trainer: () => null },
  {
    system: "trl",
    pattern: new RegExp(`^(?:\\S*[/._-])?(${TRL_TRAINERS})(?:[_-][\\w-]+)?\\.py$|^trl\\.scripts\\.(${TRL_TRAINERS})$`),
    trainer: (m) => (m[1] ?? m[2])!,
  },
];

const LAUNCHER_PROCESSES = /^--?(?:nproc[_-]per[_-]node|num[_-]processes|num[_-]gpus)$/;
const LAUNCHER_NODES = /^--?(?:nnodes|num[_-]nodes|num[_-]machines)$/;

interface Script {
  readonly commands: TrainingCommand[];
  /** For what the environment decides. */
  readonly variables: Variables;
  /** Variables of loops with their values, where all of them are told. */
  readonly loops: ReadonlyMap<string, readonly string[]>;
}

/** The training commands of a script. */
export function trainingCommands(text: string): Script {
  const variables: Variables = new Map([["HOME", ["~"]], ["PWD", ["."]]]);
  const all = joined(withInner(shellCommands(text, variables), variables));
  const folder = all.findLast(([first, place]) => first!.text === "cd" && place !== undefined)?.[1]?.text;
  if (folder !== undefined) variables.set("PWD", [folder]); // Its name may say whose program it is.
  const commands = all.flatMap((command) => trainingCommand(command, variables) ?? []);
  return { commands, variables, loops: new Map(all.flatMap(loopOf)) };
}

/** `for NAME in VALUES`. */
function loopOf([first, name, sign, ...values]: Command): (readonly [string, readonly string[]])[] {
  if (first?.text !== "for" || sign?.text !== "in" || values.length === 0 || values.some(({ unknown }) => unknown)) {
    return [];
  }
  return [[name!.text, values.map(({ text }) => text)]];
}

/** `srun … bash -c 'torchrun …'`: the commands of the text that a shell is given, in the place of its own. */
function withInner(commands: readonly Command[], variables: Variables): Command[] {
  return commands.flatMap((command) => {
    const at = command.findIndex(({ text }, i) =>
      /^-\w*c$/.test(text) && /(?:^|\/)(?:ba|z)?sh$/.test(command[i - 1]?.text ?? "")
    );
    const inner = at < 0 ? undefined : command[at + 1];
    if (inner === undefined || !inner.quoted) return [command];
    return shellCommands(inner.text, variables).map((words) =>
      words.map((word) => ({ ...word, line: word.line + inner.line - 1 }))
    );
  });
}

/** A line of options alone belongs to the command before: a backslash was forgotten, or lost by copying. */
function joined(commands: readonly Command[]): Command[] {
  const result: Command[] = [];
  for (const command of commands) {
    const isRest = !command[0]!.quoted && /^(?:--[A-Za-z]|[+~]{0,2}[a-z_]\w*(?:\.[\w]+)+=)/.test(command[0]!.text);
    if (isRest && result.length > 0) result.push([...result.pop()!, ...command]);
    else result.push(command);
  }
  return result;
}

function trainingCommand(command: Command, variables: Variables): TrainingCommand | null {
  for (const { system, pattern, trainer } of PROGRAMS) {
    const at = command.findIndex(({ text }, i) => pattern.test(text) && (i === 0 || !/^-/.test(text)));
    if (at < 0) continue;
    const match = pattern.exec(command[at]!.text)!, before = command.slice(0, at);
    const sub = subcommand(system, command, at);
    if (sub === undefined) continue;
    const own = command.slice(at + 1 + (sub === null ? 0 : 1));
    const words = system === "ms-swift" ? withSizes(own, command[at]!, variables) : own;
    const visual = system === "trl" && sub === null ? visualProgram(command, at, variables) : null;
    return {
      system: visual?.system ?? system,
      trainer: visual !== null
        ? visual.trainer
        : sub !== null
        ? SUBCOMMANDS[sub] ?? (system === "trl" ? sub : null)
        : trainer(match),
      note: visual?.note ?? null,
      words,
      processes: launched(before, variables),
      line: command[at]!.line,
    };
  }
  return bare(command, variables);
}

/** Sizes of images that ms-swift reads from the environment, as options of the same names where none is written. */
function withSizes(words: Command, program: Word, variables: Variables): Command {
  return ["max_pixels", "min_pixels"].reduce((all, name) => {
    const size = variables.get(name.toUpperCase())?.join("") ?? "";
    const isWritten = all.some(({ text }) => text.replaceAll("-", "_").startsWith(`__${name}`));
    return !/^\d+$/.test(size) || isWritten
      ? all
      : [...all, ...[`--${name}`, size].map((text) => ({ ...program, text }))];
  }, words);
}

/** Words after the program that say what is trained; those that train nothing are not here. */
const SUBCOMMANDS: Readonly<Record<string, string | null>> = { rlhf: null, train: null, sft: "sft", pt: "sft" };

/** The word that says what a program does; null where it takes none, undefined where it trains nothing. */
function subcommand(system: ForeignSystem, command: Command, at: number): string | null | undefined {
  const program = command[at]!.text, next = command[at + 1]?.text;
  if (!/(?:^|\/)(?:swift|llamafactory-cli|lmf|trl)$/.test(program)) return null;
  if (next === undefined) return undefined;
  if (system === "trl") return new RegExp(`^(?:${TRL_TRAINERS})$`).test(next) ? next : undefined;
  return Object.hasOwn(SUBCOMMANDS, next) ? next : undefined;
}

/** A script of one's own, or options alone, whose flags say whose they are. */
function bare(command: Command, variables: Variables): TrainingCommand | null {
  const script = command.findIndex(({ text }) => /\.py$/.test(text));
  const first = command[0]!.text;
  if (script < 0 && !/^--|^[+~]{0,2}[\w.]+\.[\w.]+=/.test(first)) return null;
  const words = command.slice(script + 1), flags = new Set(words.map(({ text }) => text.replace(/=.*$/s, "")));
  const has = (...names: string[]) => names.some((name) => flags.has(`--${name}`));
  const system: ForeignSystem | null = has("rlhf_type", "train_type", "sft_type", "tuner_type")
    ? "ms-swift"
    : has("stage") && has("finetuning_type", "do_train", "template")
    ? "llamafactory"
    : [...flags].some((name) => /^[+~]{0,2}(?:actor_rollout_ref|algorithm|trainer)\./.test(name))
    ? "verl"
    : has(
        "advantage_estimator",
        "pretrain",
        "algo.advantage.estimator",
        "rollout.batch_size",
        "zero_stage",
        "actor.model_name_or_path",
      )
    ? "openrlhf"
    : has(
        "per_device_train_batch_size",
        "num_generations",
        "model_name_or_path",
        "max_completion_length",
        "reward_funcs",
      )
    ? "trl"
    : null;
  const visual = script < 0 ? null : visualProgram(command, script, variables);
  if (system === null) return null;
  const trainer = visual !== null
    ? visual.trainer
    : system === "openrlhf" || system === "verl"
    ? "ppo"
    : has("num_generations", "max_completion_length")
    ? "grpo"
    : null;
  return {
    system: visual?.system ?? system,
    trainer,
    note: visual?.note ?? null,
    words,
    processes: launched(command.slice(0, script + 1), variables),
    line: command[0]!.line,
  };
}

/** `--nproc_per_node 8 --nnodes 2`, `--num_processes=4`, NPROC_PER_NODE=8, CUDA_VISIBLE_DEVICES=0,1 under a launcher. */
function launched(words: Command, variables: Variables): number | null {
  const count = (pattern: RegExp): number | null => {
    for (const [i, { text }] of words.entries()) {
      const [name, value] = text.split("=", 2);
      if (!pattern.test(name!)) continue;
      const number = Number(value ?? words[i + 1]?.text);
      if (Number.isInteger(number) && number > 0) return number;
    }
    return null;
  };
  const fromEnvironment = Number(variables.get("NPROC_PER_NODE")?.join("") ?? NaN);
  const perNode = count(LAUNCHER_PROCESSES) ?? (fromEnvironment > 0 ? fromEnvironment : null);
  const nodes = count(LAUNCHER_NODES) ?? 1;
  if (perNode === null) return null;
  // accelerate counts the processes of all machines, the others those of one.
  return words.some(({ text }) => /accelerate$/.test(text)) ? perNode : perNode * nodes;
}

/** Options of a command: `--a b`, `--a=b`, `--a b c` as a list, `--a` as true, `--no_a` as it stands; the rest by itself. */
export function flagOptions(words: Command): { options: Written[]; rest: Word[] } {
  const options: Written[] = [], rest: Word[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (!isFlag(word)) {
      rest.push(word);
      continue;
    }
    const equals = word.text.indexOf("="),
      name = word.text.slice(0, equals < 0 ? undefined : equals).replace(/^--?/, "");
    if (equals >= 0) {
      options.push({ name, value: valueOf({ ...word, text: word.text.slice(equals + 1) }), line: word.line });
      continue;
    }
    let end = i + 1;
    while (end < words.length && !isFlag(words[end]!)) end++;
    const values = words.slice(i + 1, end).map(valueOf);
    options.push({
      name,
      value: values.length === 0 ? true : values.length === 1 ? values[0]! : values,
      line: word.line,
    });
    i += values.length;
  }
  return { options, rest };
}

const isFlag = ({ text, quoted }: Word) => !quoted && /^--?[A-Za-z]/.test(text) || /^--[A-Za-z][\w.-]*=/.test(text);

/** A word as a value: numbers, JSON lists and dicts, else text. */
export function valueOf({ text, unknown }: Pick<Word, "text" | "unknown">): Value {
  if (unknown) return { unresolved: text };
  const trimmed = text.trim();
  if (/^[[{]/.test(trimmed)) {
    try {
      return JSON.parse(trimmed) as Value;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return text; // a list of Hydra or Python: whoever knows the form reads it
    }
  }
  return meant(text);
}
