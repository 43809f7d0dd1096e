/** Options of steps that read a built-in task: its own parameters stand beside the step's. @module */
import type { z } from "zod";
import { didYouMean } from "../../data/did_you_mean.ts";
import { type Task, type TaskName, TASKS } from "../../data/tasks/mod.ts";

type Issue = (path: PropertyKey[], message: string) => void;
type Given = Readonly<Record<string, unknown>> & {
  readonly task?: TaskName | undefined;
  readonly file?: string | undefined;
};

const unknownKey = (key: string, of: string, known: readonly string[]) =>
  `unknown key "${key}"${of}${didYouMean(key, known)}`;

/** The keys that are the task's: all that the step does not have itself. */
export function taskOptions(given: Given, own: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([key]) => !Object.hasOwn(own, key)));
}

/** What is wrong with the choice of a task or a file, and with a task's own parameters. */
export function sourceIssues(given: Given, own: Readonly<Record<string, unknown>>, issue: Issue): void {
  const { task, file } = given, options = taskOptions(given, own);
  if (task === undefined && file === undefined) {
    const said = Object.keys(options).map((key) => [key, unknownKey(key, "", Object.keys(own))] as const);
    const meant = said.filter(([, message]) => /did you mean "(?:task|file)"/.test(message));
    for (const [key, message] of meant) issue([key], message);
    if (meant.length === 0) issue([], "neither a task nor a file is given; want one, e.g. task: addition");
  } else if (task !== undefined && file !== undefined) issue([], "both a task and a file are given; want one");
  else if (task !== undefined) taskIssues(task, options, issue);
  else for (const key of Object.keys(options)) issue([key], unknownKey(key, "", Object.keys(own)));
}

function taskIssues(name: TaskName, options: Record<string, unknown>, issue: Issue): void {
  const { params }: Task = TASKS[name];
  const known = Object.keys((params as z.ZodObject).shape);
  for (const problem of params.safeParse(options).error?.issues ?? []) {
    if (problem.code !== "unrecognized_keys") issue([...problem.path], problem.message);
    else for (const key of problem.keys) issue([key], unknownKey(key, ` of task "${name}"`, known));
  }
}
