/** What the page and its worker say to each other. @module */
import type { DoctorPageRun } from "../../../notebooks/pages/doctor.ts";
import type { Taken } from "../../doctor/redact.ts";

/** What a person gave: a text, one file, or what is read as one folder. */
export type Given =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "file"; readonly file: File }
  /** Files by their way from the folder, whose name comes first: "run/checkpoint-9/trainer_state.json". */
  | { readonly kind: "folder"; readonly name: string; readonly files: readonly GivenFile[] };

export interface GivenFile {
  readonly path: string;
  readonly file: Blob;
}

/** One file as the report has it. */
export interface ReadFile {
  /** As it is asked for again. */
  readonly path: string;
  /** As evidence has it. */
  readonly shown: string;
  readonly format: string;
  readonly bytes: number;
  readonly records: number;
  readonly partial: string | null;
}

/** The report as Markdown, with and without what is private. */
export interface Shared {
  readonly stripped: string;
  readonly whole: string;
  readonly taken: readonly Taken[];
}

export interface ShownRun {
  readonly run: DoctorPageRun;
  readonly part: string;
  /** What each cause is that is named, in English, as its rule says it. */
  readonly abouts: Readonly<Record<string, string>>;
  readonly markdown: Shared;
}

export interface Diagnosed {
  readonly runs: readonly ShownRun[];
  readonly files: readonly ReadFile[];
}

/** Lines of one file. */
export interface ShownLines {
  /** Number of the first, from 1. */
  readonly from: number;
  readonly lines: readonly ShownLine[];
  /** Lines of the whole file. */
  readonly total: number;
}

/** A line, of a long one a part. */
export interface ShownLine {
  readonly text: string;
  /** Characters left out before and behind it. */
  readonly before: number;
  readonly behind: number;
}

/** What the page asks; of a line that is long the part is shown that has one of `words`. */
export type Asked =
  | { readonly ask: "examine"; readonly id: number; readonly given: Given }
  | {
    readonly ask: "lines";
    readonly id: number;
    readonly path: string;
    readonly from: number;
    readonly count: number;
    readonly words: Readonly<Record<number, readonly string[]>>;
  };

/** What the worker answers; `answer` is of the kind that was asked. */
export type Answered =
  | { readonly id: number; readonly progress: { readonly path: string; readonly bytes: number } }
  | { readonly id: number; readonly answer: Diagnosed | ShownLines }
  | { readonly id: number; readonly error: string };
