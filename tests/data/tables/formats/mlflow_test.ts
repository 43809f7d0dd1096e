import assert from "node:assert/strict";
import { parse } from "yaml";
import { mlflowExperiment, mlflowFolder, toMlflow } from "../../../../data/tables/formats/mlflow.ts";
import { RUN, step } from "./tiny_tracker_run.ts";

const AT = new URL("file:///a%20b/mlruns");

Deno.test("toMlflow() writes a line per value, meta.yaml last; a name that would leave the folder cannot", () => {
  const steps = [step(1, [["loss", NaN], ["reward.../../x", 1]]), step(2, [["loss", -Infinity]])];
  const files = [...toMlflow(RUN, steps, AT)], texts = new Map(files);
  assert.equal(texts.get("metrics/rollout/loss"), "1767323046250 nan 1\n1767323047250 -inf 2\n");
  assert.deepEqual([texts.get("params/text"), texts.get("params/list")], ['x"\ny', "[1]"]);
  assert.deepEqual([texts.get("tags/nonzero.run"), texts.get("tags/nonzero.seed")], [RUN.id, "1"]);
  assert.equal(files.at(-1)![0], "meta.yaml");
  const names = [...texts.keys()].filter((name) => name.startsWith("metrics/rollout/reward"));
  assert.deepEqual(names, ["metrics/rollout/reward..._.._x"]);
  const meta = parse(texts.get("meta.yaml")!);
  assert.deepEqual([meta.run_name, meta.status, meta.end_time, meta.start_time], [RUN.id, 3, null, 1767323045250]);
  assert.equal(meta.artifact_uri, `file:///a%20b/${mlflowFolder(RUN)}/artifacts`);
});

Deno.test("mlflowFolder() is the same for the same run, and 32 hexadecimal digits for MLflow", () => {
  assert.match(mlflowFolder(RUN), /^mlruns\/0\/[0-9a-f]{32}$/);
  assert.notEqual(mlflowFolder(RUN), mlflowFolder({ ...RUN, id: "other" }));
  const [path, text] = mlflowExperiment(RUN, AT);
  assert.deepEqual([path, parse(text).experiment_id, parse(text).name], ["mlruns/0/meta.yaml", "0", "Default"]);
});

Deno.test("toMlflow() cuts a parameter that is longer than MLflow takes", () => {
  const files = new Map(toMlflow({ ...RUN, settings: new Map([["long", "x".repeat(9000)]]) }, [], AT));
  assert.equal(files.get("params/long")!.length, 6000);
});
