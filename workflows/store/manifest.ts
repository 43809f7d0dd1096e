/** run.json: the manifest of a run, replaced as a whole at every change. @module */
import { join } from "node:path";
import { RUN_FILES, RUN_MANIFEST, type RunManifest, type RunManifestInput } from "../../data/run_folder.ts";
import { reasonOf, writeFileAtomic } from "./write_file.ts";

/** Checks and writes the manifest; the file is the old one or the new one, never half. */
export function writeManifest(folder: string, manifest: RunManifestInput, { sync = false } = {}): void {
  const text = JSON.stringify(RUN_MANIFEST.parse(manifest), null, 2) + "\n";
  writeFileAtomic(join(folder, RUN_FILES.manifest), new TextEncoder().encode(text), { sync });
}

/** Reads the manifest of a run folder; the error names the file. */
export function readManifest(folder: string): RunManifest {
  const path = join(folder, RUN_FILES.manifest);
  let value: unknown;
  try {
    value = JSON.parse(Deno.readTextFileSync(path));
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) {
      throw new Error(`Cannot open run ${folder}: it has no ${RUN_FILES.manifest}; is this a run's folder?`, { cause });
    }
    const what = cause instanceof SyntaxError ? "is no JSON" : `cannot be read: ${reasonOf(cause)}`;
    throw new SyntaxError(`Cannot open run ${folder}: its ${RUN_FILES.manifest} ${what}`, { cause });
  }
  const parsed = RUN_MANIFEST.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw new SyntaxError(
    `Cannot open run ${folder}: ${RUN_FILES.manifest} at "${issue.path.join(".")}": ${issue.message}`,
  );
}
