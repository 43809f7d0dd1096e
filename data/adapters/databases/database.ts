/** What a tracker's database is: the tables it is known by, and a reader. @module */
import type { DatabaseSync } from "node:sqlite";
import type { Intake } from "../intake/intake.ts";

export interface TrackerDatabase {
  /** Columns by table, all of which it has. */
  readonly tables: Readonly<Record<string, readonly string[]>>;
  /** Reads every run into the intake, oldest first. */
  read(database: DatabaseSync, intake: Intake): void;
}
