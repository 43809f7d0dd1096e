/** What to change as lines that can be pasted: whose they are stands beside them, not in them. @module */
import type { Finding } from "../../steps/diagnoses/diagnosis.ts";
import { pastedLines } from "./examined.ts";

/** Lines for one system; null where there is no choice of them. */
interface Pasted {
  readonly system: string | null;
  readonly lines: readonly string[];
}

/** Systems whose users write a YAML file: `name: value`. */
const BY_KEY = new Set(["llamafactory"]);

/** A line of a remedy: its system, and how that is told. */
const OF_SYSTEM = /^([\w-]+): (.+)$/s;

/** The lines of a finding by their systems; of a run whose system is known, and of ours, one block. */
export function pastedBlocks(finding: Finding): Pasted[] {
  if (finding.remedy.options.length === 0) {
    const lines = pastedLines(finding);
    return lines.length === 0 ? [] : [{ system: null, lines }];
  }
  const bySystem = Map.groupBy(finding.remedy.options, (option) => OF_SYSTEM.exec(option)?.[1] ?? null);
  return Array.from(bySystem, ([system, options]) => ({
    system: bySystem.size > 1 ? system : null,
    lines: options.map((option) => ownLine(OF_SYSTEM.exec(option)?.[2] ?? option, system)),
  }));
}

const ownLine = (line: string, system: string | null) => BY_KEY.has(system ?? "") ? line.replace("=", ": ") : line;
