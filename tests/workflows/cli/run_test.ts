import assert from "node:assert/strict";
import { join } from "node:path";
import { TextLineStream } from "./text_lines.ts";
import { commandLine, PROJECT } from "./command_line.ts";
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

Deno.test("run --json ends with run_finished for a missing file and for an invalid one, exit 2", () =>
  inFolder(async (folder) => {
    await Deno.writeTextFile(join(folder, "bad.yaml"), "name: bad\nsteps:\n  - { usess: load_prompts }\n");
    for (const [file, message] of [["no.yaml", /no\.yaml/], ["bad.yaml", /bad\.yaml:3:\d+: .*"uses"/]] as const) {
      const { code, out, err } = await commandLine(["run", file, "--json"], folder);
      assert.equal(code, 2);
      const { error, ...rest } = lastLine(out);
      assert.deepEqual(rest, { event: "run_finished", run: null, status: "failed", evaluations: {}, findings: [] });
      assert.match(error, message);
      assert.doesNotMatch(err, /bug in Nonzero/);
    }
  }));

Deno.test("run --dry-run prints steps, tables, shapes and estimates, and runs nothing", () =>
  inFolder(async (folder) => {
    const { code, out } = await commandLine(["run", "tiny.yaml", "--dry-run", "--runs", "runs"], folder);
    assert.equal(code, 0);
    assert.match(out, /repeat 6 times/);
    assert.match(out, /writes completions/);
    assert.match(out, /\[32, 4\] completion tokens per train step/);
    assert.match(out, /estimated: .*memory/);
    await assert.rejects(Deno.stat(join(folder, "runs")), Deno.errors.NotFound);
  }));

Deno.test("run writes JSON lines only, a report and charts; runs, sample and export read the run", () =>
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
    assert.deepEqual({ event, status, findings }, { event: "run_finished", status: "ok", findings: [] });
    assert.deepEqual(Object.keys(evaluations), ["before", "after"]);
    assert.equal(typeof evaluations.after.sampled, "number");
    assert.match(await Deno.readTextFile(join(folder, "r", run, "report.html")), /<h2>Sampled completions<\/h2>/);
    assert((await Array.fromAsync(Deno.readDir(join(folder, "r", run, "charts")))).length >= 8);

    const listed = await commandLine(["runs", "list", "--json", "--runs", "r"], folder);
    const { run: id, train_step, before } = lastLine(listed.out);
    assert.deepEqual({ id, train_step, before }, { id: run, train_step: 2, before: evaluations.before.sampled });
    const sampled = await commandLine(
      ["sample", "last", "--prompt", "1+2=", "-n", "3", "--answer", "3", "--json", "--runs", "r"],
      folder,
    );
    assert.equal(sampled.out.trimEnd().split("\n").length, 3);
    const row = lastLine(sampled.out);
    assert.equal(row.token_ids.length, row.logprobs.length);
    assert([0, 1].includes(row.reward));
    const written = await commandLine(
      ["export", run.slice(0, 15), "--format", "jsonl", "--out", "o", "--runs", "r"],
      folder,
    );
    assert.equal(written.code, 0, written.err);
    const metrics = (await Deno.readTextFile(join(folder, "o", "metrics.jsonl"))).trimEnd().split("\n");
    assert.deepEqual(metrics.map((line) => JSON.parse(line).train_step), [1, 2]);
  }));

Deno.test({
  name: "SIGINT stops at a safe point with exit 130, and --resume goes on to the end",
  ignore: Deno.build.os === "windows",
  fn: () =>
    inFolder(async (folder) => {
      const child = new Deno.Command(Deno.execPath(), {
        args: [
          ...["run", "-q", "-A", "--no-check", join(PROJECT, "workflows/cli/main.ts")],
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
      const drift = await commandLine(["run", "--resume", "last", "--runs", "r", "--seed", "4"], folder);
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
