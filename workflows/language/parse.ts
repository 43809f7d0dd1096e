/** Reads a workflow file, YAML or TypeScript, into a document that knows where everything stands. @module */
import { basename, dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { notAFile } from "../../data/file_system.ts";
import { strayKey } from "./foreign_keys.ts";
import {
  type Issue,
  type Path,
  type Problem,
  refuse,
  toIssues,
  WorkflowError,
  type WorkflowSource,
} from "./problems.ts";
import { type StepKinds, WorkflowDocument } from "./schema.ts";
import { paramProblems } from "./step_params.ts";
import { MAX_BYTES, MAX_DEPTH, parseYaml } from "./yaml_source.ts";
import { readAs } from "./zod_problems.ts";

/** A workflow that passed the schema; plan/ checks the rest. */
export interface LoadedWorkflow {
  readonly document: WorkflowDocument;
  readonly source: WorkflowSource;
  /** Absolute folder that paths inside the workflow are relative to. */
  readonly folder: string;
}

/** How a workflow is read. */
interface ReadOptions {
  /** The file as messages name it; the path itself if absent. */
  readonly shown?: string;
  /** Folder that paths inside the workflow are relative to; the file's own if absent. */
  readonly folder?: string;
  /** With these, a workflow that fails the schema also hears what is wrong inside its `with`. */
  readonly kinds?: StepKinds;
  /** Is told what is wrong at the head, where the rest can be read without: it must refuse that in the end. */
  readonly hearHead?: (issues: readonly Issue[]) => void;
}

/** Reads a `.yaml`, `.yml`, `.ts` or `.js` file. Throws WorkflowError, or the error of a file that cannot be read. */
export async function loadWorkflow(path: string, options: ReadOptions = {}): Promise<LoadedWorkflow> {
  const absolute = resolve(path);
  const shown = options.shown ?? path;
  const folder = options.folder ?? dirname(absolute);
  const file = await Deno.stat(absolute).catch((error) => {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  });
  const problem = file === null
    ? "Cannot read the workflow: there is no such file"
    : notAFile(file) !== null
    ? `Cannot read the workflow: it is ${notAFile(file)}, want a .yaml or .ts file`
    : file.size > MAX_BYTES
    ? tooLarge(file.size)
    : null;
  refuse(problem === null ? [] : [{ path: [], message: problem }], objectSource(shown));
  if (/\.[cm]?[jt]s$/.test(absolute)) {
    const module = await import(pathToFileURL(absolute).href);
    return readWorkflow(module.default, objectSource(shown), { ...options, folder });
  }
  return parseWorkflow(decode(await Deno.readFile(absolute), shown), shown, { ...options, folder });
}

function decode(bytes: Uint8Array, shown: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    refuse([{ path: [], message: "Cannot read the workflow: it is no UTF-8 text" }], objectSource(shown));
    throw cause;
  }
}

/** Reads the text of a YAML workflow. Throws WorkflowError. */
export function parseWorkflow(text: string, file: string, options: ReadOptions = {}): LoadedWorkflow {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > MAX_BYTES) refuse([{ path: [], message: tooLarge(bytes) }], objectSource(file));
  const { value, source, problems } = parseYaml(text, file);
  refuse(problems, source);
  return readWorkflow(value, source, options);
}

/** Takes a workflow written as an object (`defineWorkflow`). Throws WorkflowError. */
export function workflowFromObject(workflow: unknown, file: string, options: ReadOptions = {}): LoadedWorkflow {
  return readWorkflow(workflow, objectSource(file), options);
}

function readWorkflow(value: unknown, source: WorkflowSource, options: ReadOptions): LoadedWorkflow {
  const folder = options.folder ?? Deno.cwd();
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const how = source.text === null
      ? "; want `export default defineWorkflow({ … })`"
      : ', want keys such as "name" and "steps"';
    refuse([{ path: [], message: `no workflow in ${basename(source.file)}${how}` }], source);
  }
  const shape = shapeProblems(value);
  refuse(shape, source);
  const { kinds } = options, heads = Object.keys(WorkflowDocument.shape);
  const { data, problems } = readAs(
    WorkflowDocument,
    value,
    [],
    (key, within) => kinds !== undefined && within.length === 0 ? strayKey(key, heads, kinds) : null,
  );
  if (data !== undefined) return { document: data, source, folder };
  const rest = options.hearHead === undefined
    ? undefined
    : readAs(WorkflowDocument, withoutWrong(value, problems)).data;
  if (rest !== undefined) {
    options.hearHead!(toIssues(problems, source));
    return { document: rest, source, folder };
  }
  const inside = kinds === undefined ? [] : paramProblems(value, kinds);
  throw new WorkflowError(toIssues([...problems, ...inside], source));
}

/** Keys at the head that others look up: without them these were wrong, too. */
const LOOKED_UP = ["params", "strategy", "steps"];

/** The workflow without the keys at its head that are wrong; it needs a name. */
function withoutWrong(value: unknown, problems: readonly Problem[]): object {
  const wrong = problems.map(({ path }) => path[0]);
  const kept = Object.entries(value as object).filter(([key]) => LOOKED_UP.includes(key) || !wrong.includes(key));
  return { name: "unnamed", ...Object.fromEntries(kept) };
}

/** What no schema sees: numbers that are not finite, lists too deep, keys that would reach the prototype. */
function shapeProblems(value: unknown, path: Path = []): Problem[] {
  if (path.length > MAX_DEPTH) return [{ path, message: `nested deeper than ${MAX_DEPTH}` }];
  if (typeof value === "number" && !Number.isFinite(value)) {
    return [{ path, message: `"${path.at(-1)}" is ${value}, want a finite number` }];
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => shapeProblems(item, [...path, index]));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === "__proto__"
      ? [{ path: [...path, key], key: true, message: 'unknown key "__proto__"' }]
      : shapeProblems(item, [...path, key])
  );
}

function objectSource(file: string): WorkflowSource {
  return { file, text: null, locate: () => null };
}

function tooLarge(bytes: number): string {
  return `the file has ${(bytes / 1e6).toFixed(1)} MB, want at most ${
    MAX_BYTES / 1e6
  } MB: a workflow holds settings, data belongs into a file it names`;
}
