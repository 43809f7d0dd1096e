/** What differs between two runs: parameters, settings, evaluations, findings. @module */
import type { RunFolder } from "../../data/open_run_folder.ts";
import { EVALUATION_MODES, secondsOf } from "../../data/run_folder.ts";

export interface Difference {
  readonly name: string;
  readonly a: unknown;
  readonly b: unknown;
}

const SETTINGS = ["name", "seed", "device", "backend", "threads", "deterministic", "cpu_class"] as const;

/** The differing facts of two runs, results last. */
export function comparison(a: RunFolder, b: RunFolder): Difference[] {
  const [left, right] = [flat(a), flat(b)];
  const names = [...new Set([...left.keys(), ...right.keys()])];
  return names.map((name) => ({ name, a: left.get(name) ?? null, b: right.get(name) ?? null }))
    .filter(({ a, b }) => a !== b);
}

/** What the steps that train on preferences came to: their last loss, validation_accuracy, validation_margin. */
const TRAINED = ["loss", "accuracy", "margin"] as const;

function trained(outputs: RunFolder["manifest"]["outputs"]): (readonly [string, unknown])[] {
  return Object.entries(outputs).filter(([, of]) => "updates" in of && ("margin" in of || "before" in of))
    .flatMap(([id, of]) => TRAINED.map((name) => [`${id}.${name}`, of[name] ?? null] as const));
}

function flat({ manifest: m }: RunFolder): Map<string, unknown> {
  return new Map<string, unknown>([
    ...SETTINGS.map((name) => [name, m[name]] as const),
    ...Object.entries(m.params).map(([name, value]) => [`params.${name}`, value] as const),
    ...Object.entries(m.matrix).map(([name, value]) => [`matrix.${name}`, value] as const),
    ...Object.entries(m.versions).map(([name, value]) => [`versions.${name}`, value] as const),
    ["status", m.status],
    ["train_step", m.train_step],
    ["seconds", secondsOf(m)],
    ...Object.entries(m.evaluations).flatMap(([id, outputs]) =>
      EVALUATION_MODES.map((mode) => [`${id}.${mode}`, outputs[mode] ?? null] as const)
    ),
    ...trained(m.outputs),
    ["findings", m.findings.map(({ cause }) => cause).join(", ") || null],
  ]);
}
