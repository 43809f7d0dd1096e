/** What a configuration's settings are where variables, expressions and texts in quotes stand between the file and the trainer. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { readRun } from "../../../data/adapters/read_run.ts";
import { checkConfiguration } from "../../../workflows/preflight/configuration.ts";
import { launchesOf } from "../../../workflows/preflight/foreign/read_launch.ts";
import { withToldSettings } from "../../../workflows/preflight/told_settings.ts";

async function inFolder<T>(name: string, text: string, look: (path: string) => Promise<T>): Promise<T> {
  const folder = Deno.makeTempDirSync({ prefix: "nonzero_told_" });
  try {
    Deno.writeTextFileSync(join(folder, name), text);
    return await look(join(folder, name));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

const alarms = (name: string, text: string) =>
  inFolder(name, text, async (path) => {
    const [{ problems }] = await checkConfiguration([path]) as [Awaited<ReturnType<typeof checkConfiguration>>[0]];
    return problems.filter(({ severity }) => severity !== "info").map(({ message }) => message).join("\n");
  });

const script = (rate: string, before = "") =>
  `from trl import GRPOConfig, GRPOTrainer
${before}
args = GRPOConfig(output_dir="o", learning_rate=${rate}, num_generations=8, per_device_train_batch_size=8)
GRPOTrainer(model="Qwen/Qwen2.5-1.5B-Instruct", args=args, reward_funcs=score).train()
`;

const UNTOLD: readonly (readonly [rate: string, before?: string])[] = [
  ['float(os.environ["LR"])'],
  ["cfg.lr"],
  ['float(c["lr"])'],
  ["0.0 if warm else 1e-6"],
  ["x", "x = get_lr()"],
  ["rates[-1] or 0.0", "rates = load()"],
  ["lr", "for lr in load():\n    pass"],
  ["a299", ["a0 = load()", ...Array.from({ length: 299 }, (_, i) => `a${i + 1} = a${i}`)].join("\n")],
  ["2 * 1e-6"],
  ["max(1e-6, 1e-7)"],
  ["lr", "lr = 1e-6"],
];

for (const [rate, before] of UNTOLD) {
  Deno.test(`check judges no part of ${rate} for the rate, behind ${before?.slice(0, 20) ?? "nothing"}`, async () => {
    assert.equal(await alarms("train.py", script(rate, before)), "");
  });
}

const TOLD: readonly (readonly [rate: string, before: string, says: RegExp])[] = [
  ["2 * 1.0", "", /learning rate 2 is/],
  ["0 * 1e-6", "", /learning rate is 0/],
  ["lr", "lr = 0.0", /learning rate is 0/],
  ["max(0.5, 1e-7)", "", /learning rate 0\.5 is/],
];

for (const [rate, before, says] of TOLD) {
  Deno.test(`check judges what ${rate} comes to, behind ${before || "nothing"}`, async () => {
    assert.match(await alarms("train.py", script(rate, before)), says);
  });
}

Deno.test("a parameter without a default is what its caller gives, whatever the script calls so before", async () => {
  const inside = (head: string) =>
    `from trl import GRPOConfig, GRPOTrainer\nlr = 0.0\n${head}\n    args = GRPOConfig(learning_rate=lr, num_generations=8)\n` +
    `    GRPOTrainer(model="m", args=args, reward_funcs=f)\n`;
  assert.equal(await alarms("train.py", inside("def run(lr):")), "");
  assert.match(await alarms("train.py", inside("if True:")), /learning rate is 0/);
});

Deno.test("what another call of a program is given is no option of its training; what is set on the arguments is", async () => {
  assert.equal(await alarms("train.py", `${script("1e-6")}judge.generate(temperature=0.0, top_p=0.01)\n`), "");
  assert.match(
    await alarms("train.py", script("1e-6").replace("\nGRPOTrainer", "\nargs.learning_rate = 0.0\nGRPOTrainer")),
    /learning rate is 0/,
  );
});

const notebook = (rate: string) =>
  JSON.stringify(
    { cells: [{ cell_type: "code", source: script(rate).split(/(?<=\n)/) }], nbformat: 4, metadata: {} },
    null,
    1,
  );

Deno.test("a notebook's options and those of a text that a shell is given are judged as any", async () => {
  assert.match(await alarms("train.ipynb", notebook("0.0")), /learning rate is 0/);
  assert.equal(await alarms("train.ipynb", notebook("1e-6")), "");
  const shell = (rate: string) =>
    `srun bash -c "python -m trl.scripts.grpo --learning_rate ${rate} --num_generations 8 --model_name_or_path m"\n`;
  assert.match(await alarms("run.sh", shell("0")), /learning rate is 0/);
  assert.equal(await alarms("run.sh", shell("1e-6")), "");
});

Deno.test("withToldSettings() fills variables in, and names system and method of the one training", async () => {
  const text = "LR=1e-6\npython grpo.py --learning_rate $LR --num_generations 8\n";
  await inFolder("run.sh", text, async (path) => {
    const [read] = await readRun([path]);
    const run = withToldSettings(read!, launchesOf(path, text));
    assert.deepEqual([run.system, run.algorithm], ["trl", "grpo"]);
    const rates = run.settings.filter(({ option }) => option === "learning_rate").map(({ value }) => value);
    assert.deepEqual(rates, [1e-6]);
  });
});
