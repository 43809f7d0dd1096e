import assert from "node:assert/strict";
import { completionTable, rowsTable, settingTable } from "../../../../data/adapters/run/to_tables.ts";
import { readFiles } from "../read_text.ts";

Deno.test("finish() gives tables with the dictionary's columns", async () => {
  const run = await readFiles({
    "config.txt": "num_generations: 8\nbeta: None\n",
    "completions.jsonl": '{"step": 1, "prompt": "p", "completion": "c", "accuracy": 1.0, "advantage": 0.5}\n',
    "log.txt":
      "CUDA out of memory\n{'loss': nan, 'grad_norm': 0.5, 'reward': None, 'rewards/acc/mean': 1.0, 'epoch': 0.1}\n",
  });
  const { metrics, settings, messages, completions } = run.rows.tables;
  const log = run.sources.find(({ path }) => path.endsWith("log.txt"))!.path;
  assert.deepEqual(metrics!.objects(), [
    {
      train_step: 1,
      phase: "rollout",
      step_id: "import_log",
      loss: NaN,
      reward: null,
      grad_norm: 0.5,
      epoch: 0.1,
      "reward.acc": 1,
      source: log,
      line: 2,
    },
  ]);
  assert.deepEqual(run.rows.log!.printed.get("reward.acc"), { names: ["rewards/acc/mean"], decimals: null });
  assert.deepEqual(settings!.objects().map((row) => (row as { value: unknown }).value), ["8", "null"]);
  assert.deepEqual(messages!.array("kind"), ["out_of_memory"]);
  const [row] = completions!.objects() as Record<string, unknown>[];
  assert.deepEqual([row!.text, row!["reward.accuracy"], row!.advantage], ["c", 1, 0.5]);
});

Deno.test("tables of nothing have no rows", () => {
  const tables = [settingTable([]), completionTable([]), rowsTable([])];
  assert.deepEqual(tables.map((table) => table.numRows()), [0, 0, 0]);
});
