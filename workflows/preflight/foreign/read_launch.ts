/** Reads the trainings that a launch script, a configuration, a Python script or a notebook starts. @module */
import { dirname, resolve } from "node:path";
import { isFile, textIfThere } from "../../../data/file_system.ts";
import { normaliseOption } from "../../../data/options.ts";
import type { SystemName } from "../../../data/systems.ts";
import { type TrainingCommand, trainingCommands } from "../../translate/command_line.ts";
import { readPython } from "../../translate/python_call.ts";
import {
  configurationOptions,
  flagsOf,
  looksLikePython,
  overridesOf,
  systemOf,
  trainerOf,
} from "../../translate/read_options.ts";
import type { Written } from "../../translate/written.ts";
import { yamlOptions } from "../../translate/yaml_options.ts";
import { Launch, type Told } from "./launch.ts";
import { roundsOf } from "./loop_rounds.ts";
import { notebookCode } from "./notebook_code.ts";
import { bracketsRefusal } from "./syntax_rules.ts";

const MAX_BYTES = 1 << 20, MAX_CONFIGURATION = 200_000; // A YAML of a million bytes takes a minute to parse.
const MODEL_FILES = /^(?:generation_config|config|adapter_config|tokenizer_config|special_tokens_map)\.json$/;

/** What a script of TRL makes. */
const TRAINING = /\b(GRPO|KTO|DPO|SFT|RLOO|Reward|PPO|ORPO|CPO|OnlineDPO|GKD)(?:Config|Trainer)\s*\(/;

/** The trainings of a file; none where it is no text, too large, or of no system that is known here. */
export function readLaunches(path: string): Launch[] {
  const text = isFile(path) ? textIfThere(path) : null;
  if (text === null || text.length > MAX_BYTES || text.includes("\0")) return [];
  return launchesOf(path, text);
}

/** The trainings of a text of that name. */
export function launchesOf(path: string, raw: string): Launch[] {
  const text = raw.replaceAll("\r\n", "\n"), launches = launchesIn(path, text);
  return raw === text ? launches : launches.map((launch) => new Launch({ ...launch, raw }));
}

function launchesIn(path: string, text: string): Launch[] {
  const name = path.split("/").at(-1)!;
  if (/\.ipynb$/.test(name)) {
    const code = notebookCode(text);
    return code === null ? [] : fromPython(path, code);
  }
  if (/\.py$/.test(name)) return fromPython(path, text);
  if (/\.(?:ya?ml|json)$/.test(name)) {
    return MODEL_FILES.test(name) || text.length > MAX_CONFIGURATION ? [] : fromConfiguration(path, text);
  }
  if (!/\.(?:sh|bash|zsh|slurm|sbatch|txt|env|cmd)$|^[^.]+$/.test(name)) return [];
  const { commands, loops } = trainingCommands(text);
  if (commands.length > 0) {
    return commands.flatMap((command) => {
      const rounds = roundsOf(command, loops);
      return rounds.flatMap((one, i) => fromCommand(path, text, one, rounds.length > 1 ? i : null));
    });
  }
  return looksLikePython(text) ? fromPython(path, text) : [];
}

function fromPython(path: string, text: string): Launch[] {
  const { trainer, options } = readPython(text);
  const system: SystemName = /\bunsloth\b|\bFast(?:Language|Vision|)Model\b/.test(text) ? "unsloth" : "trl";
  if (trainer === null || options.length === 0) {
    // A bracket that is open takes the rest of the script into it: a rule says so.
    const named = TRAINING.exec(text)?.[1]?.toLowerCase();
    if (named === undefined || bracketsRefusal(text) === null) return [];
    return [
      new Launch({
        path,
        text,
        system,
        trainer: named,
        form: "keywords",
        options: [],
        beside: new Map(),
        isWhole: false,
      }),
    ];
  }
  return [made(path, text, system, trainer, "keywords", options)];
}

function fromConfiguration(path: string, text: string): Launch[] {
  // A tab that indents is refused by YAML; what stands behind it is read all the same.
  const spaced = text.replaceAll(/^[ \t]+/gm, (indent) => indent.replaceAll("\t", "  "));
  const options = configurationOptions(yamlOptions(spaced, path.endsWith(".json")).options);
  const names = new Set(options.map(({ name }) => name));
  if (names.has("steps") || [...names].some((name) => /^steps\.\d+\.uses$/.test(name))) return [];
  const system = systemOf(names);
  return system === null ? [] : [made(path, text, system, trainerOf(system, options, path), "keys", options)];
}

/** One command: with the configuration that it reads, where that lies beside it. */
function fromCommand(path: string, text: string, command: TrainingCommand, round: number | null): Launch[] {
  const read = command.system === "verl" ? overridesOf(command) : flagsOf(command);
  const processes = command.processes === null
    ? []
    : [{ name: "num_processes", value: command.processes, line: command.line }];
  const near = read.files.map((file) => [file, besideOf(file, path)] as const);
  const below = near.flatMap(([, found]) =>
    found === null ? [] : configurationOptions(yamlOptions(found.text, found.path.endsWith(".json")).options)
      .map(placing(found.path, found.text))
  );
  const options = [...below, ...[...read.options, ...processes].map(placing(path, text))];
  if (options.length === 0) return [];
  const trainer = command.trainer ?? trainerOf(command.system, options, path);
  const form = command.system === "verl" ? "overrides" : below.length > read.options.length ? "keys" : "flags";
  const given = ["deepspeed", "config_file", "ds_config"].flatMap((name) =>
    options.findLast((one) => one.name === name) ?? []
  );
  const beside = new Map(given.flatMap(({ value }) => {
    const found = typeof value === "string" && /\.(?:json|ya?ml)$/.test(value) ? besideOf(value, path) : null;
    return found === null ? [] : [[String(value), found.text] as const];
  }));
  const isWhole = near.every(([, found]) => found !== null) &&
    !command.words.some((word) => /^--config-(?:name|path|dir)/.test(word.text));
  return [new Launch({ path, text, system: command.system, trainer, form, options, beside, isWhole, round })];
}

function besideOf(file: string, script: string): { readonly path: string; readonly text: string } | null {
  const places = [resolve(dirname(script), file), resolve(dirname(script), file.split("/").at(-1)!)];
  const found = places.find(isFile), text = found === undefined ? null : textIfThere(found);
  return text === null || text.length > MAX_CONFIGURATION ? null : { path: found!, text };
}

function made(
  path: string,
  text: string,
  system: SystemName,
  trainer: string | null,
  form: "keys" | "keywords",
  options: readonly Written[],
): Launch {
  const all = options.map(placing(path, text));
  const beside = new Map(all.flatMap(({ name, value }) => {
    const found = /^(?:deepspeed|ds_config)$/.test(name) && typeof value === "string" ? besideOf(value, path) : null;
    return found === null ? [] : [[String(value), found.text] as const];
  }));
  return new Launch({ path, text, system, trainer, form, options: all, beside });
}

/** Gives options of a text their places: where the name stands in its line, or in the line of the array that holds it. */
function placing(source: string, text: string): (option: Written) => Told {
  const lines = text.replaceAll("-", "_").split("\n"); // Once for all of them.
  return ({ name, value, line }) => {
    const own = normaliseOption(name), last = own.slice(own.lastIndexOf(".") + 1);
    const columnIn = (at = "") => at.includes(own) ? at.indexOf(own) : at.indexOf(last);
    const column = columnIn(lines[line - 1]),
      held = column >= 0 ? -1 : lines.findIndex((at) => at.includes(`__${own}`));
    return held < 0
      ? { name: own, value, line, source, column: Math.max(0, column) + 1 }
      : { name: own, value, line: held + 1, source, column: columnIn(lines[held]) + 1 };
  };
}
