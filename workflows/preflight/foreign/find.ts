/** What the rules find in a run and in the trainings that its files start. @module */
import type { ImportedRun } from "../../../data/adapters/run/imported_run.ts";
import { normaliseOption } from "../../../data/options.ts";
import type { Finding } from "../../../steps/diagnoses/diagnosis.ts";
import type { Launch } from "./launch.ts";
import { FOREIGN_RULES } from "./mod.ts";
import { type Own, own } from "./own_finding.ts";
import type { ForeignRule, Hit, LaunchRule } from "./rule.ts";

/** A finding with the rule that found it. */
interface Found extends Own {
  readonly rule: string;
}

const isFor = ({ systems }: ForeignRule, system: string | null) =>
  systems.length === 0 || (systems as readonly (string | null)[]).includes(system);

/** Every finding, each place and sentence once. */
export function findForeign(run: ImportedRun, launches: readonly Launch[]): Found[] {
  const found = Object.entries(FOREIGN_RULES).flatMap(([rule, entry]): Found[] => {
    if ("run" in entry) {
      return isFor(entry, run.system) ? entry.run(run).map((one) => ({ rule, ...asWritten(one, launches) })) : [];
    }
    if (!("check" in entry)) return [];
    const judged = launches.filter(({ system, isWhole }) => isFor(entry, system) && (isWhole || !entry.wantsWhole));
    return judged.flatMap((launch) => hitsOf(entry, launch).map((hit) => ({ rule, ...findingOf(entry, hit, launch) })));
  });
  const key = ({ finding: { message, evidence } }: Found) => `${message} ${evidence.at(-1)?.line}`;
  return [...new Map(found.map((one) => [key(one), one])).values()];
}

/** The rule of docs/preflight.md behind a finding of a diagnosis, else its cause of docs/rules.md. */
export function ruleOf({ cause, message }: Pick<Finding, "cause" | "message">, system: string | null): string {
  const found = Object.entries(FOREIGN_RULES).find(([, entry]) =>
    "says" in entry && entry.cause === cause && entry.says.test(message) && isFor(entry, system)
  );
  return found?.[0] ?? cause;
}

/** A finding whose changes are written as the training writes its options that the finding is about. */
function asWritten(found: Own, launches: readonly Launch[]): Own {
  const { finding, changes = [] } = found, { evidence, remedy } = finding;
  const launch = launches.find(({ options }) =>
    evidence.some((row) =>
      options.some(({ name, source, line }) =>
        name === normaliseOption(row.name) && source === row.source && line === row.line
      )
    )
  );
  if (launch === undefined || changes.length === 0) return found;
  const options = changes.map(({ name, ...to }) => launch.written({ name: normaliseOption(name), ...to }));
  return { ...found, finding: { ...finding, remedy: { ...remedy, options } } };
}

function hitsOf(entry: LaunchRule, launch: Launch): readonly Hit[] {
  const hits = entry.check(launch);
  return hits === null ? [] : Array.isArray(hits) ? hits as readonly Hit[] : [hits as Hit];
}

function findingOf(entry: LaunchRule, hit: Hit, launch: Launch): Own {
  const options = hit.change.map((change) => launch.written(change));
  const shown = typeof hit.at === "number"
    ? [{ source: launch.path, line: hit.at, name: "line", value: launch.text.split("\n")[hit.at - 1]?.trim() ?? "" }]
    : hit.at.map(({ source, line, name, value }) => ({ source, line, name, value }));
  const hint = hit.byHand ??
    (options.length > 0 ? `Write ${options.join(" and ")}.`.replace(/^Write leave/, "Leave") : entry.change);
  const place = typeof hit.at === "number" ? null : hit.at.at(-1);
  return own(hit.severity ?? entry.severity, hit.message, hint, shown, {
    options,
    replacesText: hit.replaces,
    column: place?.column ?? 1,
  });
}
