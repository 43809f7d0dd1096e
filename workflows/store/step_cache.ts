/** Results of pure steps, kept by the content of what they depend on; a miss says what has changed. @module */
import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { isFile, orElse } from "../../data/file_system.ts";
import type { TableName } from "../../data/columns.ts";
import { TEMPORARY_PREFIX } from "../../data/run_folder.ts";
import { decodeTable, encodeTable } from "../../data/tables/mod.ts";
import type { StepResult, TableWrites } from "../../steps/step.ts";
import type { PlannedStep } from "../plan/plan.ts";
import { canonicalJson, sha256 } from "../../data/digest.ts";
import { decodeExact, encodeExact } from "./exact_json.ts";
import type { RunTables } from "./run_tables.ts";
import { makeFolder, removeIfThere, writeFileAtomic, writeSynced, writing } from "./write_file.ts";

/** What a cached result depends on, part by part, so that a miss can name the part. */
type CacheKey = Readonly<Record<string, string>>;

/** What the cache needs of a run. */
interface CacheSite {
  readonly plan: { readonly name: string; readonly folder: string; readonly settings: { readonly seed: number } };
  readonly environment: { readonly versions: Readonly<Record<string, string>> };
  readonly tables: RunTables;
  message(text: string): void;
}

export class StepCache {
  /** `folder` is shared by all runs; it is made when the first result is kept. */
  constructor(readonly folder: string) {}

  /** Step kind, version, seed, each parameter, each file a parameter names, each table read. */
  key(site: CacheSite, step: PlannedStep, params: unknown): CacheKey {
    const key: Record<string, string> = {
      "step kind": step.uses,
      "nonzero version": site.environment.versions.nonzero ?? "",
      seed: String(site.plan.settings.seed),
    };
    for (const [name, value] of Object.entries(params as Record<string, unknown>)) {
      key[`params ${name}`] = canonicalJson(value ?? null);
      for (const file of filesIn(value, site.plan.folder)) key[`file ${file}`] = sha256(Deno.readFileSync(file));
    }
    for (const name of Object.keys(step.kind.reads) as TableName[]) {
      key[`table ${name}`] = sha256(encodeTable(name, site.tables.table(name)));
    }
    return key;
  }

  /** The kept result of an equal step, or null after telling why there is none. */
  find(site: CacheSite, step: PlannedStep, key: CacheKey): StepResult | null {
    const last = join(this.folder, "last", `${site.plan.name}.${step.id}.json`);
    const entry = join(this.folder, digest(key));
    const result = existsSync(join(entry, "result.json")) ? readEntry(entry) : null;
    if (result !== null) site.message(`Step "${step.id}" is taken from the cache`);
    else {
      const before = orElse((): CacheKey => JSON.parse(Deno.readTextFileSync(last)), null);
      const reason = before === null ? "it has not run before" : changes(key, before);
      site.message(`Step "${step.id}" is not taken from the cache: ${reason}`);
    }
    makeFolder(join(this.folder, "last"));
    writeFileAtomic(last, new TextEncoder().encode(JSON.stringify(key)));
    return result;
  }

  /** Keeps a result; complete or invisible. */
  store(key: CacheKey, step: PlannedStep, result: StepResult): void {
    if (result.resources !== undefined || result.stop !== undefined) {
      throw new Error(`Cannot cache step "${step.id}": "${step.uses}" gives more than rows and outputs`);
    }
    const entry = join(this.folder, digest(key));
    const temporary = join(this.folder, `${TEMPORARY_PREFIX}${digest(key)}-${Deno.pid}`);
    removeIfThere(temporary);
    makeFolder(temporary);
    const files = Object.entries(result.tables ?? {}).map(([name, table]) => {
      const bytes = encodeTable(name as TableName, table), file = `${sha256(bytes)}.${name}.arrow`;
      writeSynced(join(temporary, file), [bytes]);
      return file;
    });
    const text = encodeExact({ files, outputs: result.outputs ?? {} });
    // Its first line is the digest of the rest.
    writeSynced(join(temporary, "result.json"), [new TextEncoder().encode(`${sha256(text)}\n${text}`)]);
    if (existsSync(entry)) removeIfThere(entry);
    writing(entry, 0, () => Deno.renameSync(temporary, entry));
  }
}

const digest = (key: CacheKey) => sha256(canonicalJson(key));

/** Null when a file is damaged or missing: result.json names them all, and their names carry their digests. */
function readEntry(entry: string): StepResult | null {
  try {
    const [digest, text] = Deno.readTextFileSync(join(entry, "result.json")).split("\n", 2);
    if (text === undefined || sha256(text) !== digest) return null;
    const { files, outputs } = decodeExact(text) as { files: string[]; outputs: StepResult["outputs"] };
    const tables: TableWrites = {};
    for (const file of files) {
      const bytes = Deno.readFileSync(join(entry, file));
      const [hash, name] = file.split(".");
      if (sha256(bytes) !== hash) return null;
      tables[name as TableName] = decodeTable(bytes);
    }
    return { tables, outputs };
  } catch {
    return null; // unreadable: the step runs again
  }
}

function changes(now: CacheKey, was: CacheKey): string {
  const names = [...new Set([...Object.keys(was), ...Object.keys(now)])].filter((name) => now[name] !== was[name]);
  const params = names.filter((name) => name.startsWith("params ")).map((name) => name.slice("params ".length));
  const others = names.filter((name) => !name.startsWith("params ")).map((name) => `${name} changed`);
  if (params.length > 0) others.unshift(`params changed: ${params.join(", ")}`);
  return others.join("; ") || "its stored result is gone or damaged";
}

/** Files that texts inside a parameter name, absolute or relative to the workflow's folder. */
function filesIn(value: unknown, folder: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => filesIn(item, folder));
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap((item) => filesIn(item, folder));
  if (typeof value !== "string" || value.length === 0 || value.length > 1024 || value.includes("\0")) return [];
  const path = isAbsolute(value) ? value : join(folder, value);
  return isFile(path) ? [path] : [];
}
