/** Which rules could speak of a run: those that looked at something that they read and that the run has. @module */
import { DECISION_ORDER } from "../../../steps/diagnoses/decide.ts";
import { suspectsOf } from "../../../steps/diagnoses/diagnose_run.ts";
import type { Diagnosis, Finding } from "../../../steps/diagnoses/diagnosis.ts";
import { type Cause, DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import type { RunView } from "../../../steps/diagnoses/view/run_view.ts";

/** The alarms of a run, and the rules that could speak of it. */
export function heard(view: RunView): { readonly alarms: readonly Finding[]; readonly heard: readonly Cause[] } {
  const looked = watched(view), { alarms } = suspectsOf(view);
  const rules = DECISION_ORDER.filter((cause) => {
    const diagnosis: Diagnosis = DIAGNOSES[cause];
    const seen = looked(() => diagnosis.check(view));
    return alarms.some((alarm) => alarm.cause === cause) || diagnosis.reads.some((name) => isSeen(seen, name));
  });
  return { alarms, heard: rules };
}

/** Evaluations are seen by the names of their columns; `reward.<name>` is any reward function. */
function isSeen(seen: ReadonlySet<string>, reads: string): boolean {
  if (reads.startsWith("completions.")) return seen.has("completions");
  const name = reads.replace(/^evaluations\./, ""), [family, rest] = name.split("<");
  return rest === undefined ? seen.has(name) : [...seen].some((one) => one.startsWith(family!));
}

/** Has a view note what is looked at and there; what it keeps is noted again wherever it is asked for. */
function watched(view: RunView): (look: () => unknown) => ReadonlySet<string> {
  const kept = new Map<string, ReadonlySet<string>>(), { completions } = view;
  let seen = new Set<string>();
  const looked = (look: () => unknown) => {
    const before = seen, own = seen = new Set<string>();
    try {
      look();
    } finally {
      seen = before;
    }
    for (const name of own) before.add(name);
    return own;
  };
  const noted = (method: "column" | "evaluation") => {
    const read = view[method].bind(view);
    return (name: string) => {
      const cells = read(name);
      if (cells.some((cell) => cell !== null)) seen.add(name);
      return cells;
    };
  };
  const memo = view.memo.bind(view);
  Object.assign(view, {
    column: noted("column"),
    evaluation: noted("evaluation"),
    memo: <T>(key: string, compute: () => T): T => {
      for (const name of kept.get(key) ?? []) seen.add(name);
      return memo(key, () => {
        let value: T;
        kept.set(key, looked(() => value = compute()));
        return value!;
      });
    },
  });
  Object.defineProperty(view, "completions", {
    get: () => {
      if (completions.length > 0) seen.add("completions");
      return completions;
    },
  });
  return looked;
}
