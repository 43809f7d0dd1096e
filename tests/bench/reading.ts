/**
 * How fast the doctor reads and judges: MB of logs per second, seconds per MB of prose, beside a bare scan of the same text.
 *
 *     deno task bench reading [--mb 20] [--repeats 5] [--only trl,noise,verl,state,prose]
 *
 * `trl`: the records of a TRL run among bars and engine lines; `noise`: the same with twenty such lines for each record;
 * `verl`: verl's console lines; `state`: a trainer_state.json of 5,000 train steps; `prose`: all posts of tests/posts, without
 * what programs printed. The peer splits the text into lines and looks for a name with a number in each by one regular
 * expression, or parses the JSON. Each is timed in turns in one process, as processor time and by the clock: the best of the
 * repeats, behind a first one that warms up and is told apart.
 * @module
 */
import process from "node:process";
import { Intake } from "../../data/adapters/intake/intake.ts";
import { readSource } from "../../data/adapters/read_sources.ts";
import { finish } from "../../data/adapters/run/finish.ts";
import { examineRun } from "../../workflows/doctor/examine_run.ts";
import { among, benchArguments, numbers, typed } from "./arguments.ts";
import { READING_TEXTS, type ReadingText } from "./reading/texts.ts";

const HEAD = 1 << 16, CHUNK = 1 << 20; // Bytes by which a reader is chosen, and that are read at once.
const PAIR = /(\w+)['"]?\s*[:=]\s*['"]?(-?\d+(?:\.\d+)?)/;

/** Seconds of the processor and of the clock. */
export interface Seconds {
  readonly cpu: number;
  readonly wall: number;
}

/** Reads a text as the file of that name and judges each run in it; how many records there were. */
export async function readAndJudge(file: string, bytes: Uint8Array): Promise<number> {
  const intake = new Intake();
  const source = {
    path: file,
    name: file,
    size: bytes.length,
    head: bytes.subarray(0, HEAD),
    folder: null,
    file: null,
    async *chunks() {
      for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
    },
    bytes: () => Promise.resolve(bytes),
  };
  await readSource(source, intake, true);
  return finish(file, intake).map(examineRun).reduce((sum, { records }) => sum + records, 0);
}

/** What reading costs at least: the text is decoded, and each line looked at once; how many of them hold a number by its name. */
export function bareScan(file: string, bytes: Uint8Array): number {
  const text = new TextDecoder().decode(bytes);
  if (file.endsWith(".json")) return JSON.parse(text).log_history.length;
  return text.split("\n").reduce((sum, line) => sum + (PAIR.test(line) ? 1 : 0), 0);
}

const cpuSeconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

async function secondsOf(run: () => number | Promise<number>): Promise<Seconds> {
  const cpu = cpuSeconds(), wall = performance.now();
  await run();
  return { cpu: cpuSeconds() - cpu, wall: (performance.now() - wall) / 1000 };
}

/** The least processor time, and the least by the clock. */
export function best(all: readonly Seconds[]): Seconds {
  return { cpu: Math.min(...all.map(({ cpu }) => cpu)), wall: Math.min(...all.map(({ wall }) => wall)) };
}

/** One line: speed of a log, cost of prose; the ratio is that of processor times. */
export function line(
  name: string,
  { kind }: Pick<ReadingText, "kind">,
  mb: number,
  ours: Seconds,
  peer: Seconds,
  first: Seconds,
): string {
  const shown = (seconds: number) =>
    kind === "prose"
      ? `${(seconds / mb).toFixed(3)} s/MB`
      : kind === "state"
      ? `${seconds.toFixed(3)} s`
      : `${(mb / seconds).toFixed(1)} MB/s`;
  const of = ({ cpu, wall }: Seconds) => `${shown(cpu)} (${shown(wall)} by the clock)`;
  return `${name.padEnd(6)} ${mb.toFixed(1).padStart(6)} MB  ours ${of(ours)}, at first ${shown(first.cpu)}; peer ${
    of(peer)
  }; ${(ours.cpu / peer.cpu).toFixed(1)} times the peer's`;
}

if (import.meta.main) {
  const known = Object.keys(READING_TEXTS) as (keyof typeof READING_TEXTS)[];
  const { mb, repeats, only } = typed(() => {
    const given = benchArguments(Deno.args, { mb: "20", repeats: "5", only: known.join(",") });
    return {
      mb: numbers("--mb", given.mb)[0]!,
      repeats: numbers("--repeats", given.repeats)[0]!,
      only: among("--only", given.only, known),
    };
  });
  console.log(`load average ${Deno.loadavg()[0]!.toFixed(2)}; processor time`);
  for (const name of known.filter((name) => only.includes(name))) {
    const text = READING_TEXTS[name], bytes = await text.bytes(mb * 1e6), ours: Seconds[] = [], peer: Seconds[] = [];
    for (let repeat = 0; repeat <= repeats; repeat++) {
      peer.push(await secondsOf(() => bareScan(text.file, bytes)));
      ours.push(await secondsOf(() => readAndJudge(text.file, bytes)));
    }
    console.log(line(name, text, bytes.length / 1e6, best(ours.slice(1)), best(peer.slice(1)), ours[0]!));
  }
}
