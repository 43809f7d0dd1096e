/** `check`: what cannot work in a workflow file, or in another system's configuration, before anything runs. @module */
import { dirname } from "node:path";
import { existsSync } from "node:fs";
import { isFile, notAFile, textIfThere } from "../../data/file_system.ts";
import { SEVERITIES, type Severity } from "../../data/severity.ts";
import type { Issue } from "../language/problems.ts";
import type { PreflightFinding } from "../preflight/finding.ts";
import { defineCommand } from "./command.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { EXIT } from "./failures.ts";
import { newestModel } from "../explore/newest_model.ts";
import { callerFolder, runsFolder, shownPath, workflowArgument } from "../terminal/paths.ts";
import type { CheckedConfiguration } from "../preflight/configuration.ts";
import { printable, stdout } from "../terminal/terminal.ts";

export const check = defineCommand({
  about: "Say what cannot work: a workflow file, or another system's configuration",
  usage: "FILE [-p key=value]... [--fail-on SEVERITY] [--json]",
  words: [1, 1],
  options: {
    param: { about: "a parameter of the workflow", value: "key=value", short: "p", multiple: true },
    "fail-on": {
      about: "exit 3 if a finding is at least this severe (default: error)",
      value: "SEVERITY",
      choices: SEVERITIES,
    },
    json: { about: "one JSON object: ok, kind, problems or findings" },
  },
  notes: [
    "A workflow that is invalid exits 2, with file:line:column of every mistake; a finding of --fail-on exits 3.",
  ],
  examples: ["mine.yaml", "grpo_config.yaml --fail-on warning"],
  async run([file], { param, "fail-on": failOn, json }) {
    const path = workflowArgument(file!);
    refuseWaiting(path, file!);
    if (isWorkflow(path)) {
      return await checkWorkflow(path, file!, param ?? [], json ?? false, (failOn ?? "error") as Severity);
    }
    if (param?.length) throw new UsageError(`Cannot set parameters of "${file}": it is no workflow of ours`);
    return await checkForeign(path, json ?? false, (failOn ?? "error") as Severity);
  },
});

/** A pipe that has a name may wait for ever; those of the shell, `<(…)`, have a writer. */
function refuseWaiting(path: string, shown: string): void {
  if (!existsSync(path) || /^\/(?:dev|proc)\//.test(path)) return;
  const info = Deno.statSync(path);
  if (info.isFile || info.isDirectory) return;
  throw new UsageError(`Cannot check "${printable(shown)}": it is ${notAFile(info)}, want a file`);
}

/**
 * Ours: a TypeScript file, or YAML with `steps` or `uses` as a key, or with nothing to say that it is another's: empty,
 * a list, a text. A file that is missing is named as a workflow.
 */
function isWorkflow(path: string): boolean {
  if (/\.[cm]?ts$/.test(path)) return true;
  if (!/\.ya?ml$/.test(path)) return false;
  const text = textIfThere(path) ?? "";
  // A list of steps that a tab or a space has moved is a mistake to name.
  return /^steps\s*:|^[ \t]steps\s*:\s*(?:\[|#|$)|(?:^|[\s{])uses\s*:/m.test(text) ||
    !/^[ \t]*["']?[\w.-]+["']?\s*:/m.test(text);
}

async function checkWorkflow(
  path: string,
  shown: string,
  params: readonly string[],
  json: boolean,
  failOn: Severity,
): Promise<number> {
  const { WorkflowError } = await import("../language/problems.ts");
  try {
    const { plans, problems } = await preflightAll(path, shown, params);
    const refused = problems.some(({ refuses }) => refuses), limit = SEVERITIES.indexOf(failOn);
    const failed = refused || problems.some(({ severity }) => SEVERITIES.indexOf(severity) <= limit);
    if (json) {
      const listed = problems.map(({ rule, severity, file, position, message }) => ({
        rule,
        severity,
        file,
        ...position,
        message,
      }));
      stdout.json(JSON.stringify({ ok: !failed, kind: "workflow", path: shown, runs: plans.length, problems: listed }));
    } else {
      for (const { text } of problems) stdout.line(text);
      const { describePlan } = await import("../plan/describe.ts");
      const { stepCount, rounds } = describePlan(plans[0]!), runs = plans.length > 1 ? `${plans.length} runs, ` : "";
      const word = failed ? stdout.style("cannot work", "red") : stdout.style("ok", "green");
      stdout.line(`${word}  ${printable(shown)}: ${runs}${stepCount} steps, ${rounds} rounds at most`);
    }
    return refused ? EXIT.usage : failed ? EXIT.finding : EXIT.ok;
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error;
    if (!json) {
      // A file that is not there, or no YAML, has nothing more to check.
      if (error.issues.every(({ path }) => path.length === 0)) throw error;
      error.message +=
        "\nmore is checked when these are mended: files, tables, settings that do not go together, memory";
      throw error;
    }
    const problems = error.issues.map(({ file, position, message }) => ({ file, ...position, message }));
    stdout.json(JSON.stringify({ ok: false, kind: "workflow", path: shown, problems }));
    return EXIT.usage;
  }
}

/** The plans of a workflow file, and what preflight finds in any of them, each thing once. */
async function preflightAll(path: string, shown: string, params: readonly string[]) {
  const { STEPS } = await import("../../steps/mod.ts");
  const { loadWorkflow } = await import("../language/parse.ts");
  const { planRuns } = await import("../plan/plan_workflow.ts");
  const { readAssignments } = await import("../plan/overrides.ts");
  const { pathsFromCaller } = await import("../plan/caller_paths.ts");
  const { preflight } = await import("../preflight/preflight.ts");
  const { formatIssue } = await import("../language/problems.ts");
  let head: readonly Issue[] = [];
  const loaded = await loadWorkflow(path, { shown, kinds: STEPS, hearHead: (issues) => head = issues });
  if (loaded.document.on !== undefined) (await import("../cron/notify.ts")).checkNotify(loaded, dirname(path));
  const newestRun = (name: string) => newestModel(runsFolder(), name);
  const given = pathsFromCaller(loaded, STEPS, readAssignments(params), callerFolder());
  const plans = await withHead(head, () => planRuns(loaded, STEPS, { params: given, newestRun }));
  const found = (await Promise.all(plans.map((plan) => preflight(plan)))).flat();
  const problems = [...new Map(found.map((finding) => [finding.text, finding])).values()];
  const refused = head.map((issue): PreflightFinding => ({
    rule: "workflow",
    severity: "error",
    refuses: true,
    message: issue.message,
    file: issue.file,
    position: issue.position,
    text: formatIssue({ ...issue, message: `error: ${issue.message}` }),
  }));
  return { plans, problems: [...refused, ...problems] };
}

/** What is wrong at the head is told before what is wrong with the rest. */
async function withHead<T>(head: readonly Issue[], plan: () => T): Promise<T> {
  const { WorkflowError } = await import("../language/problems.ts");
  try {
    return plan();
  } catch (error) {
    throw error instanceof WorkflowError ? new WorkflowError([...head, ...error.issues]) : error;
  }
}

/** The files of no known trainer that are no JSON or YAML, one line each: what they hold cannot be judged. */
async function refusals({ run }: CheckedConfiguration): Promise<string[]> {
  const { fileRefusal } = await import("../preflight/foreign/syntax_rules.ts");
  const { WRITE_OUT } = await import("../../data/adapters/source/yaml_aliases.ts");
  return run.sources.flatMap(({ path, partial }) => {
    if (partial?.endsWith(WRITE_OUT)) {
      return [`Cannot check "${shownPath(path)}": ${partial.replace(/^Cannot read .* as a configuration: /, "")}`];
    }
    // What stopped the reader otherwise, such as its depth, is the better reason.
    if (partial !== null && !partial.includes("no valid")) return [];
    const text = isFile(path) ? textIfThere(path) : null, why = text && fileRefusal(path, text);
    return why ? [`Cannot check "${shownPath(path)}": ${why}`] : [];
  });
}

async function checkForeign(path: string, json: boolean, failOn: Severity): Promise<number> {
  const { checkConfiguration } = await import("../preflight/configuration.ts");
  const checked = await checkConfiguration([path]);
  const unknown = checked.filter(({ launches }) => launches.length === 0);
  const refused = (await Promise.all(unknown.map(refusals))).flat()[0] ?? null;
  if (
    checked.every(({ run, launches }) => launches.length === 0 && run.settings.every(({ option }) => option === null))
  ) {
    const partial = checked.flatMap(({ run }) => run.sources).find((source) => source.partial !== null)?.partial;
    throw new UsageError(
      refused ??
        `Cannot check "${shownPath(path)}": it has neither "steps", as a workflow of ours, nor an option of another ` +
          `system that is known here${partial === undefined ? "" : `; read in part: ${partial}`}`,
    );
  }
  if (refused !== null) throw new UsageError(refused);
  const limit = SEVERITIES.indexOf(failOn);
  const failed = checked.some(({ problems }) => problems.some(({ severity }) => SEVERITIES.indexOf(severity) <= limit));
  for (const { examined: run, problems, cannotTell } of checked) {
    if (json) {
      const { jsonReport } = await import("../doctor/json_report.ts");
      stdout.json(
        JSON.stringify({ ok: !failed, kind: "configuration", ...jsonReport(run), problems, cannot_tell: cannotTell }),
      );
    } else {
      const { configurationLines } = await import("./check_text.ts");
      for (const line of configurationLines({ examined: run, problems, cannotTell }, failed, stdout)) stdout.line(line);
    }
  }
  return failed ? EXIT.finding : EXIT.ok;
}
