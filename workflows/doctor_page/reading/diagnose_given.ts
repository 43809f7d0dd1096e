/** Reads what a person gave to a page, and asks the rules: what `diagnose` does, without a disk. @module */
import type { Source } from "../../../data/adapters/adapter.ts";
import { Intake } from "../../../data/adapters/intake/intake.ts";
import { areSeveralPosts, readSources } from "../../../data/adapters/read_sources.ts";
import { finish } from "../../../data/adapters/run/finish.ts";
import { PACKED, walkTree } from "../../../data/adapters/source/walk_tree.ts";
import { type Cause, DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { examineRun } from "../../doctor/examine_run.ts";
import { type Examined, withinPath } from "../../doctor/examined.ts";
import { markdownReport } from "../../doctor/markdown_report.ts";
import { pageRun } from "../../doctor/page_run.ts";
import { type Taken, takenOut } from "../../doctor/redact.ts";
import { openBlob, openText } from "./blob_source.ts";
import { diskOf } from "./blob_tree.ts";
import type { Diagnosed, Given, Shared, ShownLines, ShownRun } from "./messages.ts";
import { OwnForms } from "./own_forms.ts";
import { LineIndex } from "./shown_lines.ts";

/** Called with the bytes of a file that are read, for progress. */
type OnBytes = (path: string, bytes: number) => void;

/** One that was given and read; lines of its files can be asked for. */
export class GivenRun {
  readonly #files = new Map<string, { readonly source: Source; readonly blob: Blob | null }>();
  readonly #lines = new Map<string, Promise<LineIndex | null>>();

  /** Reads it: a folder as one run, and one of posts as a run each, as `diagnose FOLDER` does. */
  async diagnose(given: Given, onBytes: OnBytes = () => {}): Promise<Diagnosed> {
    const intake = new Intake(), path = pathOf(given);
    await this.#read(given, path, intake, onBytes);
    const read = areSeveralPosts(intake) ? await this.#eachPost(intake) : [{ path, intake }];
    const examined = read.flatMap(({ path, intake }) => finish(path, intake)).map(examineRun);
    const sources = read.flatMap(({ intake }) => intake.sources), first = read.length === 1 ? examined[0] : undefined;
    return {
      runs: await Promise.all(examined.map((one) => this.#shown(one))),
      files: sources.map(({ path, format, bytes, records, partial }) => ({
        ...{ path, format, bytes, partial },
        records: printedIn(path, examined) ?? records,
        shown: first === undefined ? path : withinPath(first, path),
      })),
    };
  }

  /** What is shown of a run: what is to be pasted as its own text writes it. */
  async #shown(examined: Examined): Promise<ShownRun> {
    const shown = shownRun(examined), { changes, possible } = shown.run;
    const texts = [...changes.flatMap(({ lines }) => lines), ...possible.flatMap(({ how }) => how)];
    if (texts.length === 0) return shown;
    const own = await OwnForms.of(examined.settings ?? [], async (path, line) => {
      const { lines: [first] } = this.#files.has(path) ? await this.lines(path, line, 1) : { lines: [] };
      return first?.text ?? "";
    });
    return {
      ...shown,
      run: {
        ...shown.run,
        changes: changes.map((block) => ({ ...block, lines: block.lines.map((line) => own.written(line)) })),
        possible: possible.map((entry) => ({ ...entry, how: entry.how.map((line) => own.written(line)) })),
      },
    };
  }

  /** Lines of a file; none of one that holds no text. */
  async lines(
    path: string,
    from: number,
    count: number,
    words: Readonly<Record<number, readonly string[]>> = {},
  ): Promise<ShownLines> {
    const file = this.#files.get(path);
    if (file === undefined) throw new RangeError(`Cannot show ${path}: it was not read`);
    if (!this.#lines.has(path)) this.#lines.set(path, LineIndex.of(file.source, file.blob));
    const index = await this.#lines.get(path)!;
    return await index?.lines(from, count, words) ?? { from: 1, lines: [], total: 0 };
  }

  async #read(given: Given, path: string, intake: Intake, onBytes: OnBytes): Promise<void> {
    if (given.kind !== "folder") {
      const source = given.kind === "text" ? await openText(given.text) : await openBlob(given.file, path);
      const blob = given.kind === "text" ? new Blob([given.text]) : given.file;
      this.#keep(path, source, blob);
      return await readSources([counted(source, onBytes)], intake, { alone: true });
    }
    const files = new Map(given.files.map(({ path, file }) => [`./${path}`, file]));
    const walk = await walkTree(path, diskOf([...files.keys()]));
    await readSources(this.#opened(walk.files, files, onBytes), intake);
    for (const { path, reason } of walk.left) intake.leave(path, reason);
    if (walk.files.length === 0) intake.leave(path, "a folder without a file that a doctor reads");
  }

  /** Posts that were given together, each read by itself. */
  async #eachPost({ sources }: Intake): Promise<{ readonly path: string; readonly intake: Intake }[]> {
    return await Promise.all(sources.map(async ({ path }) => {
      const intake = new Intake();
      await readSources([this.#files.get(path)!.source], intake, { alone: true });
      return { path, intake };
    }));
  }

  async *#opened(
    walked: readonly { readonly file: string; readonly path: string }[],
    files: ReadonlyMap<string, Blob>,
    onBytes: OnBytes,
  ): AsyncGenerator<Source> {
    for (const { file, path } of walked) {
      const blob = files.get(file)!, source = await openBlob(blob, path);
      this.#keep(path, source, blob);
      yield counted(source, onBytes);
    }
  }

  /** Lines are looked up in the file itself, unless it is packed. */
  #keep(path: string, source: Source, blob: Blob): void {
    this.#files.set(path, { source, blob: PACKED.test(path) ? null : blob });
  }
}

/** Records that a post prints, of all runs in it; null of what is no post. */
function printedIn(path: string, examined: readonly Examined[]): number | null {
  const counts = examined.flatMap(({ printed }) => printed ?? []);
  return counts.length < examined.length ? null : counts.reduce((all, one) => all + (one.get(path) ?? 0), 0);
}

/** The source, which tells how far it is read. */
function counted(source: Source, onBytes: OnBytes): Source {
  return {
    ...source,
    async *chunks() {
      let bytes = 0;
      for await (const chunk of source.chunks()) {
        onBytes(source.path, bytes += chunk.length);
        yield chunk;
      }
    },
  };
}

/** What the run is called: as `diagnose` is told where it lies here. */
function pathOf(given: Given): string {
  if (given.kind === "text") return "-";
  return given.kind === "file" ? given.file.name : `./${given.name}`;
}

function shownRun(examined: Examined): ShownRun {
  const run = pageRun(examined, false), causes = [...run.findings, ...run.possible].map(({ cause }) => cause);
  const aboutOf = (cause: string) => Object.hasOwn(DIAGNOSES, cause) ? DIAGNOSES[cause as Cause].about : "";
  const abouts = Object.fromEntries(causes.map((cause) => [cause, aboutOf(cause)]));
  return { run, part: examined.part, abouts, markdown: markdownOf(examined) };
}

function markdownOf(examined: Examined): Shared {
  // What goes is looked for in each text by itself, before it is written as Markdown.
  const taken = new Map<string, Taken>();
  const whole = markdownReport(examined, false, (text) => {
    for (const one of takenOut(text)) taken.set(one.text, one);
    return text;
  });
  return { stripped: markdownReport(examined, false), whole, taken: [...taken.values()] };
}
