/** Which options the trainer of a launch has, by the tables that translate them. @module */
import { TRAINERS } from "../../translate/trainers.ts";
import type { Table } from "../../translate/table.ts";
import type { SystemName } from "../../../data/systems.ts";
import type { Launch } from "./launch.ts";

/** The options of a trainer. */
interface KnownOptions {
  /** Every name, its second ones too. */
  readonly names: ReadonlySet<string>;
  /** What names of families begin with: `critic.model.`. */
  readonly families: readonly string[];
}

const MADE = new Map<Table, KnownOptions>();

function optionsOf(table: Table): KnownOptions {
  const made = MADE.get(table);
  if (made !== undefined) return made;
  const all = Object.entries(table).flatMap(([name, { also = [] }]) => [name, ...also]);
  const own = {
    names: new Set(all.filter((name) => !name.endsWith(".*"))),
    families: all.filter((name) => name.endsWith(".*")).map((name) => name.slice(0, -1)),
  };
  MADE.set(table, own);
  return own;
}

/** Unsloth patches TRL's trainers and keeps their arguments. */
const tablesOf = (system: SystemName | null) =>
  (TRAINERS as Readonly<Record<string, (typeof TRAINERS)["trl"]>>)[system === "unsloth" ? "trl" : system ?? ""] ?? {};

/** The options of the launch's trainer; null where there is no table of it. */
export function knownOptions({ system, trainer }: Launch): KnownOptions | null {
  const table = tablesOf(system)[trainer ?? ""]?.table;
  return table === undefined ? null : optionsOf(table);
}

export const isKnown = ({ names, families }: KnownOptions, name: string): boolean =>
  names.has(name) || names.has(name.replace(/^no_/, "")) || families.some((family) => name.startsWith(family));

/** True of a name that any trainer of a system has, by its last part. */
export function isNameOf(system: SystemName | null, last: string): boolean {
  return Object.values(tablesOf(system)).some(({ table }) =>
    [...optionsOf(table).names].some((name) => name === last || name.endsWith(`.${last}`))
  );
}
