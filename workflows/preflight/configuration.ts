/**
 * What cannot work in another system's configuration: the diagnoses that need settings only, and rules on the file itself.
 *
 * A configuration proves little: what depends on the model, the data or the number of processes is listed as not told.
 * @module
 */
import { type ReadOptions, readRun } from "../../data/adapters/read_run.ts";
import type { ImportedRun } from "../../data/adapters/run/imported_run.ts";
import { type OptionName, optionName, OPTIONS } from "../../data/options.ts";
import { SEVERITIES, type Severity } from "../../data/severity.ts";
import type { Finding, RunDiagnosis } from "../../steps/diagnoses/diagnosis.ts";
import { numberOf, type Own, own, type Rule, settingOf } from "./own_finding.ts";
import { folderSampling, VISUAL, VISUAL_RULES } from "./visual_rules.ts";
import { examineRun } from "../doctor/examine_run.ts";
import type { Examined } from "../doctor/examined.ts";

/** One problem with its place; line and column are from 1, column 1 where only the line is known. */
interface ConfigurationProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly cause: string;
  readonly severity: Severity;
  readonly message: string;
}

export interface CheckedConfiguration {
  readonly run: ImportedRun;
  /** With the findings of both kinds: what the doctor's reports print. */
  readonly examined: Examined;
  readonly problems: readonly ConfigurationProblem[];
  /** What a configuration alone does not tell, one line each. */
  readonly cannotTell: readonly string[];
}

/** Reads and checks configurations (YAML, JSON, shell script, Python); a folder is one run. */
export async function checkConfiguration(
  paths: readonly string[],
  options: ReadOptions = {},
): Promise<CheckedConfiguration[]> {
  return (await readRun(paths, options)).map(checkRun);
}

function checkRun(run: ImportedRun): CheckedConfiguration {
  const examined = examineRun(run);
  const own = RULES.flatMap((rule) => rule(run));
  const taken = new Set(own.flatMap(({ replaces }) => replaces));
  const findings = [
    ...own.map(({ finding }) => finding),
    ...examined.diagnosis.findings.filter(({ cause }) => !taken.has(cause)),
  ].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
  const cannotTell = open(run);
  return {
    run,
    examined: { ...examined, diagnosis: verdictOf(run, examined.diagnosis, findings, cannotTell) },
    problems: findings.flatMap((finding) => placeOf(run, finding)),
    cannotTell,
  };
}

function verdictOf(
  { settings, rows }: ImportedRun,
  diagnosis: RunDiagnosis,
  findings: readonly Finding[],
  cannotTell: readonly string[],
): RunDiagnosis {
  const alarms = findings.filter(({ severity }) => severity !== "info");
  if (alarms.length > 0) {
    return {
      ...diagnosis,
      verdict: "faulty",
      findings,
      reasons: alarms.map(({ cause, message }) => `${cause}: ${message}`),
    };
  }
  if ((rows.tables.metrics?.numRows() ?? 0) > 0) return { ...diagnosis, findings };
  const count = `no rule fires on ${settings.length} setting${settings.length === 1 ? "" : "s"}`;
  return {
    ...diagnosis,
    verdict: settings.length > 0 ? "benign" : "insufficient",
    findings,
    reasons: [count, ...cannotTell],
  };
}

/** The place of a finding: that of the last setting in its evidence, or of the first row. */
function placeOf(run: ImportedRun, { cause, severity, message, evidence }: Finding): ConfigurationProblem[] {
  const row = evidence.find(({ source, line }) => source !== null && line !== null);
  if (row === undefined) return [{ file: run.path, line: 1, column: 1, cause, severity, message }];
  const setting = run.settings.find(({ source, line, name }) =>
    source === row.source && line === row.line && name === row.name
  );
  return [{ file: row.source!, line: row.line!, column: setting?.column ?? 1, cause, severity, message }];
}

const RULES: readonly Rule[] = [
  unknownKeys,
  groupOfOne,
  klWithoutEffect,
  shortContext,
  largeMinibatch,
  ...VISUAL_RULES,
];

const LEAST_LETTERS = 6; // Short names are too near to each other.

/** A key that is one letter from a known one, which the file does not have: `learing_rate`. */
function unknownKeys(run: ImportedRun): Own[] {
  const system = run.system ?? "trl";
  const known = new Set((Object.keys(OPTIONS) as OptionName[]).flatMap((option) => optionName(option, system) ?? []));
  const ends = new Map([...known].map((name) => [last(name), name]));
  const written = new Set(run.settings.map(({ name }) => last(name)));
  return run.settings.flatMap((entry) => {
    const end = last(entry.name);
    if (entry.option !== null || entry.system === "model" || end.length < LEAST_LETTERS) return [];
    const meant = [...ends.keys()].find((name) => name.length >= LEAST_LETTERS && isTypo(end, name));
    if (meant === undefined) return [];
    const also = written.has(meant) ? `; "${meant}" is set as well, and this one is ignored or refused` : "";
    const message = `unknown key "${end}"; did you mean "${meant}"?${also}`;
    return [own(also === "" ? "error" : "warning", message, `Write ${meant}.`, [entry])];
  });
}

const last = (name: string) => name.slice(name.lastIndexOf(".") + 1);

/** One letter too many, missing, other, or two neighbours swapped; numbers at the end are versions, not typos. */
export function isTypo(word: string, known: string): boolean {
  if (word === known || Math.abs(word.length - known.length) > 1) return false;
  let start = 0;
  while (start < word.length && word[start] === known[start]) start++;
  const [rest, other] = [word.slice(start), known.slice(start)];
  if (/^\d*$/.test(rest) && /^\d*$/.test(other)) return false;
  if (rest + other === "s") return false; // a plural
  const isSwap = rest.length === other.length && rest[0] === other[1] && rest[1] === other[0] &&
    rest.slice(2) === other.slice(2);
  return isSwap || rest.slice(1) === other.slice(1) || rest.slice(1) === other || rest === other.slice(1);
}

/** One completion per prompt has nothing to be compared with. */
function groupOfOne(run: ImportedRun): Own[] {
  const size = settingOf(run, "group_size");
  const byGroup = run.algorithm === "grpo" || run.algorithm === "rloo";
  if (!byGroup || size?.value !== 1) return [];
  const message =
    `${size.name} is 1: one completion has nothing to be compared with, every advantage is 0 or the raw reward`;
  return [own("error", message, `Set ${size.name} to 8.`, [size], { replaces: ["group_size_too_small"] })];
}

/** A KL term that is switched on with weight 0, or twice. */
function klWithoutEffect(run: ImportedRun): Own[] {
  const [loss, reward] = [settingOf(run, "kl_in_loss"), settingOf(run, "kl_in_reward")];
  const coefficient = settingOf(run, "kl_coef");
  if (loss?.value === true && coefficient?.value === 0 && /kl_loss_coef/.test(coefficient.name)) {
    const message = `${loss.name} is on and ${coefficient.name} is 0: the reference is computed and never used`;
    return [
      own("warning", message, `Set ${coefficient.name} to 0.001, or switch ${loss.name} off.`, [coefficient, loss]),
    ];
  }
  if (loss?.value === true && reward?.value === true) {
    const message = `${loss.name} and ${reward.name} are both on: KL is charged twice`;
    return [own("warning", message, `Switch one of them off.`, [reward, loss])];
  }
  return [];
}

/** Prompt and completion at their longest do not fit the engine's length. */
function shortContext(run: ImportedRun): Own[] {
  if (run.system !== "verl") return [];
  const [most, prompt, completion] = (["max_length", "max_prompt_length", "max_new_tokens"] as const).map((option) =>
    numberOf(run, option)
  );
  if (most == null || prompt == null || completion == null || prompt + completion <= most) return [];
  const setting = settingOf(run, "max_length")!;
  const message = `prompts of ${prompt} and completions of ${completion} tokens need ${prompt + completion}, and ` +
    `${setting.name} is ${most}`;
  return [
    own("error", message, `Set ${setting.name} to ${prompt + completion}.`, [
      setting,
      settingOf(run, "max_new_tokens")!,
    ]),
  ];
}

/** verl asserts that a minibatch is no larger than the batch. */
function largeMinibatch(run: ImportedRun): Own[] {
  if (run.system !== "verl") return [];
  const [batch, minibatch] = [settingOf(run, "batch_size"), settingOf(run, "minibatch_size")];
  if (typeof batch?.value !== "number" || typeof minibatch?.value !== "number" || minibatch.value <= batch.value) {
    return [];
  }
  const message = `${minibatch.name} ${minibatch.value} is larger than ${batch.name} ${batch.value}`;
  return [own("error", message, `Set ${minibatch.name} to at most ${batch.value}.`, [minibatch, batch])];
}

/** What would need the model, the data or the machines. */
function open(run: ImportedRun): string[] {
  const { algorithm, system } = run;
  const lines: string[] = [];
  const modules = settingOf(run, "lora_target_modules");
  if (modules !== undefined) lines.push(`whether ${modules.name} matches anything: cannot tell without the model`);
  if (algorithm === "kto") lines.push("whether both classes occur: cannot tell without the data");
  const grouped = settingOf(run, "group_size") !== undefined && settingOf(run, "device_batch_size") !== undefined;
  if (system === "trl" && grouped && numberOf(run, "devices") === null) {
    lines.push("whether the batch holds whole groups: cannot tell without the number of processes");
  }
  if (VISUAL.has(system) && /^flash/.test(String(settingOf(run, "attention")?.value))) {
    lines.push(
      "whether the flash-attn kernel computes rightly here: cannot tell without running it; where completions are noise, " +
        "set attn_implementation to sdpa or eager",
    );
  }
  if (
    settingOf(run, "temperature") === undefined && settingOf(run, "model") !== undefined && algorithm !== "sft"
  ) {
    const folder = folderSampling(run), what = "whether the model folder's generation_config.json overrides sampling";
    if (folder === null) lines.push(`${what}: cannot tell without the folder`);
    // What it does to a visual trainer is a rule of its own.
    else if (!VISUAL.has(system)) lines.push(`${what}: cannot tell without the trainer's version`);
  }
  return lines;
}
