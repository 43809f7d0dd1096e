/**
 * `diagnose --follow`: does it keep up with a log, how soon does it tell, and at which share of a dead run's log?
 *
 *     deno task bench follow -- [--mb 200] [--rate 20]
 *
 * The log is that of a TRL run (records, progress bars, engine lines), made here. It goes through `cat`, `tee /dev/null` and
 * `diagnose --follow -`, three times each; then at RATE MB per second, with a NaN at its middle: the time from writing
 * that line to the finding on stderr. At last every case of tests/cases line by line: what is told, and where.
 * @module
 */
import { fileURLToPath } from "node:url";
import { PERMISSIONS } from "../../workflows/cli/install.ts";
import { benchArguments, numbers, typed } from "./arguments.ts";
import { caseLogs, followText, lineChunks } from "./followed_cases.ts";
import { nanRecord, trainingLog } from "./training_log.ts";

const MAIN = fileURLToPath(new URL("../../workflows/cli/main.ts", import.meta.url));
const PEERS = {
  cat: ["cat"],
  tee: ["tee", "/dev/null"],
  "diagnose --follow -": [
    Deno.execPath(),
    "run",
    "-q",
    "--no-prompt",
    ...PERMISSIONS,
    MAIN,
    "diagnose",
    "--follow",
    "-",
  ],
} as const;
const REPEATS = 3;

function spawn([program, ...args]: readonly string[], stderr: "null" | "piped") {
  return new Deno.Command(program!, { args, stdin: "piped", stdout: "piped", stderr }).spawn();
}

/** MB per second through a program, from its start to its end. */
async function throughput(words: readonly string[], log: Uint8Array): Promise<number> {
  const started = performance.now(), child = spawn(words, "null"), writer = child.stdin.getWriter();
  const writing = (async () => {
    for (let at = 0; at < log.length; at += 1 << 16) await writer.write(log.subarray(at, at + (1 << 16)));
    await writer.close();
  })();
  let bytes = 0;
  for await (const chunk of child.stdout) bytes += chunk.length;
  await writing;
  await child.status;
  if (bytes !== log.length) throw new Error(`Cannot time ${words[0]}: ${bytes} bytes came out, want ${log.length}`);
  return log.length / 1e3 / (performance.now() - started);
}

/** Seconds from writing the NaN record to its finding, in a log that comes at `rate` MB per second; and how far reading lay behind. */
async function latency(log: Uint8Array, rate: number): Promise<{ told: number; behind: number }> {
  const child = spawn(PEERS["diagnose --follow -"], "piped"), writer = child.stdin.getWriter();
  let written = NaN, told = NaN, read = 0, behind = 0;
  const saying = (async () => {
    let text = "";
    for await (const piece of child.stderr.pipeThrough(new TextDecoderStream())) {
      text += piece;
      if (Number.isNaN(told) && /nonzero +fatal/.test(text)) told = performance.now();
    }
  })();
  const reading = (async () => {
    for await (const chunk of child.stdout) read += chunk.length;
  })();
  const bad = new TextEncoder().encode(nanRecord()), slice = Math.round(rate * 1e6 / 50), started = performance.now();
  for (let at = 0, i = 0; at < log.length; at += slice, i++) {
    const wait = started + i * 20 - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    behind = Math.max(behind, -wait / 1000);
    await writer.write(log.subarray(at, at + slice));
    if (Number.isNaN(written) && at > log.length / 2) {
      written = performance.now();
      for (let n = 0; n < 3; n++) await writer.write(bad);
    }
  }
  await writer.close();
  await Promise.all([saying, reading, child.status]);
  return { told: (told - written) / 1000, behind };
}

if (import.meta.main) {
  const { mb, rate } = typed(() => {
    const given = benchArguments(Deno.args, { mb: "200", rate: "20" });
    return { mb: numbers("--mb", given.mb)[0]!, rate: numbers("--rate", given.rate)[0]! };
  });
  const log = trainingLog(mb * 1e6);
  console.log(`load average ${Deno.loadavg()[0]!.toFixed(2)}`);
  for (const [name, words] of Object.entries(PEERS)) {
    const figures: number[] = [];
    for (let i = 0; i < REPEATS; i++) figures.push(await throughput(words, log));
    console.log(`${name.padEnd(20)} ${figures.map((figure) => figure.toFixed(0)).join(", ")} MB/s`);
  }
  for (let i = 0; i < REPEATS; i++) {
    const { told, behind } = await latency(log, rate);
    console.log(
      `at ${rate} MB/s: told ${told.toFixed(2)} s after the line; the writer waited at most ${behind.toFixed(2)} s`,
    );
  }
  console.log("\ncase, cause that is told: share of the log read, of its records");
  for (const { name, label, text } of await caseLogs()) {
    const { told, verdict } = await followText(lineChunks(text));
    const said = told.map(({ cause, severity, share }) => `${severity} ${cause} at ${Math.round(100 * share)} %`);
    const end = verdict.at(-1)?.diagnosis.findings.filter((one) => one.severity !== "info").map((one) => one.cause) ??
      [];
    const late = end.filter((cause) => !told.some((one) => one.cause === cause)).map((cause) => `${cause} at the end`);
    console.log(`${name} (${label.verdict} ${label.primary}): ${[...said, ...late].join(", ") || "nothing"}`);
  }
}
