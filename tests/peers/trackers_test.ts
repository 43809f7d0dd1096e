/** What `export` writes, opened by TensorBoard, W&B and MLflow themselves. Runs where a Python has them. @module */
import assert from "node:assert/strict";
import { exportedTo, ID, METRICS, ODD, withOddRun } from "../workflows/cli/odd_run.ts";
import { pythonWith } from "./python_with.ts";

// deno-lint-ignore no-explicit-any
async function opened(program: string, folder: string): Promise<any> {
  const script = new URL("trackers.py", import.meta.url).pathname;
  const { success, stdout, stderr } = await new Deno.Command(pythonWith(program)!, { args: [script, program, folder] })
    .output();
  assert(success, new TextDecoder().decode(stderr).slice(-3000));
  return JSON.parse(new TextDecoder().decode(stdout).trim().split("\n").at(-1)!);
}

const started = Date.parse("2026-01-02T03:04:05.000Z") / 1000;
/** A value as the other program prints it: Python has other names for what is not finite. */
const python = (value: number) =>
  Number.isFinite(value) ? value : String(value).toLowerCase().replace("infinity", "inf");
/** The values of a metric in a phase, by train step. */
const values = (phase: string, column: "loss" | "reward" | "grad_norm") =>
  METRICS.flatMap((row) => {
    const value = row[column];
    return row.phase === phase && value !== undefined ? [[row.train_step, python(value)] as const] : [];
  });

function peer(program: string, name: string, check: (folder: string) => Promise<void>): void {
  const ignore = pythonWith(program) === null;
  const why = `: needs a Python with ${program} in NONZERO_PEERS_PYTHON, .venv-peers/bin/python or python3`;
  Deno.test({
    name: ignore ? name + why : name,
    ignore,
    fn: () => withOddRun(async (runs) => await check(await exportedTo(runs, program))),
  });
}

peer(
  "tensorboard",
  "TensorBoard shows every scalar, the histogram and the completions of an export",
  async (folder) => {
    const { scalars, texts, histograms, served } = await opened("tensorboard", folder);
    for (const column of ["loss", "grad_norm", "reward"] as const) {
      const read = scalars[`rollout/${column}`].map(([step, , value]: unknown[]) => [step, value]);
      assert.deepEqual(read, values("rollout", column), column);
    }
    assert.deepEqual(scalars["sft/loss"], [[1, started, 0.5]]);
    // The other completion of the group was not judged, and the first segment has no such column.
    assert.deepEqual(scalars["rollout/reward.b"], [[4, started, 0.5]]);
    assert.deepEqual(scalars["evaluations/after.greedy"], [[4, started, 0.75]]);
    assert.deepEqual(histograms, { "gradients/grad_norm": [[4, 3, 2]] });
    assert.deepEqual(texts["completions"].map(([step]: unknown[]) => step), [2, 3, 4]);
    assert(texts["completions"][0][1].includes(ODD));
    assert.deepEqual(served, Object.keys(scalars).sort());
  },
);

peer("wandb", "W&B reads configuration, history, summary and files of an export, and would sync it", async (folder) => {
  const { id, config, history, summary, files, missing, kinds, synced, told } = await opened("wandb", folder);
  assert.equal(id, ID);
  assert.deepEqual([config.learning_rate, config.loss, config.suppress_tokens], [1e-6, "clipped", [1, 2]]);
  assert.deepEqual(history.map((row: Record<string, unknown>) => row["_step"]), [1, 2, 3, 4]);
  for (const column of ["loss", "grad_norm", "reward"] as const) {
    const read = history.flatMap((row: Record<string, unknown>) =>
      row[`rollout/${column}`] === undefined ? [] : [[row["_step"], row[`rollout/${column}`]]]
    );
    assert.deepEqual(read, values("rollout", column), column);
  }
  assert.deepEqual([summary["rollout/reward"], summary["evaluations/after.greedy"]], ["1", "0.75"]);
  assert.deepEqual([missing, files.includes("completions.parquet")], [[], true]);
  assert.deepEqual([kinds[0], kinds.at(-1)], ["header", "exit"]);
  assert(synced, told);
  assert.match(told, /Would sync 1 run|Record: exit/);
});

peer("mlflow", "MLflow's client reads metrics, parameters, tags and artifacts of an export", async (folder) => {
  const { name, status, params, tags, metrics, artifacts } = await opened("mlflow", folder);
  assert.deepEqual([name, status, tags["nonzero.run"]], [ID, "FINISHED", ID]);
  assert.deepEqual([params.learning_rate, params.loss, params.suppress_tokens], ["0.000001", "clipped", "[1,2]"]);
  for (const column of ["loss", "grad_norm", "reward"] as const) {
    const read = metrics[`rollout/${column}`].map(([step, , value]: unknown[]) => [step, value]);
    assert.deepEqual(read, values("rollout", column), column);
  }
  assert.deepEqual(metrics["sft/loss"], [[1, started * 1000, 0.5]]);
  assert(artifacts.includes("completions.parquet"));
});
