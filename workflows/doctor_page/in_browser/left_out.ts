/**
 * Formats that are read with a disk or a database beside them, as a page has them: it says what they are, and where they
 * are read. The bundler takes this file in place of `data/adapters/run_folder.ts`, `mlflow.ts` and `sqlite.ts`.
 * @module
 */
import type { Adapter, Source } from "../../../data/adapters/adapter.ts";
import { diagnoseCommand } from "./command_line.ts";

const onCommandLine = (what: string) => `want it on the command line: ${diagnoseCommand(what)}`;

/** What is said of each. */
export const NEEDS_DISK = {
  run: `a run of Nonzero is read from its folder; ${onCommandLine("FOLDER")}`,
  mlflow: `a run of MLflow is read from its folder; ${onCommandLine("FOLDER")}`,
  database: `a SQLite database is read from its file; ${onCommandLine("FILE")}`,
} as const;

const MAGIC = new TextEncoder().encode("SQLite format 3\0");

function leftOut(about: string, sniff: Adapter["sniff"]): Adapter {
  return {
    about,
    sniff,
    read: ({ path }: Source) => Promise.reject(new SyntaxError(`Cannot read ${path} in a page: ${about}`)),
  };
}

export const RUN_FOLDER = leftOut(
  NEEDS_DISK.run,
  ({ name }, text) => name === "run.json" && /"format"\s*:\s*1\b/.test(text ?? "") ? 0.99 : 0,
);

export const MLFLOW = leftOut(
  NEEDS_DISK.mlflow,
  ({ name }, text) => name === "meta.yaml" && /^(run_id|run_uuid|experiment_id):/m.test(text ?? "") ? 0.97 : 0,
);

export const SQLITE = leftOut(NEEDS_DISK.database, ({ head }) => MAGIC.every((byte, i) => head[i] === byte) ? 0.99 : 0);
