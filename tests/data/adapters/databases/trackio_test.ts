import assert from "node:assert/strict";
import { TRACKIO_DATABASE } from "../../../../data/adapters/databases/trackio.ts";
import { column } from "../read_text.ts";
import { readDatabase } from "./in_memory.ts";

const LOGS = `
  CREATE TABLE metrics (id INTEGER PRIMARY KEY, run_name, step, metrics);
  INSERT INTO metrics (run_name, step, metrics) VALUES ('b', 0, '{"loss": 0.5, "grad_norm": "NaN"}'),
    ('b', 1, '{"loss": 0.25}'), ('a', 0, '{"loss": 1}'), ('a', 1, 'torn {'), ('a', 2, '{"loss": 2}');`;

Deno.test("TRACKIO_DATABASE reads runs in the order in which they began, without a step of the trainer by calls", () => {
  const [b, a] = readDatabase(TRACKIO_DATABASE, LOGS);
  assert.deepEqual([b!.part.run, a!.part.run], ["b", "a"]);
  assert.deepEqual([b!.metrics.train_step, column(b!, "loss"), column(b!, "grad_norm")], [[0, 1], [0.5, 0.25], [
    NaN,
    null,
  ]]);
  assert.deepEqual([a!.metrics.train_step, column(a!, "loss")], [[0, 2], [1, 2]]);
});

Deno.test("TRACKIO_DATABASE gives each run its own configuration", () => {
  const runs = readDatabase(
    TRACKIO_DATABASE,
    `${LOGS} CREATE TABLE configs (id INTEGER PRIMARY KEY, run_name, config);
    INSERT INTO configs (run_name, config) VALUES ('a', '{"learning_rate": 1, "_User": "x"}'), ('b', '{"learning_rate": 2}');`,
  );
  assert.deepEqual(runs.map(({ settings }) => settings.map(({ name, value }) => [name, value])), [[[
    "learning_rate",
    2,
  ]], [[
    "learning_rate",
    1,
  ]]]);
});
