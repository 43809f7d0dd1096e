/** Findings of one configuration say of an option once what to write: all of it can be pasted. @module */
import { normaliseOption } from "../../data/options.ts";
import type { Finding } from "../../steps/diagnoses/diagnosis.ts";

/** The option in a line to write: `--a 1`, `a=1`, `a: 1`, `leave out --a`; null where there is none. */
function optionIn(line: string, system: string | null): string | null {
  const own = system !== null && line.startsWith(`${system}: `) ? line.slice(system.length + 2) : line;
  const name = /^(?:leave out )?(-{0,2}[\w.-]+)(?=[=:\s]|$)/i.exec(own)?.[1];
  return name === undefined ? null : normaliseOption(name);
}

/** Where the option stands that a finding is about; null where it stands nowhere. */
function placeOf({ evidence }: Finding, option: string): string | null {
  const row = evidence.findLast(({ name }) => normaliseOption(name) === option);
  return row === undefined ? null : `${row.source}:${row.line}`;
}

/**
 * The findings, most severe first, without changes of an option that one before them changes: what both ask for is
 * changed there, and pasting both would undo it.
 *
 * trainings   how many the file starts: each of several has its own options
 */
export function oneChangeEach(findings: readonly Finding[], system: string | null, trainings: number): Finding[] {
  const taken = new Map<string, string>();
  return findings.map((finding) => {
    const before: string[] = [];
    const options = finding.remedy.options.filter((line) => {
      const option = optionIn(line, system);
      if (option === null) return true;
      const key = trainings > 1 ? `${option} ${placeOf(finding, option) ?? line}` : option, first = taken.get(key);
      if (first === undefined) taken.set(key, line);
      else before.push(first);
      return first === undefined;
    });
    if (before.length === 0) return finding;
    const above = `As above: ${before.join(" and ")}`;
    if (options.length > 0) return { ...finding, remedy: { ...finding.remedy, options } };
    return { ...finding, hint: above, remedy: { ...finding.remedy, options, by_hand: above } };
  });
}
