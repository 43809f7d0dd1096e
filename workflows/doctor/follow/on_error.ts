/** The person's own command on the first error of a run: once, bounded in time, told where it fails. @module */
import type { Finding } from "../../../steps/diagnoses/diagnosis.ts";
import type { Examined } from "../examined.ts";
import { jsonReport } from "../json_report.ts";

/** So long the command may take, in ms; then it is ended, hard after a while. */
const LIMIT_MS = 60_000, GRACE_MS = 2000;

/** What the command is told. */
interface Trouble {
  readonly finding: Finding;
  readonly examined: Examined;
  readonly records: number;
  readonly trainStep: number | null;
}

/** Runs the command by the shell; its output goes to stderr. Gives what went wrong, in one line, or null. */
export async function onError(command: string, trouble: Trouble, limit = LIMIT_MS): Promise<string | null> {
  const windows = Deno.build.os === "windows";
  const child = new Deno.Command(windows ? "cmd" : "sh", {
    // The person's lines alone go to stdout.
    args: windows ? ["/c", `(${command}) 1>&2`] : ["-c", `exec 1>&2\n${command}`],
    env: environment(trouble),
    stdin: "piped",
    stdout: "inherit",
    stderr: "inherit",
    detached: !windows, // its own group: Ctrl-C of the terminal is for the run, and the group can be ended as a whole
  }).spawn();
  const told = tell(child.stdin, trouble);
  const end = (signal: Deno.Signal) => {
    try {
      Deno.kill(windows ? child.pid : -child.pid, signal);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error; // it has just ended
    }
  };
  let late = false;
  const timers = [
    setTimeout(() => (late = true, end("SIGTERM")), limit),
    setTimeout(() => end("SIGKILL"), limit + GRACE_MS),
  ];
  const { success, code, signal } = await child.status;
  for (const timer of timers) clearTimeout(timer);
  if (late) end("SIGKILL"); // what the shell left behind
  await told;
  const what = `The command of --on-error (${command.slice(0, 60)})`;
  if (late) return `${what} was ended: it took longer than ${limit / 1000} s`;
  return success ? null : `${what} failed: ${signal === null ? `exit code ${code}` : signal}`;
}

function environment({ finding, examined }: Trouble): Record<string, string> {
  const plain = (text: string) => text.replaceAll("\0", "");
  return {
    NONZERO_CAUSE: finding.cause,
    NONZERO_SEVERITY: finding.severity,
    NONZERO_STEP: String(finding.train_steps[0] ?? ""),
    NONZERO_MESSAGE: plain(finding.message),
    NONZERO_PATH: plain(examined.path),
  };
}

/** The same and more as JSON on its stdin; a command that does not read it is no failure. */
async function tell(stdin: WritableStream<Uint8Array>, trouble: Trouble): Promise<void> {
  const { finding: { cause }, examined, records, trainStep } = trouble;
  const { path, system, algorithm, findings } = jsonReport(examined);
  const finding = findings.find((one) => one.cause === cause);
  const text = JSON.stringify({ path, system, algorithm, records, train_step: trainStep, finding });
  const writer = stdin.getWriter();
  try {
    await writer.write(new TextEncoder().encode(`${text}\n`));
    await writer.close();
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}
