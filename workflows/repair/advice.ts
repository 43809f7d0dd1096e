/** What a person is told about a repair: the change, where it stands, and the command. @module */
import { dirname } from "node:path";
import { parseCheckpoint } from "../../data/run_folder.ts";
import { commandLine, optionWords, runsWords } from "../terminal/command_line.ts";
import type { RunResult } from "../engine/run_plan.ts";
import { lookUpsOf } from "../language/expressions.ts";
import type { Value } from "../language/schema.ts";
import type { Plan } from "../plan/plan.ts";
import { siteAt } from "../plan/sites.ts";
import { runsOnce } from "./patch_plan.ts";
import type { Edit, RepairRecord } from "./record.ts";

/**
 * The change of one finding with the command that goes on with it.
 *
 * spoiltFrom   the train step from which what was trained is spoilt: a later checkpoint helps nobody; null = none is
 */
export function suggestionLines(
  plan: Plan,
  edits: readonly Edit[],
  { runId, folder, checkpoint }: Pick<RunResult, "runId" | "folder" | "checkpoint">,
  spoiltFrom: number | null = null,
): string[] {
  const changes = edits.map((edit) => describeEdit(plan, edit));
  const flags = edits.flatMap((edit) => paramOf(plan, edit) ?? []);
  const inFile = flags.length < edits.length ? ` after changing ${plan.file}` : "";
  const once = edits.some(runsOnce);
  const spoilt = spoiltFrom !== null && checkpoint !== null && parseCheckpoint(checkpoint)!.trainStep >= spoiltFrom;
  const resumes = checkpoint !== null && !once && !spoilt;
  const where = spoilt
    ? ` start again, for the last checkpoint (${checkpoint}) is from after the break`
    : spoiltFrom !== null && resumes
    ? ` go on from checkpoint ${checkpoint}, before train step ${spoiltFrom}`
    : "";
  const again = resumes ? ["--resume", runId, "--allow-drift"] : [];
  const own = givenWords(plan, resumes, flags.map(([name]) => name));
  const changed = flags.flatMap(([name, value]) => paramWords(name, value));
  const command = commandLine(["run", plan.file, ...again, ...runsWords(dirname(folder)), ...own, ...changed]);
  return [
    ...changes.map((change) => `To change: ${change}`),
    `Then${inFile}${where}: ${command}`,
    ...(once
      ? []
      : [`Or set "repair: apply" in ${plan.file}: the change is tried on a fork and kept only if it helps`]),
  ];
}

/** The words of the command line that a run would be another one without; one that goes on has kept parameters and cell. */
function givenWords({ given }: Plan, resumes: boolean, without: readonly string[]): string[] {
  const { device, seed, threads, backend } = given.settings;
  const settings = Object.entries({ device, seed, threads, backend }).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : optionWords(name, `${value}`)
  );
  if (resumes) return settings;
  const params = Object.entries(given.params).filter(([name]) => !without.includes(name));
  return [
    ...given.cell === null ? [] : optionWords("cell", `${given.cell}`),
    ...settings,
    ...params.flatMap(([name, value]) => paramWords(name, value)),
  ];
}

/** `-p name=value`, as it is typed. */
export const paramWords = (name: string, value: Value): string[] => [
  "-p",
  `${name}=${typeof value === "object" ? JSON.stringify(value) : value}`,
];

/** `file:line:column: max_new_tokens of sample_groups 4 -> 8`. */
export function describeEdit(plan: Plan, { path, key, id, from, to }: Edit): string {
  const at = plan.source.locate({ path: [...path, "with", key] });
  const place = at === null ? plan.file : `${plan.file}:${at.line}:${at.column}`;
  return `${place}: ${key} of ${id} ${from === null ? "(not set)" : from} -> ${to}`;
}

/** The workflow parameter that gives a value, if it is nothing but that. */
function paramOf(plan: Plan, { path, key, to }: Edit): [string, Edit["to"]][] | null {
  const written = siteAt(plan.document.steps, path).with[key];
  if (typeof written !== "string" || !/^\s*\$\{\{[^}]*\}\}\s*$/.test(written)) return null;
  const match = /^params\.(\w+)$/.exec(lookUpsOf(written)[0]?.text.trim() ?? "");
  return match === null ? null : [[match[1]!, to]];
}

/** One line per decision. */
export function repairLine(record: RepairRecord): string {
  const change = record.change.map(({ key, id, from, to }) => `${key} of ${id} ${from ?? "(not set)"} -> ${to}`);
  const what = change.length > 0 ? ` (${change.join(", ")})` : "";
  return `Repair ${record.number}, ${record.cause}${what}: ${record.decision}: ${record.why}`;
}
