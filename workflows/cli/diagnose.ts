/** `diagnose`: names why a run does not learn, ours or another system's. @module */
import { existsSync } from "node:fs";
import { isStamped } from "../../data/run_folder.ts";
import { SEVERITIES, type Severity } from "../../data/severity.ts";
import type { Finding } from "../../steps/diagnoses/diagnosis.ts";
import { priceOf } from "../doctor/bill.ts";
import type { Examined } from "../doctor/examined.ts";
import { defineCommand } from "./command.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { EXIT } from "./failures.ts";
import { callerFolder, pathArgument, runsFolder, shownPath } from "../terminal/paths.ts";
import { findRun } from "../explore/find_run.ts";
import { stdout } from "../terminal/terminal.ts";
import { writePage } from "../store/write_file.ts";
import { pageFile } from "./page_file.ts";

export const diagnose = defineCommand({
  about: "Say why a run does not learn: ours, or another system's log, file, folder or `-`",
  usage: "PATH... [options]   |   diagnose --follow PATH|-   |   diagnose --explain CAUSE|CODE",
  words: [0, Infinity],
  options: {
    json: { about: "one JSON object per run (schema: diagnosis.schema.json)" },
    markdown: { about: "Markdown to paste into an issue, without home paths, tokens, passwords and e-mail addresses" },
    html: { about: "write a page with charts to FILE", value: "FILE" },
    all: { about: "all findings and all evidence" },
    gpus: { about: "GPUs that the run holds, for what it has cost (default: as its configuration says)", value: "N" },
    "gpu-hour-cost": { about: "price of one GPU for an hour, e.g. 2.5 or 2.5EUR: the loss as money", value: "PRICE" },
    explain: { about: "print the page of a cause or a code", value: "CAUSE|CODE" },
    "fail-on": { about: "exit 3 if a finding is at least this severe", value: "SEVERITY", choices: SEVERITIES },
    follow: { about: "a run that goes on: repeats its log on stdout, tells findings on stderr as they come" },
    "on-error": {
      about: "with --follow: a shell command, run once on the first finding of severity error or fatal",
      value: "COMMAND",
    },
    runs: { about: "folder of the runs that are called by their ids (default: runs/ in the project)", value: "DIR" },
  },
  notes: [
    "Exits 0 whatever it finds, 3 with --fail-on, and 2 where a path cannot be read. With --follow, 3 comes as soon as",
    "the finding holds, and ends a program that writes into our standard input: docs/attach.md.",
    "COMMAND has NONZERO_CAUSE, _SEVERITY, _STEP, _MESSAGE and _PATH, JSON on its stdin, and 60 seconds.",
  ],
  examples: [
    "trainer_state.json",
    "./output --html diagnosis.html",
    "- < train.log",
    "--follow train.log",
  ],
  async run(words, options) {
    const { json, markdown, html, all, explain, "fail-on": failOn, follow, "on-error": onError } = options;
    const machine = machineOf(options.gpus, options["gpu-hour-cost"]);
    if (explain !== undefined) {
      if (words.length) {
        throw new UsageError(`Cannot explain "${explain}" and diagnose "${words[0]}": want one of them`);
      }
      return await explainCause(explain);
    }
    if (!words.length) throw new UsageError('Cannot diagnose: no path given; want a file, a folder, a glob or "-"');
    if (onError !== undefined && !follow) {
      throw new UsageError("Cannot run --on-error: it is for a run that goes on; want --follow with it");
    }
    if (json && markdown) throw new UsageError("Cannot print both --json and --markdown: want one of them");
    if (html !== undefined) pageFile(html, "--html");
    if (follow) {
      const [path, more] = words;
      if (more !== undefined) throw new UsageError(`Cannot follow "${path}" and "${more}": want one of them`);
      if (json || markdown) {
        throw new UsageError("Cannot print --json or --markdown with --follow: stdout repeats the log; want neither");
      }
      const { followRun } = await import("./diagnose_follow.ts");
      const limit = failOn as Severity | undefined;
      return await followRun(path!, {
        all: all ?? false,
        failOn: limit,
        onError,
        machine,
        page: (runs) => writeDoctorPage(runs.map((run) => ({ ...run, ...machine })), html, all),
      });
    }
    const { examine } = await import("../doctor/examine.ts");
    const examined = (await examine(words.map((word) => examinedPath(word, options.runs)))).map((run) =>
      shownExamined({ ...run, ...machine })
    );
    if (json) {
      const { jsonReport } = await import("../doctor/json_report.ts");
      for (const e of examined) stdout.json(JSON.stringify(jsonReport(e)));
    } else if (markdown) {
      const { markdownReport } = await import("../doctor/markdown_report.ts");
      stdout.write(examined.map((e) => markdownReport(e, all ?? false)).join("\n"));
    } else {
      const { terminalReport } = await import("../doctor/terminal_report.ts");
      stdout.line(examined.map((e) => terminalReport(e, stdout, all ?? false).join("\n")).join("\n\n"));
    }
    await writeDoctorPage(examined, html, all);
    if (html !== undefined && !json && !markdown) stdout.line(`\nPage: ${shownPath(pathArgument(html))}`);
    const limit = failOn === undefined ? -1 : SEVERITIES.indexOf(failOn as Severity);
    const worst = examined.some((e) => e.diagnosis.findings.some((f) => SEVERITIES.indexOf(f.severity) <= limit));
    return worst ? EXIT.finding : EXIT.ok;
  },
});

/** What is said of the machine; nothing where nothing is. */
function machineOf(gpus: string | undefined, price: string | undefined): Pick<Examined, "machine"> {
  const count = gpus === undefined ? null : Number(gpus), cost = price === undefined ? null : priceOf(price);
  if (count !== null && !(count > 0 && Number.isFinite(count))) {
    throw new UsageError(`Cannot count GPUs: --gpus is "${gpus}", want a number above 0`);
  }
  if (price !== undefined && cost === null) {
    throw new UsageError(
      `Cannot read --gpu-hour-cost "${price}": want a number, with its currency if you like: 2.5EUR`,
    );
  }
  if (count === null && cost === null) return {};
  return { machine: { gpus: count, hourCost: cost?.hourCost ?? null, currency: cost?.currency ?? null } };
}

/** A path, or the folder of a run of ours that is called by its id. */
function examinedPath(typed: string, runs: string | undefined): string {
  const path = pathArgument(typed);
  return existsSync(path) || !(isRunName(typed) || (runs !== undefined && isPartOfId(typed)))
    ? path
    : findRun(typed, runsFolder(runs));
}

/** Where a folder of runs is named: the beginning of an id, which is no "-" and no glob. */
const isPartOfId = (typed: string) => /^[\w-]*\w[\w-]*$/.test(typed);

/** What no path is called by chance. */
const isRunName = (typed: string) => typed === "last" || isStamped(typed);

async function writeDoctorPage(examined: readonly Examined[], html: string | undefined, all = false): Promise<void> {
  if (html === undefined) return;
  const { doctorPage } = await import("../doctor/page.ts");
  writePage(pathArgument(html), await doctorPage(examined, all));
}

/** Every path in it as the person wants to read it. */
function shownExamined(examined: Examined): Examined {
  const shown = (finding: Finding): Finding => ({
    ...finding,
    evidence: finding.evidence.map((e) => ({ ...e, source: e.source === null ? null : shownPath(e.source) })),
  });
  const { diagnosis } = examined;
  const here = `${callerFolder().replace(/[\\/]$/, "")}/`;
  return {
    ...examined,
    path: shownPath(examined.path),
    diagnosis: {
      ...diagnosis,
      findings: diagnosis.findings.map(shown),
      afterEffects: diagnosis.afterEffects.map(shown),
    },
    reading: examined.reading.map((line) => line.replaceAll(here, "")),
  };
}

async function explainCause(name: string): Promise<number> {
  const { explain } = await import("../../steps/diagnoses/explain.ts");
  stdout.line(explain(name));
  return EXIT.ok;
}
