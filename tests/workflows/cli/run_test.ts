import assert from "node:assert/strict";
import { join } from "node:path";
import { TextLineStream } from "./text_lines.ts";
import { cudaPreflight } from "../../../gpu/ort/cuda.ts";
import { acquireLock } from "../../../workflows/store/lock.ts";
import { commandLine, DENO_RUN, type Printed, PROJECT } from "./command_line.ts";
import { RUN_A, withRuns } from "./fabricated_run.ts";
import { modelFolder } from "../../steps/contexts/model_folders.ts";
import { inProcess, jsonLines } from "./in_process.ts";
import { TINY } from "./tiny.ts";

async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(join(folder, "tiny.yaml"), TINY);
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const lastLine = (text: string) => JSON.parse(text.trimEnd().split("\n").at(-1)!);

/** Checks the one line that a run which never began prints. */
function refused({ code, out, err }: Printed, want: number, message: RegExp): void {
  const lines = out.trimEnd().split("\n");
  assert.equal(lines.length, 1, out);
  const { error, ...rest } = JSON.parse(lines[0]!);
  assert.deepEqual(rest, { event: "run_finished", run: null, status: "failed", evaluations: {}, findings: [] });
  assert.match(error, message);
  assert.equal(code, want, err);
  assert.doesNotMatch(err, /bug in Nonzero|--allow-(?:all|read|write|env|net|run|ffi|sys)/);
}

Deno.test("run --json says in one line why nothing ran, exit 2", () =>
  withRuns(async (runs) => {
    const file = join(runs, "tiny.yaml"), bad = join(runs, "bad.yaml");
    await Deno.writeTextFile(file, TINY);
    await Deno.writeTextFile(bad, "name: bad\nsteps:\n  - { usess: load_prompts }\n");
    const cases: readonly (readonly [args: readonly string[], message: RegExp])[] = [
      [[join(runs, "no.yaml")], /there is no file .*no\.yaml/],
      [[runs], /it is a folder/],
      [[bad], /bad\.yaml:3:\d+: .*"uses"/],
      [[file, "-p", "train_stesp=1"], /"train_stesp"; did you mean "train_steps"/],
      [[file, "--deviec", "cpu"], /unknown option "--deviec"; did you mean "--device"/],
      [[file, "--device", "gpu"], /--device: it is "gpu", want auto \| cpu \| cuda/],
      [[file, "--backend", "napi", "--device", "cuda"], /Cannot use device "cuda" with backend "napi"/],
      [[file, "--runs", file], /Cannot write runs into ".*tiny\.yaml": [^;]+; want --runs DIR$/],
      [[file, "--cell", "2"], /--cell: it is "2", want a whole number from 1 to 1/],
      [["--resume", "none"], /Cannot find run "none"/],
      [[], /no workflow file given/],
    ];
    for (const [args, message] of cases) {
      refused(
        await inProcess(["run", ...args, "--json", ...(args.includes("--runs") ? [] : ["--runs", runs])]),
        2,
        message,
      );
    }
  }));

Deno.test({
  name: "run --device cuda without CUDA says what is missing before anything runs, exit 2",
  ignore: cudaPreflight().ok,
  fn: () =>
    withRuns(async (runs) => {
      const file = join(runs, "tiny.yaml");
      await Deno.writeTextFile(file, TINY);
      const printed = await inProcess(["run", file, "--device", "cuda", "--json", "--runs", join(runs, "new")]);
      refused(printed, 2, /^Cannot use device "cuda": .* is missing; /);
      assert.equal(printed.err.trimEnd().split("\n").length, 1, printed.err);
      await assert.rejects(Deno.stat(join(runs, "new")), Deno.errors.NotFound);
    }),
});

Deno.test("run --resume of a run that a live process holds exits 75 and changes nothing", () =>
  withRuns(async (runs) => {
    const folder = join(runs, RUN_A);
    await Deno.writeTextFile(join(folder, "workflow.yaml"), TINY);
    const before = await Deno.readTextFile(join(folder, "run.json"));
    const lock = acquireLock(folder, new Date(0));
    try {
      const printed = await commandLine(["run", "--resume", RUN_A, "--json", "--runs", runs]);
      refused(printed, 75, new RegExp(`process ${Deno.pid} on .* holds it`));
    } finally {
      lock.release();
    }
    assert.equal(await Deno.readTextFile(join(folder, "run.json")), before);
  }));

Deno.test("run --dry-run prints steps, tables, shapes and estimates, and runs nothing", () =>
  inFolder(async (folder) => {
    const runs = join(folder, "runs");
    const { code, out } = await inProcess(["run", join(folder, "tiny.yaml"), "--dry-run", "--runs", runs]);
    assert.equal(code, 0);
    assert.match(out, /repeat 6 times/);
    assert.match(out, /writes completions/);
    assert.match(out, /\[32, 4\] completion tokens per train step/);
    assert.match(out, /estimated: .*memory/);
    await assert.rejects(Deno.stat(runs), Deno.errors.NotFound);
  }));

Deno.test("run writes JSON lines only, a report and charts; runs and export read the run", () =>
  inFolder(async (folder) => {
    const { code, out } = await commandLine(
      ["run", "tiny.yaml", "-p", "train_steps=2", "--json", "--runs", "r"],
      folder,
    );
    const events = out.trimEnd().split("\n").map((line) => JSON.parse(line));
    assert.equal(code, 0);
    assert.equal(events[0].event, "run_started");
    assert(Number.isInteger(events[0].pid));
    const { event, run, status, evaluations, findings } = events.at(-1);
    assert.deepEqual([event, status], ["run_finished", "ok"]);
    // Random weights write noise: the verdict at the end says so, although no step asked.
    assert.deepEqual(findings.map(({ cause }: { cause: string }) => cause), ["garbled_generation"]);
    assert.deepEqual(Object.keys(evaluations), ["before", "after"]);
    for (const evaluation of Object.values(evaluations) as Record<string, number>[]) {
      assert.deepEqual(Object.keys(evaluation), ["sampled", "greedy"]);
      for (const value of Object.values(evaluation)) assert(value >= 0 && value <= 1);
    }
    assert.match(await Deno.readTextFile(join(folder, "r", run, "report.html")), /<h2>Sampled completions<\/h2>/);
    assert((await Array.fromAsync(Deno.readDir(join(folder, "r", run, "charts")))).length >= 8);

    const runs = join(folder, "r"), tables = join(folder, "o");
    const listed = await inProcess(["runs", "list", "--json", "--runs", runs]);
    const { run: id, train_step, before } = lastLine(listed.out);
    assert.deepEqual({ id, train_step, before }, { id: run, train_step: 2, before: evaluations.before.sampled });
    const written = await inProcess(
      ["export", run.slice(0, 15), "--format", "jsonl", "--out", tables, "--runs", runs],
    );
    assert.equal(written.code, 0, written.err);
    const metrics = (await Deno.readTextFile(join(tables, "metrics.jsonl"))).trimEnd().split("\n");
    assert.deepEqual(metrics.map((line) => JSON.parse(line).train_step), [1, 2]);
  }));

Deno.test("run of a model with NaN names the tensor and how to run again, not how to resume", () =>
  inFolder(async (folder) => {
    modelFolder(folder, "warm_addition", { tokenizer: false });
    const path = join(folder, "warm_addition", "model.safetensors"), bytes = Deno.readFileSync(path);
    new DataView(bytes.buffer).setFloat32(bytes.length - 4, NaN, true);
    Deno.writeFileSync(path, bytes);
    Deno.writeTextFileSync(join(folder, "nan.yaml"), TINY.replace("model: tiny_qwen2", "model: ./warm_addition"));
    const { code, out } = await commandLine(["run", "nan.yaml", "-p", "train_steps=2", "--runs", "r"], folder);
    assert.equal(code, 1);
    assert.match(out.replaceAll(/\s+/g, " "), /Cannot load tensors from .* is NaN as float32 at \[\d+\]/);
    assert.match(out, /^ {2}again {3}.* run nan\.yaml --param=train_steps=2 --runs=r$/m);
    assert.doesNotMatch(out, /--resume/);
  }));

Deno.test("run --json into a pipe that is closed stops at a safe point and saves", () =>
  inFolder(async (folder) => {
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        ...[...DENO_RUN, join(PROJECT, "workflows/cli/main.ts")],
        ...["run", "tiny.yaml", "-p", "train_steps=500", "--json", "--runs", "r"],
      ],
      env: { INIT_CWD: folder, NO_COLOR: "1" },
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const reader = child.stdout.getReader();
    await reader.read();
    await reader.cancel();
    assert.equal((await child.status).code, 130);
    const [{ status }] = jsonLines((await inProcess(["runs", "--json", "--runs", join(folder, "r")])).out) as [
      { status: string },
    ];
    assert.equal(status, "interrupted");
  }));

Deno.test({
  name: "SIGINT stops at a safe point with exit 130, and --resume goes on to the end",
  ignore: Deno.build.os === "windows",
  fn: () =>
    inFolder(async (folder) => {
      const child = new Deno.Command(Deno.execPath(), {
        args: [
          ...[...DENO_RUN, join(PROJECT, "workflows/cli/main.ts")],
          ...["run", "tiny.yaml", "-p", "train_steps=30", "--json", "--runs", "r"],
        ],
        env: { INIT_CWD: folder, NO_COLOR: "1" },
        stdout: "piped",
        stderr: "null",
      }).spawn();
      let last: Record<string, unknown> = {}, pid = 0;
      for await (const line of child.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream())) {
        last = JSON.parse(line);
        if (last["event"] === "run_started") pid = last["pid"] as number;
        if (last["event"] === "train_step" && last["train_step"] === 3) Deno.kill(pid, "SIGINT");
      }
      assert.equal((await child.status).code, 130);
      assert.equal(last["status"], "interrupted");
      const drift = await inProcess(["run", "--resume", "last", "--runs", join(folder, "r"), "--seed", "4"]);
      assert.equal(drift.code, 2);
      assert.match(drift.err, /seed is 4, was 3/);
      const { code, out } = await commandLine(
        ["run", "--resume", last["run"] as string, "--runs", "r", "--json"],
        folder,
      );
      assert.equal(code, 0);
      const { run, status, train_step } = lastLine(out);
      assert.deepEqual({ run, status, train_step }, { run: last["run"], status: "ok", train_step: 30 });
    }),
});
