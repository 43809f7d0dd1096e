/** What differs between two runs: parameters, settings in force, evaluations, findings. @module */
import type { RunFolder } from "../../data/open_run_folder.ts";
import { secondsOf } from "../../data/run_folder.ts";
import { columnArray } from "../../data/tables/mod.ts";

export interface Difference {
  readonly name: string;
  readonly a: unknown;
  readonly b: unknown;
}

type Facts = readonly (readonly [name: string, value: unknown])[];

const MACHINE = ["name", "seed", "device", "backend", "threads", "deterministic", "cpu_class"] as const;

/** The differing facts of two runs, results last. */
export function comparison(a: RunFolder, b: RunFolder): Difference[] {
  const left = facts(a), right = facts(b);
  return left.flatMap((part, i) => {
    const [mine, theirs] = [new Map(part), new Map(right[i])];
    return [...new Map([...mine, ...theirs]).keys()].map((name) => ({
      name,
      a: mine.get(name) ?? null,
      b: theirs.get(name) ?? null,
    }));
  }).filter(({ a, b }) => a !== b);
}

/** What the steps that train on preferences came to: their last loss, validation_accuracy, validation_margin. */
const TRAINED = ["loss", "accuracy", "margin"] as const;

function trained(outputs: RunFolder["manifest"]["outputs"]): Facts {
  return Object.entries(outputs).filter(([, of]) => "updates" in of && ("margin" in of || "before" in of))
    .flatMap(([id, of]) => TRAINED.map((name) => [`${id}.${name}`, of[name] ?? null] as const));
}

/** Facts of a run, part by part: what one run has and the other lacks stands in its part all the same. */
function facts(run: RunFolder): readonly Facts[] {
  const { manifest: m } = run;
  return [
    MACHINE.map((name) => [name, m[name]] as const),
    Object.entries(m.params).map(([name, value]) => [`params.${name}`, value] as const),
    Object.entries(m.matrix).map(([name, value]) => [`matrix.${name}`, value] as const),
    Object.entries(m.versions).map(([name, value]) => [`versions.${name}`, value] as const),
    settings(run),
    [["status", m.status], ["train_step", m.train_step], ["seconds", secondsOf(m)]],
    Object.entries(m.evaluations).flatMap(([id, outputs]) =>
      Object.entries(outputs).map(([name, value]) => [`${id}.${name}`, value] as const)
    ),
    trained(m.outputs),
    [["findings", m.findings.map(({ cause }) => cause).join(", ") || null]],
  ];
}

/** Two methods differ in what their steps were told, not in the parameters of their files. */
function settings(run: RunFolder): Facts {
  const table = run.table("settings");
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
