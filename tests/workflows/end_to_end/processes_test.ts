/** Runs in processes of their own: the other backend, signals, a lock that is held. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { DENO_RUN } from "../cli/command_line.ts";
import { withFolder } from "../engine/fake_runs.ts";
import { TINY, tinyRun, traces } from "./tiny_runs.ts";
import { same } from "../../same.ts";

const CHILD = new URL("./child.ts", import.meta.url).pathname;
const MAIN = new URL("../../../workflows/cli/main.ts", import.meta.url).pathname;

type Event = Record<string, unknown>;

type Heard = (event: Event, soFar: { readonly events: readonly Event[] }) => unknown;

const child = (args: readonly string[]) => start(CHILD, args);
const program = (args: readonly string[], heard?: Heard) => start(MAIN, args, heard);

/** Starts a process, calls `heard` with every event, and waits for its end. */
async function start(script: string, args: readonly string[], heard: Heard = () => {}) {
  const command = new Deno.Command(Deno.execPath(), {
    args: [...DENO_RUN, script, ...args],
    env: { NO_COLOR: "1" },
    stdout: "piped",
    stderr: "piped",
  });
  const process = command.spawn(), events: Event[] = [];
  const said = new Response(process.stderr).text();
  let rest = "";
  for await (const chunk of process.stdout.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      events.push(JSON.parse(line));
      await heard(events.at(-1)!, { events });
    }
  }
  return { code: (await process.status).code, events, said: await said, pid: process.pid };
}

function write(folder: string, text: string): string {
  const file = join(folder, "tiny.yaml");
  Deno.writeTextFileSync(file, text);
  return file;
}

Deno.test("the napi backend trains, stops between two updates and resumes to bitwise the same end, near that of ffi", () =>
  withFolder(async (runs) => {
    const file = write(runs, TINY);
    const whole = await child([runs, "whole", "new", file, "backend=napi"]);
    assert.equal(whole.code, 0);
    const manifest = JSON.parse(Deno.readTextFileSync(join(runs, "whole", "run.json")));
    assert.equal(manifest.backend, "napi");
    const safePoints = 25;
    const stopped = await child([runs, "stopped", "new", file, "backend=napi", `point=${safePoints}`]);
    assert.equal(stopped.code, 130);
    const { checkpoint } = stopped.events.at(-1)!;
    assert.equal((await child([runs, "stopped", "resume", file, "backend=napi"])).code, 0);
    const want = traces(join(runs, "whole"));
    same(traces(join(runs, "stopped")), want, `stopped at ${checkpoint}`);
    const ffi = await tinyRun({ runs, runId: "ffi" });
    const losses = (rows: Record<string, unknown[]>) => (rows["metrics"] as { loss: number }[]).map(({ loss }) => loss);
    losses(traces(ffi.folder).rows).forEach((loss, i) => {
      assert(Math.abs(loss - losses(want.rows)[i]!) < 1e-4, `loss of train step ${i + 1}`);
    });
  }));

const LONG = TINY.replace("params: { backend: ffi }", "params: { backend: ffi, rounds: 5000 }")
  .replace("repeat: 2", "repeat: ${{ params.rounds }}").replace("every: 100", "every: 100000");

Deno.test("SIGINT to the pid of the first event stops the program with exit 130; while it lives another one exits 75", () =>
  withFolder(async (runs) => {
    const file = write(runs, LONG);
    let held: Awaited<ReturnType<typeof program>> | null = null;
    const first = await program(["run", file, "--json", "--runs", runs], async (event, { events }) => {
      if (held !== null || event["event"] !== "train_step" || (event["train_step"] as number) < 6) return;
      const { run, pid } = events[0]!;
      held = await program(["run", "--resume", String(run), "--json", "--runs", runs]);
      // Twice within a second, as npx delivers it.
      Deno.kill(pid as number, "SIGINT");
      Deno.kill(pid as number, "SIGINT");
    });
    assert.equal(first.code, 130);
    assert.equal(first.events[0]!["pid"], first.pid);
    assert.equal(held!.code, 75);
    assert.match(held!.said, /^Cannot [^\n]*process \d+/m);
    assert.equal(held!.events.at(-1)!["event"], "run_finished", "the contract of --json");
    const last = first.events.at(-1)!;
    assert.deepEqual([last["event"], last["status"], last["reason"]], ["run_finished", "interrupted", "SIGINT"]);
  }));

Deno.test("SIGTERM stops the program with exit 143 and a checkpoint; --resume goes on to bitwise the same end", () =>
  withFolder(async (runs) => {
    // How often diagnose looks goes by the clock, unless the run is to be repeated to the bit.
    const file = write(runs, `deterministic: true\n${LONG.replace("rounds: 5000", "rounds: 25")}`);
    let sent = false;
    const first = await program(["run", file, "--json", "--runs", runs], (event, { events }) => {
      if (sent || event["event"] !== "train_step" || (event["train_step"] as number) < 6) return;
      sent = true;
      Deno.kill(events[0]!["pid"] as number, "SIGTERM");
    });
    assert.equal(first.code, 143);
    const last = first.events.at(-1)!;
    assert.deepEqual([last["status"], last["reason"]], ["interrupted", "SIGTERM"]);
    assert.match(String(last["checkpoint"]), /^\d+\.\d+$/);
    assert(first.events.some(({ text }) => /resume with: .*--resume/.test(String(text))));
    const resumed = await program(["run", "--resume", String(last["run"]), "--json", "--runs", runs]);
    assert.equal(resumed.code, 0, resumed.said);
    const { folder } = await tinyRun({ runs, text: Deno.readTextFileSync(file), runId: "whole" });
    same(traces(join(runs, String(last["run"]))), traces(folder));
  }));
