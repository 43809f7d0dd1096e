/** A job as `cron` makes it of a workflow file, for the tests of the targets. @module */
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { type Job, jobOf } from "../../../workflows/cron/job.ts";

/** The head of a workflow with entries of `on.schedule`, as lines of YAML behind the dash. */
export function scheduled(entries: readonly string[], name = "nightly"): string {
  const schedule = entries.map((entry) => `    - { ${entry} }\n`).join("");
  return `name: ${name}\non:\n  schedule:\n${schedule}steps:\n  - { uses: load_prompts }\n`;
}

/** Paths with a space, a quote, a percent sign and a backslash. */
export const AWKWARD = `/home/a b/100% "sure"/back\\slash`;

export function someJob(entries: readonly string[], more: Partial<Job> = {}): Job {
  const file = more.file ?? "/home/me/nightly.yaml", text = scheduled(entries, more.name);
  return {
    ...jobOf(parseWorkflow(text, file), {
      file,
      deno: "/usr/bin/deno",
      denoArguments: ["run", "-q", "--allow-read", "--config", "/opt/nonzero/deno.json", "/opt/nonzero/main.ts", "run"],
      environment: { NO_COLOR: "1" },
      project: "/opt/nonzero",
      runs: "/opt/nonzero/runs",
      asksTrust: false,
    }),
    ...more,
  };
}

/** Whether a program is on this machine. */
export function has(program: string): boolean {
  try {
    return new Deno.Command(program, { args: ["--version"], stdout: "null", stderr: "null" }).outputSync() !== null;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
