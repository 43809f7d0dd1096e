/** A tracker's database in memory, and what is read from it. @module */
import { DatabaseSync } from "node:sqlite";
import type { TrackerDatabase } from "../../../../data/adapters/databases/database.ts";
import { Intake } from "../../../../data/adapters/intake/intake.ts";
import { finish } from "../../../../data/adapters/run/finish.ts";
import { shown, type ShownRun } from "../read_text.ts";

export function readDatabase(tracker: TrackerDatabase, sql: string): ShownRun[] {
  const database = new DatabaseSync(":memory:"), intake = new Intake();
  try {
    database.exec(sql);
    intake.openSource("a.db", "sqlite", 0);
    tracker.read(database, intake);
    return finish("a.db", intake).map(shown);
  } finally {
    database.close();
  }
}
