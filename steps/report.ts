/** The step `report`: the run so far as one HTML page in the run folder. @module */
import { join } from "node:path";
import { z } from "zod";
import { textIfThere } from "../data/file_system.ts";
import { replaceFile } from "../data/hub/atomic_write.ts";
import { reportFindings, reportRows, sampleRows, samplingRows } from "./metrics/report_rows.ts";
import { defineStep, type StepContext } from "./step.ts";

export const report = defineStep({
  about: "Write the report of the run so far as one HTML page",
  params: z.strictObject({ completions: z.int().min(0).default(16).describe("sampled completions to show") }),
  reads: {},
  writes: {},
  outputs: z.object({ file: z.string().describe("absolute path of the page") }),
  async run({ completions }, context) {
    const file = join(context.folders.run, "report.html");
    const { renderReport } = await import("../notebooks/pages/report.ts"); // Vega costs a quarter of a second to load
    const html = await renderReport({
      name: context.runId,
      about: `The run up to train step ${context.trainStep}.`,
      runId: context.runId,
      status: "running",
      facts: facts(context),
      evaluations: [],
      outputs: [],
      findings: reportFindings(context.history("findings", Number.MAX_SAFE_INTEGER)),
      tables: { metrics: reportRows(context.history("metrics", Number.MAX_SAFE_INTEGER)) },
      completions: sampleRows(context.table("completions"), completions),
      sampling: samplingRows(context.table("settings")),
      workflow: textIfThere(join(context.folders.run, "workflow.yaml")) ?? "",
      versions: {},
    });
    replaceFile(file, [new TextEncoder().encode(html)], { sync: false });
    return { outputs: { file } };
  },
});

function facts(context: StepContext): Record<string, string> {
  return {
    seed: String(context.seed),
    device: context.device,
    backend: context.backend,
    threads: String(context.threads),
  };
}
