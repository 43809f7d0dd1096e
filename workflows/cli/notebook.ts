/** `notebook`: opens the notebooks in JupyterLab with Deno's kernel, or runs them without it. @module */
import { delimiter, join } from "node:path";
import { isFile } from "../../data/file_system.ts";
import { CellError, executeNotebook } from "../explore/execute_notebook.ts";
import { findJupyter, installLine, writeKernel } from "../explore/jupyter.ts";
import { callerFolder, pathArgument, PROJECT, shownPath } from "../terminal/caller.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { stderr, stdout } from "../terminal/terminal.ts";
import { defineCommand } from "./command.ts";

export const notebook = defineCommand({
  about: "Open the notebooks in JupyterLab with Deno's kernel, or run them without it",
  usage: "[FILE] [--no-browser] [--port N]   |   notebook --execute FILE...",
  words: [0, Infinity],
  options: {
    execute: { about: "run every cell from a clean state and write what they show into the file; wants no Jupyter" },
    "no-browser": { about: "print the address, open nothing" },
    port: { about: "where JupyterLab listens on this machine (default: 8888, or the next that is free)", value: "N" },
  },
  async run(words, { execute, "no-browser": quiet, port }) {
    const files = words.map(notebookFile);
    if (execute) return await executeAll(files);
    if (files.length > 1) throw new UsageError("Cannot open several notebooks at once: want one, or --execute");
    if (port !== undefined && !/^\d{1,5}$/.test(port)) {
      throw new UsageError(`Cannot listen at port "${port}": want a number`);
    }
    const jupyter = findJupyter([callerFolder(), PROJECT]);
    if (jupyter === null) {
      stderr.line("Cannot open notebooks: there is no JupyterLab on this machine; install it with");
      stderr.line(`  ${installLine()}`);
      stderr.line("and run this command again. VS Code opens them as they are, with its Jupyter extension.");
      return 1;
    }
    const data = join(PROJECT, ".jupyter");
    writeKernel(data, Deno.execPath());
    const first = files[0] === undefined ? join(PROJECT, "notebooks") : files[0];
    const args = [...jupyter.args, first, ...quiet ? ["--no-browser"] : [], ...port ? [`--port=${port}`] : []];
    const path = [data, Deno.env.get("JUPYTER_PATH")].filter(Boolean).join(delimiter);
    const child = new Deno.Command(jupyter.program, { args, cwd: PROJECT, env: { JUPYTER_PATH: path } }).spawn();
    return (await child.status).code;
  },
});

function notebookFile(typed: string): string {
  const path = pathArgument(typed);
  const there = [path, join(PROJECT, "notebooks", typed), join(PROJECT, "notebooks", `${typed}.ipynb`)].find(isFile);
  if (there?.endsWith(".ipynb")) return there;
  throw new UsageError(`Cannot open "${typed}": ${there ? "it is no notebook (.ipynb)" : "there is no such notebook"}`);
}

async function executeAll(files: readonly string[]): Promise<number> {
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
