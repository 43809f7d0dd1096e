/** What differs between runs: data and rewards, parameters, settings in force, evaluations, findings. @module */
import { join } from "node:path";
import type { ColumnTable } from "arquero";
import type { RunFolder } from "../../data/open_run_folder.ts";
import { textIfThere } from "../../data/file_system.ts";
import { RUN_FILES, secondsOf } from "../../data/run_folder.ts";
import { columnArray } from "../../data/tables/mod.ts";
import { storedFindings } from "../run/stored_findings.ts";
import { workflowFacts } from "./workflow_facts.ts";

export type Facts = readonly (readonly [name: string, value: unknown])[];

const MACHINE = ["name", "seed", "device", "backend", "threads", "deterministic", "cpu_class"] as const;

/**
 * The facts that are not the same in all runs, part by part, with the value of each run; null where it has none. `isLog` says
 * which of them are another system's: what a log does not say is no difference.
 */
export function differences(
  runs: readonly (readonly Facts[])[],
  isLog: readonly boolean[] = [],
): { readonly name: string; readonly values: readonly unknown[] }[] {
  const parts = Math.max(0, ...runs.map(({ length }) => length));
  return Array.from({ length: parts }, (_, part) => {
    const facts = runs.map((run) => new Map(run[part] ?? []));
    const names = [...new Set(facts.flatMap((of) => [...of.keys()]))];
    return names.map((name) => ({ name, values: facts.map((of) => of.get(name) ?? null) }));
  }).flat().filter(({ values }) => {
    const told = values.filter((value, i) => value !== null || !isLog[i]);
    return told.some((value) => value !== told[0]);
  });
}

/** What the steps that train on preferences came to: their last loss, validation_accuracy, validation_margin. */
const TRAINED = ["loss", "accuracy", "margin"] as const;

function trained(outputs: RunFolder["manifest"]["outputs"]): Facts {
  return Object.entries(outputs).filter(([, of]) => "updates" in of && ("margin" in of || "before" in of))
    .flatMap(([id, of]) => TRAINED.map((name) => [`${id}.${name}`, of[name] ?? null] as const));
}

/**
 * Facts of a run, part by part, what decides most in front: what one run has and the other lacks stands in its part all the
 * same.
 */
export function factsOf(run: RunFolder): readonly Facts[] {
  const { manifest: m, unknown } = run;
  return [
    workflowFacts(textIfThere(join(run.path, RUN_FILES.workflow)) ?? ""),
    MACHINE.filter((name) => !unknown.has(name)).map((name) => [name, m[name]] as const),
    Object.entries(m.params).map(([name, value]) => [`params.${name}`, value] as const),
    Object.entries(m.matrix).map(([name, value]) => [`matrix.${name}`, value] as const),
    Object.entries(m.versions).map(([name, value]) => [`versions.${name}`, value] as const),
    settingsFacts(run.table("settings")),
    [["status", unknown.has("status") ? null : m.status], ["train_step", m.train_step], ["seconds", secondsOf(m)]],
    Object.entries(m.evaluations).flatMap(([id, outputs]) =>
      Object.entries(outputs).map(([name, value]) => [`${id}.${name}`, value] as const)
    ),
    trained(m.outputs),
    [["findings", storedFindings(run).map(({ cause }) => cause).join(", ") || null]],
  ];
}

/** Two methods differ in what their steps were told, not in the parameters of their files. */
export function settingsFacts(table: ColumnTable): Facts {
  if (!table.numRows()) return [];
  const [names, values] = ["name", "value"].map((name) => Array.from(columnArray(table, name) as ArrayLike<string>));
  return names!.map((name, i) => [name, written(values![i]!)] as const);
}

/** A setting's JSON as a person writes it: a word without its quotation marks. */
function written(json: string): unknown {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? json : value;
  } catch {
    return json;
  }
}
