/** `notebook`: opens the notebooks in JupyterLab with Deno's kernel, or runs them without it. @module */
import { delimiter, dirname, join } from "node:path";
import { isFile } from "../../data/file_system.ts";
import { CellError, executeNotebook } from "../explore/execute_notebook.ts";
import { findJupyter, installLine, writeKernel } from "../explore/jupyter.ts";
import { ensureConfig } from "../explore/notebook_config.ts";
import { callerFolder, pathArgument, PROJECT, shownPath } from "../terminal/caller.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { stderr, stdout } from "../terminal/terminal.ts";
import { defineCommand } from "./command.ts";
import { readPort } from "./read_port.ts";

export const notebook = defineCommand({
  about: "Open the notebooks in JupyterLab with Deno's kernel, or run them without it",
  usage: "[FILE] [--no-browser] [--port N] [-- JUPYTERLAB'S OWN]   |   notebook --execute FILE...",
  words: [0, Infinity],
  options: {
    execute: { about: "run every cell from a clean state and write what they show into the file; wants no Jupyter" },
    "no-browser": { about: "print the address, open nothing" },
    port: { about: "where JupyterLab listens on this machine (default: 8888, or the next that is free)", value: "N" },
  },
  examples: ["03_why_is_my_loss_zero", "--no-browser -- --ServerApp.ip=0.0.0.0"],
  async run(words, { execute, "no-browser": quiet, port }) {
    const files = words.filter((word) => !word.startsWith("-")).map(notebookFile);
    const more = words.filter((word) => word.startsWith("-"));
    if (execute) return await executeAll(files, more);
    if (files.length > 1) throw new UsageError("Cannot open several notebooks at once: want one, or --execute");
    const listens = port === undefined ? [] : [`--port=${readPort(port)}`];
    const jupyter = findJupyter([callerFolder(), PROJECT]);
    if (jupyter === null) {
      stderr.line("Cannot open notebooks: there is no JupyterLab on this machine; install it with");
      stderr.line(`  ${installLine()}`);
      stderr.line("and run this command again. VS Code opens them as they are, with its Jupyter extension.");
      return 1;
    }
    if (jupyter.version < OLDEST) {
      stderr.line(
        `JupyterLab ${jupyter.version} is older than what these notebooks are tried with; for one of ${OLDEST} or ` +
          `later: ${installLine()}`,
      );
    }
    const isRoot = Deno.build.os !== "windows" && Deno.uid() === 0;
    if (isRoot) {
      stderr.line("You are root, which JupyterLab refuses unless it is told: it is started with --allow-root");
    }
    if (files[0]) prepareFolder(dirname(files[0]));
    const data = join(PROJECT, ".jupyter");
    writeKernel(data, Deno.execPath());
    const args = [
      ...jupyter.args,
      files[0] ?? join(PROJECT, "notebooks"),
      ...quiet ? ["--no-browser"] : [],
      ...listens,
      ...isRoot ? ["--allow-root"] : [],
      ...more,
    ];
    const command = new Deno.Command(jupyter.program, {
      args,
      cwd: PROJECT,
      clearEnv: true,
      env: labEnvironment(data),
    });
    return await untilItEnds(command.spawn());
  },
});

/** Elsewhere than in the project, Deno's kernel finds no libraries of it without a deno.json. */
function prepareFolder(folder: string): void {
  try {
    const written = ensureConfig(folder, PROJECT);
    if (written !== null) stderr.line(`Wrote ${shownPath(written)}: by it the kernel finds what Nonzero imports`);
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message) : error;
  }
}

/** The first major version of JupyterLab that is tried: it draws Vega-Lite 5 and has the kernel's interrupt. */
const OLDEST = 4;

/** JupyterLab asks at Ctrl-C whether to stop, and is asked itself: this program goes when it has gone. */
async function untilItEnds(child: Deno.ChildProcess): Promise<number> {
  const listeners = { SIGINT: () => {}, SIGTERM: () => child.kill("SIGTERM") };
  const signals = (["SIGINT", "SIGTERM"] as const).filter((name) => Deno.build.os !== "windows" || name === "SIGINT");
  for (const name of signals) Deno.addSignalListener(name, listeners[name]);
  try {
    return (await child.status).code;
  } finally {
    for (const name of signals) Deno.removeSignalListener(name, listeners[name]);
  }
}

/** Ours, where kernels look for it first; without the folder of the task, to which paths in a cell are not relative. */
function labEnvironment(data: string): Record<string, string> {
  const { INIT_CWD: _, ...env } = Deno.env.toObject();
  return { ...env, JUPYTER_PATH: [data, env["JUPYTER_PATH"]].filter(Boolean).join(delimiter) };
}

function notebookFile(typed: string): string {
  const path = pathArgument(typed);
  const there = [path, join(PROJECT, "notebooks", typed), join(PROJECT, "notebooks", `${typed}.ipynb`)].find(isFile);
  if (there?.endsWith(".ipynb")) return there;
  throw new UsageError(`Cannot open "${typed}": ${there ? "it is no notebook (.ipynb)" : "there is no such notebook"}`);
}

async function executeAll(files: readonly string[], more: readonly string[]): Promise<number> {
  if (more.length > 0) throw new UsageError(`Cannot pass ${more.join(" ")} on: --execute starts no JupyterLab`);
  if (files.length === 0) throw new UsageError("Cannot execute: want the notebooks to run");
  let failed = 0;
  for (const path of files) {
    const started = performance.now(), shown = shownPath(path);
    try {
      const outputs = await executeNotebook(path, { config: join(PROJECT, "deno.json"), keep: true, shown });
      const pictures = outputs.flat().filter((output) => "image/png" in (output["data"] as object ?? {})).length;
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      stdout.line(`${shown}: ${outputs.length} cells, ${pictures} charts, ${seconds} s`);
    } catch (error) {
      if (!(error instanceof CellError || error instanceof SyntaxError)) throw error;
      stderr.line(error.message);
      failed++;
    }
  }
  return failed === 0 ? 0 : 1;
}
