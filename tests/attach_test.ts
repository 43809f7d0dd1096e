/** What docs/attach.md promises: its commands are understood, its recipes stop a run, each system's lines are read. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { Patience } from "../workflows/doctor/follow/patience.ts";
import { readArguments } from "../workflows/cli/read_arguments.ts";
import { COMMANDS } from "../workflows/cli/mod.ts";
import { followText, lineChunks } from "./bench/followed_cases.ts";
import { inFolder } from "./workflows/doctor/follow/collected.ts";
import { DENO_RUN, PROJECT } from "./workflows/cli/command_line.ts";

const PAGE = await Deno.readTextFile(new URL("../docs/attach.md", import.meta.url));
const LINES = [...PAGE.matchAll(/^```sh\n([^]*?)^```/gm)].flatMap(([, block]) => block!.trim().split("\n"));

Deno.test("docs/attach.md: every command of ours has options and paths that are understood", async () => {
  const commands = LINES.flatMap((line) => /nonzero (diagnose .*)$/.exec(line)?.[1] ?? []);
  assert(commands.length >= 8);
  const diagnose = await COMMANDS.diagnose();
  for (const command of commands) {
    const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
    const { values, words: paths } = readArguments(diagnose, words.slice(1));
    assert.deepEqual([values["follow"], paths.length], [true, 1], command);
  }
  for (const link of PAGE.matchAll(/\]\(([^)#\s]+)\)/g)) {
    await Deno.stat(new URL(`../docs/${link[1]}`, import.meta.url));
  }
});

/** Runs a line of the page with a stand-in for python that dies at its fourth record, and for the launcher. */
async function recipe(
  line: string,
  python: string,
): Promise<{ code: number; out: string; err: string; left: string[] }> {
  let result = { code: -1, out: "", err: "", left: [] as string[] };
  await inFolder(async (folder, write) => {
    const main = join(PROJECT, "workflows/cli/main.ts");
    await write("nonzero", `#!/bin/sh\nexec '${Deno.execPath()}' ${DENO_RUN.join(" ")} '${main}' "$@"\n`);
    await write("python", `#!/bin/sh\n${python}`);
    for (const name of ["nonzero", "python"]) await Deno.chmod(join(folder, name), 0o755);
    const { code, stdout, stderr } = await new Deno.Command("bash", {
      args: ["-c", `set -o pipefail\n${line}`],
      cwd: folder,
      env: { PATH: `${folder}:${Deno.env.get("PATH")}`, INIT_CWD: folder, NO_COLOR: "1" },
    }).output();
    const decoder = new TextDecoder();
    const left = [...Deno.readDirSync(folder)].map(({ name }) => name);
    result = { code, out: decoder.decode(stdout), err: decoder.decode(stderr), left };
  });
  return result;
}

/** Trains for as long as somebody reads what it prints. */
const TRAINING = `step=0
while :; do
  step=$((step + 1))
  value=0.5; [ $step -lt 4 ] || value=nan
  echo "{'loss': $value, 'grad_norm': $value, 'reward': 0.$step, 'step': $step}" || exit 9
  sleep 0.05
done
`;
const lineWith = (part: string) => LINES.find((line) => line.includes(part))!;

Deno.test("docs/attach.md: --fail-on ends the reader, and the next write of the training ends it", async () => {
  const { code, out, err } = await recipe(
    lineWith("python train.py 2>&1 | nonzero diagnose --follow - --fail-on"),
    TRAINING,
  );
  assert.equal(code, 3);
  assert.match(out, /^\{'loss': 0\.5, .*'step': 1\}\n/);
  assert.match(err, /^FAULTY/m);
});

Deno.test("docs/attach.md: the recipe with train.pid ends the training by SIGTERM, and hears its last words", async () => {
  const { code, out, left } = await recipe(
    lineWith("train.pid"),
    `trap 'echo saving; touch saved; exit 143' TERM\n${TRAINING}`,
  );
  assert.equal(code, 143);
  assert.match(out, /saving\n$/);
  assert(left.includes("saved"));
});

/** Four records as a system prints them, the last two of a run that has died. */
const PRINTED = {
  trl: (step: number, value: string) =>
    `{'loss': ${value}, 'grad_norm': ${value}, 'kl': ${value}, 'reward': 0.5, 'epoch': 0.0${step}}\n`,
  verl: (step: number, value: string) =>
    `(TaskRunner pid=12) step:${step} - actor/pg_loss:${value} - actor/grad_norm:${value} - critic/score/mean:0.55 - response_length/mean:204.0\n`,
  verl_file: (step: number, value: string) =>
    `{"step": ${step}, "data": {"actor/pg_loss": ${value}, "actor/grad_norm": ${value}, "critic/score/mean": 0.5}}\n`,
  openrlhf: (step: number, value: string) =>
    `Train epoch [1/1]:  50%|█████     | ${step}/8 [00:1${step}<00:10, 2.5s/it, act_loss=${value}, reward=0.${step}, gen_len=200, kl=${value}, grad_norm=${value}]\r`,
  "ms-swift": (step: number, value: string) =>
    `{"loss": ${value}, "grad_norm": ${value}, "kl": ${value}, "reward": 0.5, "epoch": 0.1, "global_step/max_steps": "${step}/100", "memory(GiB)": 60.1, "train_speed(iter/s)": 0.1}\n`,
} as const;

for (const [name, print] of Object.entries(PRINTED)) {
  Deno.test(`docs/attach.md: what ${name} prints is read while it goes on, and its death is told`, async () => {
    const text = [1, 2, 3, 4, 5, 6].map((step) =>
      print(step, step < 4 ? `0.0${step}` : name === "ms-swift" || name === "verl_file" ? "NaN" : "nan")
    ).join("");
    const chunks = name === "openrlhf" ? text.split(/(?<=\r)/).flatMap(lineChunks) : lineChunks(text);
    const { told, verdict } = await followText(chunks);
    assert.deepEqual(told.map(({ severity }) => severity), ["fatal"]);
    assert(told[0]!.share < 1);
    assert.equal(verdict.at(-1)!.records, 6);
    if (name !== "verl_file") assert.equal(verdict.at(-1)!.system, name);
  });
}

Deno.test("docs/attach.md says for how many records a finding must have held", () => {
  assert.match(
    PAGE,
    /`fatal` must have held one record ago; everything else two records ago, or a sixth .* at most 20\. A warning must have held ten/,
  );
  assert.equal(new Patience().untold([]).length, 0);
});
