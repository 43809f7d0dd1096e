/** `diagnose --follow`: repeats a growing log on stdout and tells on stderr what the rules find in it. @module */
import { SEVERITIES, type Severity } from "../../data/severity.ts";
import type { Finding } from "../../steps/diagnoses/diagnosis.ts";
import type { Examined } from "../doctor/examined.ts";
import { follow, type FollowUpdate } from "../doctor/follow/follow.ts";
import { onError } from "../doctor/follow/on_error.ts";
import { type Piece, streamPieces } from "../doctor/follow/origin.ts";
import { pathPieces } from "../doctor/follow/path_pieces.ts";
import { liveFindingLines } from "../doctor/live_finding.ts";
import { terminalReport } from "../doctor/terminal_report.ts";
import { commandLine } from "../terminal/command_line.ts";
import { PassOn } from "../terminal/pass_on.ts";
import { pathArgument, shownPath } from "../terminal/paths.ts";
import { stderr } from "../terminal/terminal.ts";
import { EXIT } from "./failures.ts";
import { FollowSignals } from "./follow_signals.ts";
import { bugText } from "./bug_text.ts";

/** What a person asked for. */
interface Wish {
  readonly all: boolean;
  readonly failOn: Severity | undefined;
  readonly onError: string | undefined;
  /** GPUs and their price, where they are said. */
  readonly machine: Pick<Examined, "machine">;
  /** Writes the page of the verdict, where one is wanted. */
  readonly page: (runs: readonly Examined[]) => Promise<void>;
}

const explain = (cause: string) => commandLine(["diagnose", "--explain", cause]);
const isAtLeast = (severity: Severity, limit: Severity) => SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(limit);

/** Follows one path, or standard input for "-"; returns the exit code. */
export async function followRun(typed: string, wish: Wish): Promise<number> {
  const isInput = typed === "-", told = new Telling(wish), passOn = new PassOn();
  const signals = new FollowSignals(isInput ? "the input" : "what is there", (text) => told.note(text, passOn));
  // The training writes into our input: it must not end because nobody reads what we repeat, or say.
  if (isInput) stderr.onClosed = () => {};
  try {
    const pieces: AsyncIterable<Piece> = isInput
      ? streamPieces(Deno.stdin, { path: "-", name: "stdin", beside: [] })
      : pathPieces(pathArgument(typed), { stop: signals.stop, shown: shownPath });
    for await (const update of follow(pieces, { end: signals.end })) {
      const wasOpen = passOn.closed === null;
      await passOn.write(update.bytes);
      if (passOn.closed !== null && wasOpen) {
        const then = isInput ? "goes on reading, so that the run does not end" : "ends";
        told.note(`stdout is closed (${passOn.closed}): ${then}`, passOn);
        if (!isInput) signals.endNow();
      }
      told.take(update, passOn);
      if (told.isOver) signals.endNow();
      if (update.verdict) await wish.page(update.verdict);
    }
    await told.finish(passOn);
    return told.failed ? EXIT.failed : told.isOver ? EXIT.finding : signals.code ?? EXIT.ok;
  } finally {
    signals.close();
  }
}

/** What is said on stderr while a run is followed, and at its end. */
class Telling {
  /** The finding that --fail-on waits for holds. */
  isOver = false;
  /** A reader or a rule threw. */
  failed = false;
  #command: Promise<string | null> | null = null;

  constructor(private readonly wish: Wish) {}

  take(update: FollowUpdate, passOn: PassOn): void {
    for (const text of update.notes) this.note(text, passOn);
    if (update.failure !== null) {
      this.failed = true;
      this.#say(
        [bugText(update.failure), "The lines are repeated all the same; what they hold is no longer judged."],
        passOn,
      );
    }
    const { verdict } = update, { machine } = this.wish;
    if (update.examined === null) return;
    const examined = { ...update.examined, ...machine };
    const alarms = update.findings.filter(({ severity }) => severity !== "info");
    if (verdict === null) {
      for (const finding of alarms) {
        this.#say(liveFindingLines(finding, { ...update, examined, explain }, stderr), passOn);
      }
    } else this.#verdict(update, verdict, passOn);
    this.#act(update.findings, { ...update, examined });
  }

  /** One line about the file, or about us. */
  note(text: string, passOn: PassOn): void {
    this.#say([`${stderr.style("nonzero", "bold")}  ${stderr.style(text, "dim")}`], passOn);
  }

  /** Waits for the person's command. */
  async finish(passOn: PassOn): Promise<void> {
    const problem = await this.#command;
    if (problem) this.note(problem, passOn);
  }

  #verdict({ over }: FollowUpdate, runs: readonly Examined[], passOn: PassOn): void {
    const reports = runs.map((run) =>
      terminalReport({ ...run, ...this.wish.machine }, stderr, this.wish.all).join("\n")
    );
    this.#say(["", reports.join("\n\n")], passOn);
    if (over.length) this.note(`told before, and no finding at the end: ${over.join(", ")}`, passOn);
  }

  #act(findings: readonly Finding[], read: { examined: Examined; records: number; trainStep: number | null }): void {
    const { failOn, onError: command } = this.wish;
    const error = findings.find(({ severity }) => isAtLeast(severity, "error"));
    if (error !== undefined && command !== undefined) this.#command ??= onError(command, { ...read, finding: error });
    if (failOn !== undefined && findings.some(({ severity }) => isAtLeast(severity, failOn))) this.isOver = true;
  }

  /** On a terminal a progress bar that stands on stdout is left as it is. */
  #say(lines: readonly string[], passOn: PassOn): void {
    stderr.line((stderr.live && passOn.midLine ? "\n" : "") + lines.join("\n"));
  }
}
