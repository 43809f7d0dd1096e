/** A run of MLflow's file store: `meta.yaml`, and beside it a file per metric, parameter and tag. @module */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { isFolder, orElse, textIfThere } from "../file_system.ts";
import { RUN_TAG } from "../tables/formats/mlflow.ts";
import type { Adapter, Source } from "./adapter.ts";
import type { Intake } from "./intake/intake.ts";
import { OwnMetrics } from "./intake/own_metrics.ts";
import { StepRows } from "./intake/step_rows.ts";
import { mlflowRun, takeParam } from "./intake/mlflow_run.ts";
import { wholeNumber } from "./source/scan_number.ts";

const MAX_META = 1 << 20, MAX_FILE = 1 << 26, MAX_NAMES = 4096;
/** What the machine is measured by, in steps of its own. */
const SYSTEM_METRICS = "system/";

export const MLFLOW: Adapter = {
  about: "a run of MLflow's file store: meta.yaml with metrics/, params/ and tags/ beside it",
  sniff: ({ name, folder }, text) =>
    folder !== null && name === "meta.yaml" && /^(run_id|run_uuid|experiment_id):/m.test(text ?? "") ? 0.97 : 0,
  async read(source: Source, intake: Intake) {
    const meta = await metaOf(source), id = meta["run_id"] ?? meta["run_uuid"], folder = source.folder!;
    if (id === undefined) return; // an experiment's: its runs lie in folders of their own
    if (meta["lifecycle_stage"] === "deleted") return intake.leave(source.path, "a run that was deleted in MLflow");
    const steps = new StepRows();
    for (const [name, text] of namedFiles(join(folder, "metrics"), intake)) {
      if (!name.startsWith(SYSTEM_METRICS)) steps.addSeries(name, points(name, text, intake));
    }
    if (textIfThere(join(folder, "tags", RUN_TAG)) !== null) {
      const own = new OwnMetrics();
      for (const [step, row] of steps.rows) for (const [name, value] of row) own.add(step, name, value);
      return own.finish(intake);
    }
    intake.nextRun(mlflowRun(meta["run_name"], id));
    for (const [name, text] of namedFiles(join(folder, "params"), intake)) takeParam(name, text, intake);
    steps.commit(intake);
  },
};

async function metaOf(source: Source): Promise<Readonly<Record<string, unknown>>> {
  const text = new TextDecoder().decode(await source.bytes(MAX_META)), meta: unknown = orElse(() => parse(text), null);
  if (meta !== null && typeof meta === "object") return meta as Record<string, unknown>;
  throw new SyntaxError(`Cannot read ${source.path} as a run of MLflow: it is no YAML mapping`);
}

/** Files below a folder by their way from there, which is the name of what they hold; texts in order of names. */
function* namedFiles(folder: string, intake: Intake): Generator<readonly [name: string, text: string]> {
  if (!isFolder(folder)) return;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).sort();
  if (paths.length > MAX_NAMES) intake.leave(folder, `the first ${MAX_NAMES} of ${paths.length} names are read`);
  for (const path of paths.slice(0, MAX_NAMES)) {
    const name = path.slice(folder.length + 1).replaceAll("\\", "/"), { size } = Deno.statSync(path);
    if (size > MAX_FILE) intake.leave(path, `it has ${size} bytes, want at most ${MAX_FILE}`);
    else yield [name, Deno.readTextFileSync(path)];
  }
}

/** Lines of `milliseconds value step`; the last one may be cut. */
function points(name: string, text: string, intake: Intake): { step: number; value: number }[] {
  return text.split("\n").flatMap((line, i) => {
    if (line.trim() === "") return [];
    const [, value, step] = line.trim().split(" ").map(wholeNumber);
    if (typeof value === "number" && typeof step === "number") return [{ step, value }];
    intake.skip(i + 1, `a line of metric ${name} that is not "milliseconds value step"`);
    return [];
  });
}
