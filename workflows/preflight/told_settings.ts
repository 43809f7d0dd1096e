/** The settings of a configuration as its trainings are given them: variables filled in, expressions computed or left open. @module */
import type { AlgorithmName, ImportedRun, ImportedSetting } from "../../data/adapters/run/imported_run.ts";
import { settingTable } from "../../data/adapters/run/to_tables.ts";
import { findOption, normaliseOption } from "../../data/options.ts";
import type { SystemName } from "../../data/systems.ts";
import { isUnresolved } from "../translate/written.ts";
import type { Form, Launch, Told } from "./foreign/launch.ts";

/** What a trainer of a script is called by the doctor. */
const ALGORITHMS: ReadonlySet<string> = new Set<AlgorithmName>(["grpo", "ppo", "rloo", "kto", "dpo", "sft"]);

/** What the launcher makes of its own options: the file's own stand among the settings. */
const MADE: ReadonlySet<string> = new Set(["num_processes"]);

const last = (name: string) => name.slice(name.lastIndexOf(".") + 1);

/** A run whose settings have the values that its trainings are given, and which knows what it trains. */
export function withToldSettings(run: ImportedRun, launches: readonly Launch[]): ImportedRun {
  const [launch, ...others] = launches, only = others.length === 0 ? launch : undefined;
  const system = run.system ?? only?.system ?? null;
  const algorithm = run.algorithm ?? (ALGORITHMS.has(only?.trainer ?? "") ? only!.trainer as AlgorithmName : null);
  const told = new Map(launches.flatMap(({ options }) => options.map((option) => [placeOf(option), option] as const)));
  const calls = new Map(
    launches.filter(({ form }) => form === "keywords").flatMap(({ path, options }) =>
      options.map((option) => [`${path}:${option.line}:${last(option.name)}`, option] as const)
    ),
  );
  const programs = new Set(launches.filter(({ form }) => form === "keywords").map(({ path }) => path));
  const read = run.settings.flatMap((entry): ImportedSetting[] => {
    const own = { ...entry, option: findOption(entry.name, entry.system ?? system) };
    if (!programs.has(entry.source ?? "")) return [filled(own, told.get(placeOf(entry)))];
    const option = calls.get(`${entry.source}:${entry.line}:${last(normaliseOption(entry.name))}`);
    // What another call of a program is given is no option of the training: `generate(temperature=0)`.
    return option === undefined ? [] : [valued(own, option)];
  });
  const settings = [...read, ...unread(read, launches)].map((entry) => ({
    ...entry,
    option: findOption(entry.name, entry.system ?? system),
  }));
  const tables = { ...run.rows.tables, settings: settingTable(settings) };
  const log = run.rows.log === null ? null : { ...run.rows.log, system, algorithm };
  return { ...run, settings, system, algorithm, rows: { tables, log } };
}

const placeOf = ({ source, line, name }: Pick<ImportedSetting, "source" | "line" | "name">) =>
  `${source}:${line}:${normaliseOption(name)}`;

/** Of a command line: a variable, or a launcher's option that the line reader gave the program's name too. */
function filled(entry: ImportedSetting, option: Told | undefined): ImportedSetting {
  const isOpen = typeof entry.value === "string" ? entry.value.includes("$") : Array.isArray(entry.value);
  const value = option?.value;
  return isOpen && value != null && typeof value !== "object" ? { ...entry, value, written_type: typeof value } : entry;
}

/** Of a program: what its expression comes to, or the expression where only the program knows. */
function valued(entry: ImportedSetting, { value }: Told): ImportedSetting {
  if (isUnresolved(value)) return { ...entry, value: value.unresolved, written_type: "expression" };
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return entry;
  return { ...entry, value, written_type: value === null ? "null" : Array.isArray(value) ? "list" : typeof value };
}

/**
 * Options that a training is given and that no line of the file was read for: of a notebook, of a text in quotes; of a
 * program what is set later as well.
 */
function unread(settings: readonly ImportedSetting[], launches: readonly Launch[]): ImportedSetting[] {
  const keyOf = (source: string | null, line: number | null, name: string, form: Form) =>
    `${source}:${form === "keywords" ? line : ""}:${last(normaliseOption(name))}`;
  const missing = launches.flatMap(({ options, system, path, form }) => {
    const known = new Set(settings.map(({ source, line, name }) => keyOf(source, line, name, form)));
    return options
      .filter(({ name, line }) => !MADE.has(name) && !known.has(keyOf(path, line, name, form)))
      .map((option) => valued(settingOf(option, system), option));
  });
  return [...new Map(missing.map((entry) => [placeOf(entry), entry])).values()];
}

function settingOf({ name, value, source, line, column }: Told, system: SystemName): ImportedSetting {
  return {
    name,
    option: findOption(name, system),
    value,
    written_type: typeof value,
    system: null,
    source,
    line,
    column,
  };
}
