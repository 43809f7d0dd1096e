import assert from "node:assert/strict";
import { MLFLOW_DATABASE } from "../../../../data/adapters/databases/mlflow.ts";
import { column } from "../read_text.ts";
import { readDatabase } from "./in_memory.ts";

const TABLES = `
  CREATE TABLE runs (run_uuid, name, start_time, lifecycle_stage);
  CREATE TABLE metrics (key, value, timestamp, run_uuid, step, is_nan);
  CREATE TABLE params (key, value, run_uuid);`;

Deno.test("MLFLOW_DATABASE tells runs of one name apart, oldest first, and leaves the machine's metrics out", () => {
  const runs = readDatabase(
    MLFLOW_DATABASE,
    `${TABLES}
    INSERT INTO runs VALUES ('bbbbbbbbbb', 'same', 2, 'active'), ('aaaaaaaaaa', 'same', 1, 'active'), ('c', NULL, 3, 'active');
    INSERT INTO metrics VALUES ('loss', 0.5, 1, 'aaaaaaaaaa', 1, 0), ('loss', 0, 2, 'aaaaaaaaaa', 2, 1),
      ('loss', -1.7976931348623157e308, 1, 'bbbbbbbbbb', 1, 0), ('system/cpu', 1, 9, 'bbbbbbbbbb', 99, 0),
      ('loss', 4, 1, 'c', 0, 0), ('loss', 5, 2, 'c', 0, 0);
    INSERT INTO params VALUES ('learning_rate', '0.5', 'aaaaaaaaaa');`,
  );
  assert.deepEqual(runs.map(({ part }) => part.run), ["same (aaaaaaaa)", "same (bbbbbbbb)", "c"]);
  assert.deepEqual(runs.map(({ metrics }) => metrics.train_step), [[1, 2], [1], [1, 2]]);
  assert.deepEqual(runs.map((run) => column(run, "loss")), [[0.5, NaN], [-Infinity], [4, 5]]);
  assert.deepEqual(runs.map(({ settings }) => settings.length), [1, 0, 0]);
});
