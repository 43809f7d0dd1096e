import assert from "node:assert/strict";
import { textRole } from "../../../data/adapters/console.ts";
import { column, readFiles, readText, readTexts } from "./read_text.ts";

const RECORD = (loss: string, epoch: string) =>
  `{'loss': ${loss}, 'grad_norm': 0.5, 'learning_rate': 1e-06, 'reward': 0.25, 'kl': 0.001, 'epoch': ${epoch}}`;

Deno.test("CONSOLE reads dicts glued to progress bars, carriage returns, colours and warnings", async () => {
  const run = await readText(
    [
      "  4%|███    | 1/25 [00:25<10:05, 25.24s/it]Invalidate trace cache @ step 0",
      `  0%| | 0/3 [00:00<?, ?it/s]\r 33%|█ | 1/3 [00:01<00:02]\r     ${RECORD("0.1", "0.1")}\r`,
      `\x1b[32m${RECORD("0.2", "0.2")}\x1b[0m`,
      `UserWarning: None of the inputs have requires_grad=True${RECORD("0.3", "0.3")}`,
      "",
    ].join("\n"),
  );
  assert.deepEqual(column(run, "loss"), [0.1, 0.2, 0.3]);
  assert.deepEqual(run.metrics.line, [2, 3, 4]);
  assert.deepEqual(run.metrics.train_step, [1, 2, 3]);
  assert.equal(run.rows.log!.stepsPrinted, false);
});

Deno.test("CONSOLE reads nan, inf and None as three different things", async () => {
  const run = await readText(
    "{'loss': nan, 'grad_norm': inf, 'reward': None, 'kl': -inf, 'epoch': 0.1}\n" +
      "{'loss': 'nan', 'grad_norm': '-inf', 'reward': 'None', 'kl': '0', 'epoch': '0.2'}\n",
  );
  assert.deepEqual(column(run, "loss"), [NaN, NaN]);
  assert.deepEqual(column(run, "grad_norm"), [Infinity, -Infinity]);
  assert.deepEqual(column(run, "reward"), [null, null]);
  assert.deepEqual(column(run, "kl"), [-Infinity, 0]);
});

Deno.test("CONSOLE takes nothing from a record cut in the middle, and says so", async () => {
  const whole = RECORD("0.1", "0.1");
  const run = await readText(`${whole}\n${whole.slice(0, 70)}\n${RECORD("0.3", "0.3")}\n${whole.slice(0, 75)}`);
  assert.deepEqual(column(run, "loss"), [0.1, 0.3]);
  assert.deepEqual(run.skipped.map(({ reason, count, line }) => [reason, count, line]), [
    ["a dict cut before its end", 2, 2],
  ]);
});

Deno.test("CONSOLE joins a dict that is printed over several lines", async () => {
  const run = await readText("{\n  'loss': 0.5,\n  'grad_norm': 1.5,\n  'rewards': {'x': 1},\n  'epoch': 1.0\n}\n");
  assert.deepEqual(column(run, "grad_norm"), [1.5]);
  assert.deepEqual(run.metrics.line, [1]);
});

Deno.test("CONSOLE reads UTF-16, with and without a mark, and bytes of Latin-1", async () => {
  const text = `caf\u00e9\n${RECORD("0.125", "0.1")}\n`;
  const utf16 = new Uint8Array(text.length * 2);
  for (let i = 0; i < text.length; i++) {
    utf16[2 * i] = text.charCodeAt(i) & 255;
    utf16[2 * i + 1] = text.charCodeAt(i) >> 8;
  }
  assert.deepEqual(column(await readText(utf16), "loss"), [0.125]);
  assert.deepEqual(column(await readText(new Uint8Array([0xff, 0xfe, ...utf16])), "loss"), [0.125]);
  const latin = Uint8Array.from(text, (c) => c.charCodeAt(0));
  assert.deepEqual(column(await readText(latin), "loss"), [0.125]);
});

Deno.test("CONSOLE reads full-width commas and curly quotes of a paste", async () => {
  const run = await readText(
    "｛‘loss’： 0.5， ‘grad_norm’： 2.0， ‘completions / mean_length’： 12.0， ‘epoch’： 0.1｝\n",
  );
  assert.deepEqual(column(run, "completion_length"), [12]);
});

Deno.test("CONSOLE splits runs where the step or the epoch starts again, and says why", async () => {
  const steps = await readTexts(
    [1, 2, 3, 1, 2].map((n) => `step:${n} - actor/pg_loss:0.${n} - actor/grad_norm:1.0\n`).join(""),
  );
  assert.deepEqual(steps.map(({ metrics, part }) => [metrics.train_step, part.index, part.of, part.reason]), [
    [[1, 2, 3], 1, 2, "first record"],
    [[1, 2], 2, 2, "train step went back to 1"],
  ]);
  const epochs = await readTexts(["0.1", "0.2", "0.3", "0.1"].map((e) => RECORD("0.1", e) + "\n").join(""));
  assert.deepEqual(epochs.map(({ metrics }) => metrics.rows), [3, 1]);
});

Deno.test("CONSOLE keeps one rank's records and reports another rank's NaN", async () => {
  const run = await readText(
    `[rank0]: ${RECORD("0.1", "0.1")}\n[rank1]: ${RECORD("nan", "0.1")}\n[rank0]: ${RECORD("0.2", "0.2")}\n`,
  );
  assert.deepEqual(column(run, "loss"), [0.1, 0.2]);
  const [message] = run.messages.filter(({ kind }) => kind === "non_finite_on_other_rank");
  assert.equal(message!.value, 1);
  assert(run.skipped.some(({ reason }) => reason.includes("rank 1")));
});

Deno.test("CONSOLE is not fooled by loose lines beside real records", async () => {
  const run = await readText(`reward: 0.9\n${RECORD("0.1", "0.1")}\nreward: 0.8\n${RECORD("0.2", "0.2")}\n`);
  assert.deepEqual(column(run, "reward"), [0.25, 0.25]);
  assert(run.skipped.some(({ reason }) => reason.includes("beside real ones")));
});

Deno.test("CONSOLE leaves out the summary that ends a training", async () => {
  const run = await readText(`${RECORD("0.1", "0.1")}\n{'train_runtime': 12.5, 'train_loss': 0.7, 'epoch': 1.0}\n`);
  assert.deepEqual(column(run, "loss"), [0.1]);
});

Deno.test("CONSOLE takes hostile names as plain names", async () => {
  const run = await readText(
    "{'loss': 0.1, '__proto__': 1.0, 'constructor': 2.0, 'toString': 3.0, 'hasOwnProperty': 4, 'epoch': 0.1}\n",
  );
  assert.deepEqual(column(run, "__proto__"), [1]);
  assert.deepEqual(run.unmapped.get("toString"), 1);
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
});

Deno.test("CONSOLE bounds the names of a record with very many columns", async () => {
  const names = Array.from({ length: 20_000 }, (_, i) => `'m${i}': ${i}`).join(", ");
  const run = await readText(`{'loss': 0.5, ${names}}\n`);
  assert.deepEqual(column(run, "loss"), [0.5]);
  assert(run.metrics.columns.size <= 4096);
  assert(run.skipped.some(({ reason }) => reason === "more names than a run can have"));
});

Deno.test("CONSOLE says that a file is empty or binary", async () => {
  const empty = await readText("");
  assert.equal(empty.sources[0]!.partial, "it is empty");
  const binary = await readText(Uint8Array.from({ length: 4096 }, (_, i) => (i * 7919) % 251 % 7));
  assert.equal(binary.sources[0]!.partial, "it is binary and of no known format");
  assert.equal(binary.metrics.rows, 0);
});

Deno.test("CONSOLE reads launch scripts as settings with line and column", async () => {
  const run = await readFiles({
    "run.sh": "export BETA=0.04\n" +
      "python3 -m verl.trainer.main_ppo \\\n" +
      "    algorithm.adv_estimator=grpo \\\n" +
      "    +actor_rollout_ref.rollout.n=5 actor_rollout_ref.actor.optim.lr=1e-6 \\\n" +
      '    trainer.logger=\'["console","wandb"]\'\n',
  });
  const of = (option: string) => run.settings.find((setting) => setting.option === option)!;
  assert.deepEqual([of("group_size").value, of("group_size").line, of("group_size").column], [5, 4, 5]);
  assert.equal(of("learning_rate").value, 1e-6);
  assert.equal(of("algorithm").name, "algorithm.adv_estimator");
  assert.deepEqual([run.system, run.algorithm], ["verl", "grpo"]);
  assert.equal(run.settings.find(({ name }) => name === "BETA")!.value, 0.04);
});

Deno.test("CONSOLE reads flags with several values, equals signs and bare switches", async () => {
  const run = await readFiles({
    "launch.args": "--reward_funcs accuracy format --beta=0.0 --bf16 --top_k -1 --loss-type dapo\n",
  });
  const values = Object.fromEntries(run.settings.map(({ name, value }) => [name, value]));
  assert.deepEqual(values, { reward_funcs: ["accuracy", "format"], beta: 0, bf16: true, top_k: -1, loss_type: "dapo" });
});

for (
  const [name, role] of [
    ["log.txt", "log"],
    ["config.txt", "configuration"],
    ["run.sh", "configuration"],
    ["training_args.txt", "configuration"],
    ["completions.txt", "completions"],
    ["train.py", "script"],
    ["stdin", "log"],
    ["reconfigure.log", "log"],
  ] as const
) {
  Deno.test(`textRole() takes ${name} for a ${role}`, () => assert.equal(textRole(name), role));
}

Deno.test("CONSOLE does not take the half of a number at the end of a configuration for a setting", async () => {
  const names = async (text: string) => (await readFiles({ "config.txt": text })).settings.map(({ name }) => name);
  assert.deepEqual(await names("seed: 212\nlearning_rate: 0"), ["seed"]);
  assert.deepEqual(await names("seed: 212\nlearning_rate: 0\n"), ["seed", "learning_rate"]);
  assert.deepEqual(await names("seed: 212\nlearning_rate: 0.0001"), ["seed", "learning_rate"]);
});

Deno.test("CONSOLE reads the overrides that a program was started with, in one line or in several, and none of prose", async () => {
  const one =
    "+ python3 -m verl.trainer.main_ppo data.max_response_length=2048 actor_rollout_ref.actor.use_kl_loss=True\n";
  const several = "python3 -m verl.trainer.main_ppo \\\n  data.max_response_length=2048 \\\n" +
    "  actor_rollout_ref.actor.use_kl_loss=True \\\n";
  for (const text of [one, several]) {
    const run = await readText(text + RECORD("0.1", "0.1"));
    assert.deepEqual(
      run.settings.filter(({ name }) => name.includes(".")).map(({ option, value }) => [option, value]),
      [["max_new_tokens", 2048], ["kl_in_loss", true]],
    );
  }
  const prose = await readText(`see main.py or module.sub=3 for more\n${RECORD("0.1", "0.1")}`);
  assert.deepEqual(prose.settings.filter(({ name }) => name.includes(".")), []);
});
