/**
 * Every command, in the order of the help; each is loaded when it is asked for, so that a run starts fast. Deno would read
 * the files of all of them at every start, were `lazy-dynamic-imports` not in deno.json.
 * @module
 */
import type { Command, WrittenCommand } from "./command.ts";

const FILES = {
  start: async () => (await import("./start.ts")).start,
  run: async () => (await import("./run.ts")).run,
  check: async () => (await import("./check.ts")).check,
  diagnose: async () => (await import("./diagnose.ts")).diagnose,
  "doctor-page": async () => (await import("./doctor_page.ts")).doctorPage,
  runs: async () => (await import("./runs.ts")).runs,
  report: async () => (await import("./report.ts")).report,
  watch: async () => (await import("./watch.ts")).watch,
  sample: async () => (await import("./sample.ts")).sample,
  export: async () => (await import("./export.ts")).exportRun,
  cron: async () => (await import("./cron.ts")).cron,
  pull: async () => (await import("./pull.ts")).pull,
  data: async () => (await import("./data.ts")).data,
  new: async () => (await import("./new.ts")).newThing,
  notebook: async () => (await import("./notebook.ts")).notebook,
  env: async () => (await import("./env.ts")).env,
  install: async () => (await import("./install.ts")).install,
  bench: async () => (await import("./bench.ts")).bench,
  goldens: async () => (await import("./goldens.ts")).goldens,
  test: async () => (await import("./test.ts")).test,
  ok: async () => (await import("./ok.ts")).ok,
} as const satisfies Record<string, () => Promise<WrittenCommand>>;

export type CommandName = keyof typeof FILES;

export const COMMANDS = Object.fromEntries(
  Object.entries(FILES).map(([name, load]) => [name, async () => ({ name, ...await load() })]),
) as Readonly<Record<CommandName, () => Promise<Command>>>;
