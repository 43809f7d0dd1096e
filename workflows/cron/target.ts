/** What a target of `cron` is: a text to show, and changes of files and tables that a person agrees to. @module */
import type { Job } from "./job.ts";

/** One thing that becomes another: a file, the user's crontab. */
export interface Change {
  /** Path of the file, or what a person calls it. */
  readonly what: string;
  /** What is there now, or null. */
  readonly before: string | null;
  /** What will be there; null = nothing. */
  readonly after: string | null;
  /** The part of `after` that is ours, where the rest is another's. */
  readonly part?: string;
  /** Makes it; returns what a person should know of it. */
  apply(): Promise<readonly string[]>;
}

/** What installing or removing does, in this order. */
export interface Steps {
  /** Commands before the changes. */
  readonly first: readonly (readonly string[])[];
  readonly changes: readonly Change[];
  /** Commands after them. */
  readonly then: readonly (readonly string[])[];
  /** What a person should know, one sentence each. */
  readonly notes: readonly string[];
}

export interface Target {
  /** One line for the help. */
  readonly about: string;
  /** What would be installed, to read or to redirect into a file. */
  show(job: Job): string;
  /** Throws a UsageError where the target is not there, or a name is taken. */
  install(job: Job): Promise<Steps>;
  /** What was installed for a workflow file, which may be gone by now; nothing where nothing was. */
  remove(file: string): Promise<Steps>;
}
