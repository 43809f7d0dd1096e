/** Runs in processes of their own: the other backend, signals, a lock that is held. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { exitCodeOf } from "../../../workflows/cli/failures.ts";
import { LockHeldError } from "../../../workflows/engine.ts";
import { withFolder } from "../engine/fake_runs.ts";
import { TINY, tinyRun, traces } from "./tiny_runs.ts";

const CHILD = new URL("./child.ts", import.meta.url).pathname;

type Event = Record<string, unknown>;

/** Starts a child, calls `heard` with every event, and waits for its end. */
async function child(args: readonly string[], heard: (event: Event, process: Deno.ChildProcess) => unknown = () => {}) {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "-A", CHILD, ...args],
    stdout: "piped",
    stderr: "inherit",
  });
  const process = command.spawn(), events: Event[] = [];
  let rest = "";
  for await (const chunk of process.stdout.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      events.push(JSON.parse(line));
      await heard(events.at(-1)!, process);
    }
  }
  return { code: (await process.status).code, events, pid: process.pid };
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
    assert.deepEqual(traces(join(runs, "stopped")), want, `stopped at ${checkpoint}`);
    const ffi = await tinyRun({ runs, runId: "ffi" });
    const losses = (rows: Record<string, unknown[]>) => (rows["metrics"] as { loss: number }[]).map(({ loss }) => loss);
    losses(traces(ffi.folder).rows).forEach((loss, i) => {
      assert(Math.abs(loss - losses(want.rows)[i]!) < 1e-4, `loss of train step ${i + 1}`);
    });
  }));

const LONG = TINY.replace("repeat: 2", "repeat: 60").replace("every: 100", "every: 1000");

for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
  Deno.test(`${signal} to the pid of the first event stops at a safe point, exits ${code}, and the rest is bitwise the same`, () =>
    withFolder(async (runs) => {
      const file = write(runs, LONG);
      let sent = false, held: unknown;
      const first = await child([runs, "signalled", "new", file], async ({ event, train_step }) => {
        if (sent || event !== "train_step" || (train_step as number) < 6) return;
        sent = true;
        if (signal === "SIGINT") held = await tinyRun({ runs, text: LONG, resume: "signalled" }).catch((e) => e);
        // Twice within a second, as npx delivers it; to the process that the first event names.
        const { pid } = JSON.parse(Deno.readTextFileSync(join(runs, "signalled", "events.jsonl")).split("\n")[0]!);
        Deno.kill(pid, signal);
        Deno.kill(pid, signal);
      });
      assert.equal(first.code, code);
      assert.equal(first.events[0]!["pid"], first.pid);
      const last = first.events.at(-1)!;
      assert.deepEqual([last["event"], last["status"], last["reason"]], ["run_finished", "interrupted", signal]);
      assert.match(String(first.events.at(-2)!["text"]), /checkpoint \d+\.\d+\); resume with: .*--resume signalled$/);
      if (signal === "SIGINT") {
        assert(held instanceof LockHeldError, "a second process is refused while the first lives");
        assert.equal(exitCodeOf(held), 75);
        return;
      }
      const [resumed, whole] = [
        await tinyRun({ runs, text: LONG, resume: "signalled" }),
        await tinyRun({ runs, text: LONG, runId: "whole" }),
      ];
      assert.equal(resumed.status, "ok", resumed.reason ?? "");
      assert.deepEqual(traces(resumed.folder), traces(whole.folder));
    }));
}
