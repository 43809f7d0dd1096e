import assert from "node:assert/strict";
import { join } from "node:path";
import { parquetWriteBuffer } from "hyparquet-writer";
import { localRows, passesOver } from "../../../workflows/translate/row_count.ts";
import type { Given } from "../../../workflows/translate/table.ts";
import { translate } from "../../../workflows/translate/translate.ts";
import { stepSettings } from "./translated.ts";
import type { Value } from "../../../workflows/translate/written.ts";

const ROWS = 100;

/** A folder with 100 rows in each format, and LLaMA-Factory's list of them. */
async function withRows(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  const rows = Array.from({ length: ROWS }, (_, i) => ({ prompt: `${i}`, answer: `${i}` }));
  const files = {
    "rows.jsonl": rows.map((row) => JSON.stringify(row)).join("\n"),
    "rows.json": JSON.stringify(rows),
    "rows.csv": ["prompt,answer", ...rows.map(({ prompt, answer }) => `${prompt},${answer}`)].join("\n"),
    "broken.jsonl": "{",
    "data/dataset_info.json": JSON.stringify({ mine: { file_name: "mine.json" } }),
    "data/mine.json": JSON.stringify(rows),
  };
  await Deno.mkdir(join(folder, "data"));
  for (const [name, text] of Object.entries(files)) await Deno.writeTextFile(join(folder, name), text);
  const columns = [{ name: "prompt", data: rows.map(({ prompt }) => prompt) }];
  await Deno.writeFile(join(folder, "rows.parquet"), new Uint8Array(parquetWriteBuffer({ columnData: columns })));
  try {
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const options = (given: Readonly<Record<string, Value>>) =>
  Object.entries(given).map(([name, value], i) => ({ name, value, line: i + 1 }));

Deno.test("localRows() counts what lies beside the configuration, in each format, in lists, up to limits", () =>
  withRows(async (folder) => {
    const count = async (given: Readonly<Record<string, Value>>) =>
      (await localRows(options(given), join(folder, "a.yaml")))?.rows;
    for (const file of ["rows.jsonl", "./rows.json", "rows.csv", "rows.parquet", join(folder, "rows.jsonl")]) {
      assert.equal(await count({ dataset_name: file }), ROWS, file);
    }
    assert.equal(await count({ dataset_name: "json", "train_dataset.data_files": { train: "rows.jsonl" } }), ROWS);
    assert.equal(await count({ "data.train_files": ["rows.jsonl", "rows.csv"] }), 2 * ROWS);
    assert.equal(await count({ dataset: "rows.jsonl#30" }), 30);
    assert.equal(await count({ dataset: "mine,mine", stage: "sft" }), 2 * ROWS);
    assert.equal(await count({ prompt_data: "rows.jsonl", max_samples: 40 }), 40);
    assert.equal(await count({ stage: "sft", dataset: "mine,rows.csv", max_samples: 40 }), 80);
  }));

Deno.test("localRows() does not guess: what is not here, is broken, or of which a part trains", () =>
  withRows(async (folder) => {
    const unknown: Readonly<Record<string, Value>>[] = [
      {},
      { dataset_name: "trl-lib/tldr" },
      { dataset_name: "absent.jsonl" },
      { dataset_name: "broken.jsonl" },
      { dataset_name: "x".repeat(5000) },
      { dataset_name: { unresolved: "$DATA" } },
      { dataset_name: "rows.jsonl", dataset_train_split: "train[:10%]" },
      { dataset_name: "rows.jsonl", packing: true },
      { dataset: "rows.jsonl", split_dataset_ratio: 0.1 },
      { "data.train_files": ["rows.jsonl", "absent.jsonl"] },
    ];
    for (const given of unknown) {
      assert.equal(await localRows(options(given), join(folder, "a.yaml")), null, JSON.stringify(given).slice(0, 99));
    }
  }));

Deno.test("passesOver() is epochs of whole batches, the last one with or without", () => {
  const given = { rows: 100 } as Given;
  assert.deepEqual(
    [passesOver(given, 30, 2, false), passesOver(given, 30, 2, true), passesOver(given, 300, 1, false)],
    [
      6,
      8,
      1,
    ],
  );
  assert.equal(passesOver(given, 10, 0.5, true), 5);
  assert.equal(passesOver({ rows: null } as Given, 30, 2, true), null);
});

/** Configurations with 100 rows: the length of the run, and the updates of its schedule, as their systems compute them. */
const LENGTHS = [
  // 8 rows × 2: 13 batches, 7 updates an epoch.
  [
    "a.yaml",
    "trainer: dpo\ndataset_name: rows.jsonl\ngradient_accumulation_steps: 2\nnum_train_epochs: 2",
    "train_preferences.max_updates",
    14,
    "train_preferences.schedule_updates",
    14,
  ],
  // 13 batches an epoch, 3 epochs by default.
  [
    "a.yaml",
    "trainer: sft\ndataset_name: rows.csv",
    "fine_tune.max_updates",
    39,
    "fine_tune.schedule_updates",
    39,
  ],
  // 8 completions of a rollout are 2 prompts of 4: 50 rollouts; 2 iterations are 2 updates of each.
  [
    "a.yaml",
    "trainer: grpo\ndataset_name: rows.jsonl\nnum_generations: 4\nnum_iterations: 2\nnum_train_epochs: 1",
    "workflow.train_steps",
    50,
    "apply_update.schedule_updates",
    100,
  ],
  [
    "a.sh",
    "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo data.train_files=rows.jsonl data.train_batch_size=32 " +
    "actor_rollout_ref.actor.ppo_mini_batch_size=16 trainer.total_epochs=5",
    "workflow.train_steps",
    15,
  ],
  [
    "a.sh",
    "python3 -m openrlhf.cli.train_ppo_ray --prompt_data rows.jsonl --rollout_batch_size 16 --n_samples_per_prompt 4 " +
    "--train_batch_size 32 --num_episodes 2 --advantage_estimator rloo",
    "workflow.train_steps",
    12,
    "apply_update.schedule_updates",
    24,
  ],
  [
    "a.sh",
    "deepspeed --module openrlhf.cli.train_sft --dataset rows.jsonl --train_batch_size 16 --max_epochs 2",
    "fine_tune.max_updates",
    12,
    "fine_tune.schedule_updates",
    12,
  ],
  // 16 gradients of one row where nothing is said.
  ["a.sh", "swift sft --model a/b --dataset rows.jsonl --num_train_epochs 1", "fine_tune.max_updates", 7],
  [
    "a.yaml",
    "stage: kto\nfinetuning_type: full\ndataset: mine\nper_device_train_batch_size: 10\nnum_train_epochs: 1.5",
    "train_preferences.max_updates",
    15,
  ],
] as const;

for (const [name, text, target, length, schedule, updates] of LENGTHS) {
  Deno.test(`translate() turns epochs into ${target} ${length}: ${text.replaceAll("\n", " ").slice(0, 50)}`, () =>
    withRows(async (folder) => {
      await Deno.writeTextFile(join(folder, name), text);
      const { settings, outcomes } = await translate(join(folder, name), name, "mine");
      assert.equal(settings[target], length);
      if (schedule !== undefined) assert.equal(settings[schedule], updates);
      const epochs = outcomes.find(({ option }) => /(?:num_train|total|max)_epochs$|num_episodes$/.test(option))!;
      assert.equal(epochs.class, "translated");
    }));
}

/** A verl command on rows of its own form, in the folder that the program makes of $HOME; its rows where the workflow reads them. */
async function ofVerl(truth: (i: number) => string, more = "") {
  const folder = await Deno.makeTempDir();
  try {
    const row = (i: number) => ({
      data_source: "openai/gsm8k",
      prompt: `${i}`,
      reward_model: { ground_truth: truth(i) },
    });
    await Deno.mkdir(join(folder, "data"));
    const lines = Array.from({ length: ROWS }, (_, i) => JSON.stringify(row(i)));
    await Deno.writeTextFile(join(folder, "data/train.jsonl"), lines.join("\n"));
    const command =
      "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo data.train_files=$HOME/data/train.jsonl " +
      `data.train_batch_size=20 trainer.total_epochs=3 ${more}`;
    await Deno.writeTextFile(join(folder, "a.sh"), command);
    return await translate(join(folder, "a.sh"), "a.sh", "mine");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("translate() counts rows where the workflow reads them, and reads verl's answers from their field", async () => {
  const { settings, outcomes } = await ofVerl((i) => `${i},000.5`);
  assert.equal(settings["workflow.train_steps"], 15);
  assert.equal(settings["load_prompts.answer_column"], "reward_model.ground_truth");
  assert.equal(settings["load_prompts.verifier"], "numeric");
  assert.match(outcomes.find(({ option }) => option === "data.reward_fn_key")!.text, /parser by data_source/);
});

Deno.test("translate() sets no verifier for verl's answers that are no numbers, and says what judges", async () => {
  const { settings, outcomes } = await ofVerl((i) => `\\frac{${i}}{2}`);
  assert.equal(settings["load_prompts.verifier"], undefined);
  const { class: kind, text } = outcomes.find(({ option }) => option === "data.reward_fn_key")!;
  assert.deepEqual([kind, /set verifier: numeric of load_prompts/.test(text)], ["not_supported", true]);
  const own = await ofVerl((i) => `${i}`, "custom_reward_function.path=score.py");
  assert.equal(own.settings["load_prompts.verifier"], undefined);
  assert(!own.outcomes.some(({ option }) => option === "data.reward_fn_key"));
});

Deno.test("translate() counts rows that a script reads by Dataset.from_json, and a YAML's one data set of a mixture", () =>
  withRows(async (folder) => {
    const files = {
      "a.py":
        'DPOTrainer("a/b", args=DPOConfig("o", num_train_epochs=1), train_dataset=Dataset.from_json("rows.jsonl"))',
      "a.yaml": "trainer: dpo\nnum_train_epochs: 1\ndatasets:\n  - path: json\n    data_files: rows.jsonl",
    };
    for (const [name, text] of Object.entries(files)) {
      await Deno.writeTextFile(join(folder, name), text);
      const { settings, outcomes } = await translate(join(folder, name), name, "mine");
      const { max_updates, schedule_updates } = stepSettings(settings, "train_preferences");
      assert.deepEqual(
        [settings["load_preferences.file"], max_updates, schedule_updates],
        ["rows.jsonl", 13, 13],
        name,
      );
      assert(!outcomes.some(({ class: kind }) => kind === "unknown"));
    }
  }));
