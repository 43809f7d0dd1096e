/**
 * What cannot work in another system's configuration: the diagnoses that need settings only, and rules on the file itself.
 *
 * A configuration proves little: what depends on the model, the data or the number of processes is listed as not told.
 * @module
 */
import { type ReadOptions, readRun } from "../../data/adapters/read_run.ts";
import type { ImportedRun } from "../../data/adapters/run/imported_run.ts";
import { rangeOf } from "../../data/option_ranges.ts";
import { findOption } from "../../data/options.ts";
import { SEVERITIES, type Severity } from "../../data/severity.ts";
import type { Finding, RunDiagnosis } from "../../steps/diagnoses/diagnosis.ts";
import { BATCH_RULES } from "./foreign/batch_rules.ts";
import { findForeign, ruleOf } from "./foreign/find.ts";
import type { Launch } from "./foreign/launch.ts";
import { numberOf, settingOf } from "./foreign/own_finding.ts";
import { readLaunches } from "./foreign/read_launch.ts";
import { folderSampling, VISUAL } from "./foreign/visual_rules.ts";
import { examineRun } from "../doctor/examine_run.ts";
import { changeLines, type Examined } from "../doctor/examined.ts";
import { isUntold, shownValue } from "../translate/written.ts";
import { oneChangeEach } from "./one_change.ts";
import { withToldSettings } from "./told_settings.ts";

/** One problem with its place; line and column are from 1, column 1 where only the line is known. */
interface ConfigurationProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly cause: string;
  readonly severity: Severity;
  readonly message: string;
  /** What to write, as the file writes it, or to do by hand: one line each. */
  readonly change: readonly string[];
  /** The rule of docs/preflight.md that found it; of a diagnosis without one, its cause in docs/rules.md. */
  readonly rule: string;
}

export interface CheckedConfiguration {
  readonly run: ImportedRun;
  /** With the findings of both kinds: what the doctor's reports print. */
  readonly examined: Examined;
  readonly problems: readonly ConfigurationProblem[];
  /** The trainings that its files start, as the rules read them. */
  readonly launches: readonly Launch[];
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

function checkRun(read: ImportedRun): CheckedConfiguration {
  const launches = read.sources.flatMap(({ path }) => readLaunches(path));
  const rounds = roundsOf(launches).map((one) => withToldSettings(read, one)), run = rounds[0]!;
  const examined = examineRun(run), diagnosed = rounds.map((one) => one === run ? examined : examineRun(one));
  const own = findForeign(run, launches);
  const taken = new Set(own.flatMap(({ replaces }) => replaces));
  const isSaid = ({ cause, message }: Finding) =>
    taken.has(cause) || own.some(({ replacesText }) => replacesText?.test(message));
  const found = [
    ...own.map(({ finding }) => finding),
    ...onceEach(diagnosed.flatMap(({ diagnosis }) => diagnosis.findings))
      .filter((finding) => !isSaid(finding)).map((finding) => spelled(finding, roundsOf(launches)[0]!)),
  ].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
  const findings = oneChangeEach(found, run.system, launches.length);
  const cannotTell = [...open(run, launches), ...untold(launches), ...unread(run)],
    rules = new Map(own.map((one) => [one.finding, one]));
  return {
    run,
    launches,
    examined: { ...examined, diagnosis: verdictOf(run, examined.diagnosis, findings, cannotTell) },
    problems: findings.map((finding, i) => {
      const rule = rules.get(found[i]!), problem = placeOf(run, finding, rule?.column ?? null);
      return { ...problem, rule: rule?.rule ?? ruleOf(found[i]!, run.system) };
    }),
    cannotTell,
  };
}

/** The trainings by round of a loop; those outside of loops are in each. */
function roundsOf(launches: readonly Launch[]): readonly (readonly Launch[])[] {
  const count = 1 + launches.reduce((most, { round }) => Math.max(most, round ?? 0), 0);
  return Array.from({ length: count }, (_, i) => launches.filter(({ round }) => round === null || round === i));
}

/** What several rounds have in common is said once. */
const onceEach = (findings: readonly Finding[]): Finding[] => [
  ...new Map(findings.map((finding) => [`${finding.cause} ${finding.message}`, finding])).values(),
];

/** A finding of a diagnosis whose options are written as the one training of the file writes its own. */
function spelled(finding: Finding, launches: readonly Launch[]): Finding {
  const [launch, ...others] = launches;
  if (launch === undefined || others.length > 0) return finding;
  const options = finding.remedy.options.map((option) => {
    const [, name, value] = /^[\w-]+: -{0,2}([\w.]+)[= ](.*)$/.exec(option) ?? [];
    return name === undefined ? option : launch.written({ name, value: { unresolved: value! } });
  });
  return { ...finding, remedy: { ...finding.remedy, options } };
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
function placeOf(
  run: ImportedRun,
  finding: Finding,
  column: number | null,
): Omit<ConfigurationProblem, "rule"> {
  const { cause, severity, message, evidence, hint } = finding, lines = changeLines(finding);
  const said = { cause, severity, message, change: lines.length > 0 || !hint ? lines : [hint] };
  const row = evidence.find(({ source, line }) => source !== null && line !== null);
  if (row === undefined) return { file: run.path, line: 1, column: 1, ...said };
  const setting = run.settings.find(({ source, line, name }) =>
    source === row.source && line === row.line && name === row.name
  );
  return { file: row.source!, line: row.line!, column: setting?.column ?? column ?? 1, ...said };
}

const MOST_UNTOLD = 6; // Lines of one kind.

/** Numbers that a training is given and that the file does not tell: a variable of the environment or of a loop, an expression. */
function untold(launches: readonly Launch[]): string[] {
  const lines = launches.flatMap((launch) =>
    launch.options.flatMap(({ name, value }) =>
      isUntold(value) && rangeOf(findOption(name, launch.system), name) !== null
        ? `${launch.called(name)}: cannot tell what ${shownValue(value)} is, and what follows from it`
        : []
    )
  );
  const each = [...new Set(lines)], more = each.length - MOST_UNTOLD;
  return more > 0 ? [...each.slice(0, MOST_UNTOLD), `${more} more numbers: cannot tell their values`] : each;
}

/** What of the file no reader took: options that stand there are not judged. */
function unread({ skipped }: ImportedRun): string[] {
  const lines = skipped.map(({ line, reason }) => `${line === null ? "" : `line ${line}: `}${reason} is not read`);
  return lines.length <= MOST_UNTOLD ? lines : [...lines.slice(0, MOST_UNTOLD), `${lines.length - MOST_UNTOLD} more`];
}

/** Trainers and algorithms that sample nothing while they train. */
const ON_GIVEN_TEXTS: ReadonlySet<string> = new Set(
  ["sft", "pt", "dpo", "kto", "orpo", "cpo", "simpo", "bco", "rm", "reward", "reward_model", "prm"],
);
/** Systems whose batch of all processes holds whole groups, or refuses to start. */
const IN_GROUPS: ReadonlySet<string | null> = new Set(BATCH_RULES.groups_not_whole.systems);

/** What would need the model, the data or the machines. */
function open(run: ImportedRun, launches: readonly Launch[]): string[] {
  const { algorithm, system } = run;
  const trainers = launches.flatMap(({ trainer }) => trainer ?? []);
  const isSampled = (trainers.length > 0 ? trainers : [algorithm ?? ""]).some((name) => !ON_GIVEN_TEXTS.has(name));
  const lines: string[] = [];
  const modules = settingOf(run, "lora_target_modules");
  if (modules !== undefined) lines.push(`whether ${modules.name} matches anything: cannot tell without the model`);
  if (algorithm === "kto") lines.push("whether both classes occur: cannot tell without the data");
  const grouped = settingOf(run, "group_size") !== undefined && settingOf(run, "device_batch_size") !== undefined;
  const isCounted = numberOf(run, "devices") !== null || launches.some(({ processes }) => processes !== null);
  if (IN_GROUPS.has(system) && grouped && !isCounted) {
    lines.push("whether the batch holds whole groups: cannot tell without the number of processes");
  }
  if (VISUAL.has(system) && /^flash/.test(String(settingOf(run, "attention")?.value))) {
    lines.push(
      "whether the flash-attn kernel computes rightly here: cannot tell without running it; where completions are noise, " +
        "set attn_implementation to sdpa or eager",
    );
  }
  if (
    settingOf(run, "temperature") === undefined && settingOf(run, "model") !== undefined && isSampled
  ) {
    const folder = folderSampling(run), what = "whether the model folder's generation_config.json overrides sampling";
    if (folder === null) lines.push(`${what}: cannot tell without the folder`);
    // What it does to a visual trainer is a rule of its own.
    else if (!VISUAL.has(system)) lines.push(`${what}: cannot tell without the trainer's version`);
  }
  return lines;
}
