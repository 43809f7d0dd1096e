/** Programs that are killed while a reward of theirs is busy: its process must end with them. @module */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DENO_RUN } from "../../workflows/cli/command_line.ts";
import type { Trial } from "./trial.ts";

/** Rewards that hear nothing while they are busy. */
export const BUSY: Readonly<Record<string, string>> = {
  loop: "export const score = () => { for (;;); };",
  backtracking: "export const score = () => [/^(a+)+$/.test('a'.repeat(60) + 'b')];",
  wait: "export const score = () => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); };",
  microtasks: "export const score = async () => { for (;;) await null; };",
  threads: "export const score = () => { new Worker('data:text/javascript,for(;;);', { type: 'module' }); for (;;); };",
  messages:
    "import { parentPort as p } from 'node:worker_threads';\nexport const score = () => { for (;;) p.postMessage(1); };",
  console: "export const score = () => { for (;;) console.log('x'); };",
  signals:
    "for (const s of ['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGPIPE']) Deno.addSignalListener(s, () => {});\nexport const score = () => { for (;;); };",
  standard_input:
    "export const score = () => { try { Deno.stdin.readSync(new Uint8Array(9)); } catch { /* closed */ } for (;;); };",
  load: "for (;;);",
  stopped: "export const score = () => { Deno.kill(Deno.pid, 'SIGSTOP'); for (;;); };",
  stopped_by_node:
    "import { kill, pid } from 'node:process';\nexport const score = () => { kill(pid, 'SIGSTOP'); for (;;); };",
  stopped_by_thread:
    "export const score = () => { new Worker('data:text/javascript,Deno.kill(Deno.pid,\"SIGSTOP\")', { type: 'module' }); for (;;); };",
};

const PROGRAM = fileURLToPath(new URL("./orphan_program.ts", import.meta.url));
/** Longest wait until a process is given up as one that stays. */
const PATIENCE_MS = 10_000;

/** Kills (SIGKILL) a program whose reward is busy; a problem is a process that stays. Linux. */
export async function tryOrphan(name: string, code: string): Promise<Trial> {
  const folder = Deno.makeTempDirSync({ prefix: "nonzero_orphan_" });
  try {
    const path = join(folder, "reward.js");
    Deno.writeTextFileSync(path, code);
    const program = new Deno.Command(Deno.execPath(), {
      args: [...DENO_RUN, PROGRAM, path],
      stdout: "piped",
    }).spawn();
    const reader = program.stdout.pipeThrough(new TextDecoderStream()).getReader();
    const pid = Number((await reader.read()).value);
    await sleep(500); // until the reward is at it
    const started = performance.now();
    program.kill("SIGKILL");
    await program.status;
    while (isBusy(pid) && performance.now() - started < PATIENCE_MS) await sleep(20);
    const ms = Math.round(performance.now() - started);
    const problems = isBusy(pid) ? [`its process ${pid} stays`] : [];
    if (problems.length) Deno.kill(pid, "SIGKILL");
    await reader.cancel();
    return { name, said: `ended ${ms} ms after its program`, ms, problems };
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/** A process that ended and that nobody has asked about is a zombie: Z. Deno reads /proc with all permissions only. */
function isBusy(pid: number): boolean {
  const { code, stdout } = new Deno.Command("cat", { args: [`/proc/${pid}/status`], stderr: "null" }).outputSync();
  return code === 0 && !/^State:\s+[ZX]/m.test(new TextDecoder().decode(stdout));
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
