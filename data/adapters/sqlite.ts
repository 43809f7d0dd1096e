/** SQLite databases of trackers. @module */
import type { DatabaseSync } from "node:sqlite";
import { messageOf } from "../error_text.ts";
import type { Adapter, Source } from "./adapter.ts";
import type { TrackerDatabase } from "./databases/database.ts";
import { MLFLOW_DATABASE } from "./databases/mlflow.ts";
import { TRACKIO_DATABASE } from "./databases/trackio.ts";
import type { Intake } from "./intake/intake.ts";

const DATABASES: readonly TrackerDatabase[] = [MLFLOW_DATABASE, TRACKIO_DATABASE];
const MAGIC = new TextEncoder().encode("SQLite format 3\0");

export const SQLITE: Adapter = {
  about: "SQLite databases of trackers: MLflow's mlflow.db, Trackio's <project>.db",
  sniff: ({ head }) => MAGIC.every((byte, i) => head[i] === byte) ? 0.99 : 0,
  async read(source: Source, intake: Intake) {
    if (source.file === null) {
      throw new SyntaxError(
        "Cannot read a SQLite database from standard input or out of a .gz: want the path of the file itself",
      );
    }
    const { DatabaseSync } = await import("node:sqlite");
    let database: DatabaseSync | null = null;
    try {
      database = new DatabaseSync(source.file, { readOnly: true });
      readTracker(database, intake);
    } catch (cause) {
      throw new SyntaxError(`Cannot read ${source.path} as a SQLite database: ${messageOf(cause)}`, { cause });
    } finally {
      database?.close();
    }
    intake.source.bytes_read = source.size;
  },
};

function readTracker(database: DatabaseSync, intake: Intake): void {
  const names = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all().map(({ name }) =>
    String(name)
  );
  const columns = database.prepare("SELECT name FROM pragma_table_info(?)");
  const has = (table: string, wanted: readonly string[]) => {
    const there = new Set(columns.all(table).map(({ name }) => String(name)));
    return wanted.every((column) => there.has(column));
  };
  const tracker = DATABASES.find(({ tables }) => Object.entries(tables).every(([table, wanted]) => has(table, wanted)));
  if (tracker !== undefined) return tracker.read(database, intake);
  const shown = names.slice(0, 5).join(", ") || "none";
  intake.skip(null, `a SQLite database of no tracker that is known (tables: ${shown})`);
}
