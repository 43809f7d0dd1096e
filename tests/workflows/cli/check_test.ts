import assert from "node:assert/strict";
import { join } from "node:path";
import { commandLine } from "./command_line.ts";
import { inProcess } from "./in_process.ts";
import { TINY } from "./tiny.ts";

async function checked(name: string, text: string, ...args: readonly string[]) {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(join(folder, name), text);
    return await inProcess(["check", join(folder, name), ...args]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("check says ok of a workflow that can run, with its steps and rounds", async () => {
  const { code, out } = await checked("tiny.yaml", TINY, "-p", "train_steps=9");
  assert.equal(code, 0, out);
  assert.match(out, /^ok {2}.*tiny\.yaml: 9 steps, 9 rounds at most$/m);
  const json = JSON.parse((await checked("tiny.yaml", TINY, "--json")).out);
  assert.deepEqual([json.ok, json.kind, json.runs, json.problems], [true, "workflow", 1, []]);
});

Deno.test("check and run read a path given by -p from where the person stands, a default from the file", async () => {
  const folder = await Deno.makeTempDir(), row = '{"prompt":"a","answer":"b"}';
  const steps = `
  - { uses: load_prompts, with: { file: "\${{ params.file }}", splits: { train: 1, validation: 0, held_out: 0 } } }
  - { uses: load_model, with: { model: "\${{ params.model }}" } }`;
  try {
    await Deno.mkdir(join(folder, "w"));
    await Deno.writeTextFile(join(folder, "here.jsonl"), row);
    await Deno.writeTextFile(join(folder, "w", "beside.jsonl"), row);
    await Deno.writeTextFile(
      join(folder, "w", "a.yaml"),
      `name: a\nparams: { file: beside.jsonl, model: tiny_qwen2 }\nsteps:${steps}\n`,
    );
    const check = (...given: string[]) =>
      commandLine(["check", "w/a.yaml", ...given.flatMap((p) => ["-p", p])], folder);
    assert.equal((await check()).code, 0);
    assert.equal((await check("file=here.jsonl")).code, 0);
    const beside = await check("file=beside.jsonl");
    assert.match(beside.out, /Cannot load prompts from beside\.jsonl: there is no file .*[^w]\/beside\.jsonl/);
    assert.match((await check("model=w/../none/x")).out, new RegExp(`no config.json in ${folder}/none/x or`));
    assert.match((await check("model=what")).out, /^ok/m); // maybe a run
    const plan = await commandLine(["run", "w/a.yaml", "-p", "file=here.jsonl", "--dry-run"], folder);
    assert.match(plan.out, new RegExp(`file=${folder}/here\\.jsonl`), plan.err);
    assert.match(plan.out, /here\.jsonl is read as/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("check warns of a parameter and an axis that nothing reads, once each, also where -p gives it", async () => {
  const text = TINY.replace(/^params: \{/m, "strategy: { matrix: { size: [2, 4] } }\nparams: { wide: 1,");
  assert.notEqual(text, TINY);
  const { code, out } = await checked("tiny.yaml", text, "-p", "wide=3");
  assert.equal(code, 0, out);
  assert.equal(out.match(/warning: nothing reads/g)?.length, 2, out);
  assert.match(out, /tiny\.yaml:\d+:\d+: warning: nothing reads parameter "wide": a value given to it changes nothing/);
  assert.match(out, /tiny\.yaml:\d+:\d+: warning: nothing reads matrix axis "size": it changes nothing/);
});

Deno.test("check shows every mistake of an invalid workflow with its place, exit 2", async () => {
  const wrong = TINY.replace("uses: load_model", "uses: load_modle").replace("group_size: 4", "group_sise: 4");
  const { code, err } = await checked("tiny.yaml", wrong);
  assert.equal(code, 2);
  assert.match(err, /tiny\.yaml:8:\d+: .*"load_modle".*did you mean "load_model"/);
  assert.match(err, /tiny\.yaml:12:\d+: .*"group_sise".*did you mean "group_size"/);
  assert.match(
    err,
    /\nmore is checked when these are mended: files, tables, settings that do not go together, memory\s*$/,
  );
  const json = await checked("tiny.yaml", wrong, "--json");
  assert.equal(json.code, 2);
  const { ok, problems } = JSON.parse(json.out);
  assert.equal(ok, false);
  assert.deepEqual(problems.map(({ line }: { line: number }) => line).sort(), [12, 8]);
});

Deno.test("check shows what is wrong at the head of a workflow and with its files together, exit 2", async () => {
  const wrong = TINY.replace("name: tiny", "name: my-run\nsave_steps: 4").replace(
    "task: addition, digits: 1",
    "file: no.csv",
  );
  const { code, out } = await checked("tiny.yaml", wrong);
  assert.equal(code, 2);
  assert.match(out, /tiny\.yaml:1:7: error: "name" is "my-run", want snake_case/);
  assert.match(out, /tiny\.yaml:2:1: error: unknown key "save_steps"; checkpoint: \{ every: N \} at the head/);
  assert.match(out, /tiny\.yaml:8:41: error: .*no\.csv/);
  assert.doesNotMatch(out, /more is checked/);
  const misspelt = await checked("tiny.yaml", wrong.replace("uses: load_model", "uses: load_modle"));
  assert.match(misspelt.err, /my-run[^]*load_modle[^]*more is checked when these are mended/);
});

Deno.test("check finds what plans but cannot work, and --fail-on decides the exit code", async () => {
  const greedy = TINY.replace("max_new_tokens: 4", "max_new_tokens: 4, temperature: 0.01, top_p: 0.001");
  const { out } = await checked("tiny.yaml", greedy, "--json");
  const { problems } = JSON.parse(out);
  assert(problems.length > 0, out);
  const worst = problems[0].severity;
  assert.notEqual(worst, "info");
  assert.equal((await checked("tiny.yaml", greedy, "--fail-on", worst)).code, 3);
});

Deno.test("check reads another system's configuration, and takes no parameters there", async () => {
  const trl = "learning_rate: '1e-6'\nnum_generations: 8\nper_device_train_batch_size: 8\noutput_dir: out\n";
  const { code, out } = await checked("grpo_config.yaml", trl, "--json");
  assert.equal(JSON.parse(out).kind, "configuration");
  assert.equal(code, 3);
  const text = (await checked("grpo_config.yaml", trl)).out;
  assert.match(text, /grpo_config\.yaml:1:1: fatal: learning_rate "1e-6" is no number \[rate_no_number\]\n/);
  assert.match(text, /^ {2}change {2}Write learning_rate: 1\.0e-6 in place of 1e-6, which YAML reads as text\.$/m);
  assert.match(text, /^cannot work {2}.*grpo_config\.yaml: trl grpo, 1 problem$/m);
  assert.equal(text.split("is no number").length, 2, text);
  const refused = await checked("grpo_config.yaml", trl, "-p", "a=1");
  assert.equal(refused.code, 2);
  assert.match(refused.err, /it is no workflow of ours/);
});

/** A mistake of each system, with the change as it is written there; null where a line of the file is to be mended. */
const FOREIGN: readonly (readonly [rule: string, file: string, exit: number, change: string])[] = [
  ["groups_not_whole", "fires.sh", 3, "--num_generations 8"],
  ["cispo_cap", "fires.yaml", 0, "epsilon_high: 5"],
  ["clip_range_inverted", "fires.py", 0, "epsilon_high=0.28"],
  ["pass_too_short", "fires.sh", 3, "actor_rollout_ref.actor.ppo_max_token_len_per_gpu=1536"],
  ["estimator_of_group", "fires.sh", 3, "--n_samples_per_prompt 8"],
  ["engine_mode_missing", "fires.sh", 3, "--vllm_mode colocate"],
  ["evaluation_without_rows", "fires.yaml", 3, "val_size: 0.05"],
  ["engine_not_opened", "fires.py", 3, "fast_inference=True"],
  ["space_after_backslash", "fires.sh", 3, "Delete the blanks behind the backslash of line 4."],
  ["images_of_other_prompts", "fires.sh", 3, "Set --per_device_train_batch_size 1"],
  ["groups_over_devices", "fires.sh", 3, "Set --num_generations 8"],
];
const RULE_CASES = new URL("../preflight/foreign/cases/", import.meta.url);

for (const [rule, file, exit, change] of FOREIGN) {
  Deno.test(`check finds ${rule}, exits ${exit} and prints what to write; its twin is ok`, async () => {
    const path = (name: string) => decodeURIComponent(new URL(`${rule}/${name}`, RULE_CASES).pathname);
    const { code, out } = await inProcess(["check", path(file)]);
    assert.equal(code, exit, out);
    assert(out.includes(`  change  ${change}`), out);
    assert.equal((await inProcess(["check", path(file), "--fail-on", "warning"])).code, 3);
    const json = JSON.parse((await inProcess(["check", path(file), "--json"])).out);
    const problem = json.problems.find((one: { rule?: string }) => one.rule === rule);
    assert(problem.line >= 1 && problem.message.length > 20, JSON.stringify(json.problems));
    const silent = await inProcess(["check", path(file.replace("fires", "silent")), "--fail-on", "info"]);
    assert.equal(silent.code, 0, silent.out);
    assert.match(silent.out, /^ok {2}.*no problems$/m);
  });
}

Deno.test("check prints each change beneath its problem, and none that takes another back", async () => {
  const yaml =
    "model_name_or_path: Qwen/Qwen2.5-7B-Instruct\nstage: sft\nfinetuning_type: lora\ntemplate: qwen\nlearning_rate: 5e-2\ncutoff_len: 16\ndo_train: true\n";
  const { out } = await checked("lora.yaml", yaml);
  const lines = out.split("\n").filter((line) => /^ {2}change|: (?:error|warning|info):/.test(line));
  assert.deepEqual(lines.map((line) => line.replace(/^.*?:(\d+):\d+: (\w+).*/, "$1 $2")), [
    "5 error",
    "  change  learning_rate: 2.0e-4",
    "5 warning",
    "  change  As above: learning_rate: 2.0e-4",
    "6 warning",
    "  change  cutoff_len: 1024",
  ], out);
  // All weights: without an adapter the usual rate is a tenth.
  const full = await checked("full.yaml", yaml.replace("type: lora", "type: full"));
  assert.match(full.out, /^ {2}change {2}learning_rate: 2\.0e-5$/m);
  const { problems } = JSON.parse((await checked("lora.yaml", yaml, "--json")).out);
  assert.deepEqual(problems.map(({ change }: { change: string[] }) => change.length), [1, 1, 1]);
});

Deno.test("check says which value to change, of a key that is set twice and of a batch", async () => {
  const twice = "learning_rate: 1.0e-6\nbeta: 0.04\nbeta: 0.1\nnum_generations: 8\n";
  assert.match(
    (await checked("grpo.yaml", twice)).out,
    /^ {2}change {2}Keep one of the two lines with beta, 2 or 3\.$/m,
  );
  const kto = "python kto.py --model_name_or_path x --per_device_train_batch_size 1 --learning_rate 5e-7 --beta 0.1\n";
  assert.match((await checked("kto.sh", kto)).out, /^ {2}change {2}--per_device_train_batch_size 4$/m);
});

Deno.test("check reads the cells of a notebook, and names the line of its file", async () => {
  const script = Deno.readTextFileSync(new URL("engine_not_opened/fires.py", RULE_CASES));
  const source = script.split(/(?<=\n)/),
    cells = [{ cell_type: "markdown", source: ["# use_vllm"] }, { cell_type: "code", source }];
  const { code, out } = await checked("grpo.ipynb", JSON.stringify({ cells }, null, 1));
  assert.equal(code, 3, out);
  assert.match(out, /grpo\.ipynb:\d{2}:\d+: error: use_vllm samples with the engine/);
  assert.match(out, /^ {2}change {2}fast_inference=True$/m);
});

Deno.test("check names a file that is not there, exit 2", async () => {
  const { code, err } = await inProcess(["check", "/nowhere/none.yaml"]);
  assert.equal(code, 2);
  assert.match(err, /\/nowhere\/none\.yaml/);
  assert.equal(err.trimEnd().split("\n").length, 1, err);
});

Deno.test("check does not wait for a pipe, neither as the workflow nor as its prompts", async () => {
  if (Deno.build.os === "windows") return;
  const folder = await Deno.makeTempDir();
  try {
    for (const name of ["pipe.yaml", "pipe.txt", "pipe.jsonl"]) {
      const pipe = join(folder, name);
      assert.ok((await new Deno.Command("mkfifo", { args: [pipe] }).output()).success);
      // Whoever reads the pipe gets a line and its end: a check that reads it is told apart, and does not hang.
      const writer = new Deno.Command("sh", { args: ["-c", 'echo > "$0"', pipe] }).spawn();
      let file = pipe;
      if (name.endsWith("jsonl")) {
        file = join(folder, "own.yaml");
        await Deno.writeTextFile(file, TINY.replace("{ task: addition, digits: 1 }", "{ file: pipe.jsonl }"));
      }
      const { code, out, err } = await inProcess(["check", file]);
      assert.equal(code, 2, name);
      assert.match(out + err, /it is a pipe, want a file/, name);
      writer.kill();
      await writer.status;
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("check has no ok for a file that holds nothing, exit 2", async () => {
  for (
    const [text, says] of [["", /1:1: the file is empty/], ["# only\n", /is empty/], ["- a\n- b\n", /no workflow in/], [
      "hello\n",
      /no workflow in/,
    ]] as const
  ) {
    const { code, err } = await checked("mine.yaml", text);
    assert.deepEqual([code, says.test(err)], [2, true], err);
  }
  const other = await checked("mine.yaml", "colour: red\n");
  assert.deepEqual(
    [other.code, /neither "steps", .* nor an option of another system/.test(other.err)],
    [2, true],
    other.err,
  );
});

Deno.test("check has no ok for a JSON or YAML of no known trainer that is broken, exit 2", async () => {
  for (
    const [name, text, says] of [
      ["mine.json", '{"loss": [1,\n', /no valid JSON from line 1 on: a bracket/],
      ["mine.json", '{"loss": 1,\n "x": 2,}', /no valid JSON from line 2 on: a comma stands before/],
      ["mine.yaml", "loss: 1\nb: [1, 2\nc: 3\n", /no valid YAML from line 3 on: Flow sequence/],
      ["mine.yaml", "loss:\n  - 1\n b: 3\n", /no valid YAML from line 3 on: All mapping items/],
    ] as const
  ) {
    const { code, out, err } = await checked(name, text);
    assert.deepEqual([code, out, says.test(err)], [2, "", true], out + err);
  }
  const whole = await checked("mine.json", '{"loss": [1, NaN]}');
  assert.doesNotMatch(whole.out + whole.err, /no valid/);
});

Deno.test("check says where a file is nested too deep, exit 2", async () => {
  for (const [name, before] of [["deep.yaml", "x: "], ["deep.json", '{"x": '], ["steps.yaml", "steps:\n  "]] as const) {
    const { code, err } = await checked(name, before + "[".repeat(10_000));
    assert.equal(code, 2, err);
    assert.match(err, /nested too deep at line 1, column \d+|steps.yaml:2:\d+: nested deeper than 100/);
    assert.doesNotMatch(err, /call stack/);
  }
});

Deno.test("check takes a file for a workflow by its steps, also where their list is misspelt", async () => {
  const { code, err } = await checked("mine.yaml", TINY.replace("\nsteps:", "\nstpes:"));
  assert.equal(code, 2);
  assert.match(err, /mine\.yaml:6:1: unknown key "stpes"; did you mean "steps"/);
});

Deno.test("check names the step that is missing, exit 2; so does run --dry-run", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const file = join(folder, "mine.yaml");
    await Deno.writeTextFile(file, TINY.replace(/^ +- \{ uses: compute_advantages.*\n/m, ""));
    for (const words of [["check", file], ["run", file, "--dry-run"]]) {
      const { code, err } = await inProcess(words);
      assert.equal(code, 2, words.join(" "));
      assert.match(err, /mine\.yaml:14:17: .*reads completions\.advantage.* add compute_advantages before it/);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("check names the tab or the space before steps, not that there are none", async () => {
  for (
    const [text, says] of [["\t", /:2:1: a tab in the indentation; want spaces/], [
      " ",
      /:1:7: this key has a value/,
    ]] as const
  ) {
    const { code, err } = await checked("mine.yaml", `name: x\n${text}steps: []\n`);
    assert.deepEqual([code, says.test(err)], [2, true], err);
  }
});

const FORGED = "a\\nok  x.yaml: llamafactory sft, no problems",
  CURSOR = "\\u001b[2J\\u001b]0;pwn\\u0007\\u009b1m\\u202eabc";
const STRANGERS: readonly (readonly [name: string, text: string])[] = [
  ["sft.yaml", `stage: sft\nfinetuning_type: lora\ntemplate: qwen\nlearning_rate: "${CURSOR}"\nbf16: "${FORGED}"\n`],
  ["sft.yaml", `stage: sft\nfinetuning_type: lora\ntemplate: qwen\nlearning_rate: "${FORGED}"\n`],
  ["grpo.json", `{"beta": 0.04, "num_generations": 8, "learning_rate": "${CURSOR}", "bf16": "${FORGED}"}`],
  ["run.sh", `trl grpo --num_generations 8 --learning_rate \u009b2Jabc --beta 0.04\n`],
  ["ours.yaml", TINY.replace(/train_steps: *\d+/, `train_steps: "${FORGED}${CURSOR}"`)],
  ["ours.yaml", TINY.replace(/seed: *\d+/, `seed: "${CURSOR}${FORGED}"`)],
];
for (const [name, text] of STRANGERS) {
  Deno.test(`check prints what ${name} holds, obeys none of it and says no line that it writes: ${text.length}`, async () => {
    for (const args of [[], ["--json"]]) {
      const { out, err } = await checked(name, text, ...args);
      assert.match(out + err, /[^\n]/);
      // deno-lint-ignore no-control-regex
      assert.doesNotMatch(out + err, /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]|^ok {2}x\.yaml/m, JSON.stringify(out + err));
    }
  });
}
