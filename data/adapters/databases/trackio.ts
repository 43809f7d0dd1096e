/** Trackio's database of a project: a row per call of `log`, as JSON. @module */
import type { DatabaseSync } from "node:sqlite";
import type { Intake } from "../intake/intake.ts";
import { LoggedCalls } from "../intake/logged.ts";
import { parseObject } from "../source/python_json.ts";
import type { TrackerDatabase } from "./database.ts";

export const TRACKIO_DATABASE: TrackerDatabase = {
  tables: { metrics: ["run_name", "step", "metrics"] },
  read(database: DatabaseSync, intake: Intake) {
    const isThere = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'configs'").get();
    const configs = isThere && database.prepare("SELECT config FROM configs WHERE run_name = ? ORDER BY id LIMIT 1");
    const metrics = database.prepare("SELECT step, metrics FROM metrics WHERE run_name = ? ORDER BY id");
    for (
      const { name } of database.prepare("SELECT run_name AS name FROM metrics GROUP BY run_name ORDER BY min(id)")
        .all()
    ) {
      intake.nextRun(String(name));
      for (const [key, value] of entries((configs || null)?.get(name!)?.["config"])) {
        if (key.startsWith("_") || value !== null && typeof value === "object") continue;
        intake.setting(key, value, value === null ? "null" : typeof value, 1, 1);
      }
      const calls = new LoggedCalls(intake);
      let line = 0;
      for (const { step, metrics: logged } of metrics.iterate(name!)) {
        const values = entries(logged).map(([key, value]) => ({ key, value }));
        calls.take(values, step, ++line);
      }
    }
  },
};

/** The members of a JSON object that is stored as text or as bytes. */
function entries(stored: unknown): [string, unknown][] {
  const text = stored instanceof Uint8Array ? new TextDecoder().decode(stored) : String(stored ?? "");
  return Object.entries(parseObject(text) ?? {});
}
