/** What is left of a run.json that was cut off, or that another version wrote: a run is read by its tables all the same. @module */
import { basename } from "node:path";
import { messageOf } from "./error_text.ts";
import { RUN_FILES, RUN_MANIFEST, type RunManifest } from "./run_folder.ts";
import { segmentsOf } from "./stored_tables.ts";
import { parseJsonObject } from "./strict_json.ts";

/** What is known of a run whose manifest cannot be read as it should be. */
interface ManifestRemains {
  /** What could be read; keys of `unknown` hold a value that says nothing. */
  readonly manifest: RunManifest;
  readonly unknown: ReadonlySet<string>;
  /** What is wrong with it, in a sentence. */
  readonly problem: string;
}

/** Reads of the manifest's `text` (null: there is none) what can be read, for the run in folder `path`. */
export function manifestRemains(path: string, text: string | null): ManifestRemains {
  const { read, problem } = keysOf(text);
  const known: Record<string, unknown> = {}, unknown = new Set<string>();
  const told = problem ? [problem] : [], lacking: string[] = [];
  for (const [name, type] of Object.entries(RUN_MANIFEST.shape)) {
    const parsed = type.safeParse(read[name]), isThere = Object.hasOwn(read, name);
    if (isThere && parsed.success) known[name] = parsed.data;
    else if (isThere) told.push(`"${name}": ${parsed.error!.issues[0]!.message}`);
    else if (!parsed.success) lacking.push(`"${name}"`);
    // Of one that was cut off, what is not there is no default.
    if (!parsed.success || (!isThere && problem)) unknown.add(name);
  }
  if (lacking.length && !problem) told.push(`it lacks ${lacking.join(", ")}`);
  return {
    manifest: RUN_MANIFEST.parse({ ...read, ...placeholders(path), ...known }),
    unknown,
    problem: `Cannot read all of ${RUN_FILES.manifest}: ${told.join("; ")}; the run is shown by its tables`,
  };
}

/** The keys of a manifest; of one that was cut off those before the last that is whole, as the store writes it. */
function keysOf(text: string | null): { readonly read: Record<string, unknown>; readonly problem: string } {
  if (text === null) return { read: {}, problem: "it is not there" };
  if (text.trim() === "") return { read: {}, problem: "it is empty" };
  try {
    return { read: parseJsonObject(text, RUN_FILES.manifest), problem: "" };
  } catch (error) {
    const problem = messageOf(error).replace(`Cannot read ${RUN_FILES.manifest}: `, "");
    try {
      return { read: parseJsonObject(`${text.slice(0, text.lastIndexOf(',\n  "'))}}`, RUN_FILES.manifest), problem };
    } catch {
      return { read: {}, problem };
    }
  }
}

const ID = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-(.+)-[^-]+$/;

/** Values for the keys that a manifest must have: what the folder's name and tables tell, else what says nothing. */
function placeholders(path: string): Partial<RunManifest> {
  const id = basename(path), [, year, month, day, hour, minute, second, name] = ID.exec(id) ?? [];
  return {
    format: 1,
    id,
    name: name ?? id,
    about: "",
    status: "interrupted",
    created: name ? `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z` : "1970-01-01T00:00:00.000Z",
    workflow: "",
    params: {},
    seed: 0,
    device: "unknown",
    backend: "unknown",
    threads: 1,
    cpu_class: "unknown",
    versions: {},
    train_step: segmentsOf(path, "metrics").at(-1)?.last ?? 0,
  };
}
