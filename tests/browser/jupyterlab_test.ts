/** A real JupyterLab, as `notebook` starts it, in a real browser: notebook 03 draws live charts; the stop button stops a run and not the kernel. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findJupyter } from "../../workflows/explore/jupyter.ts";
import { findChromium, Page, until } from "./browser.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const chromium = findChromium(), jupyter = findJupyter([ROOT]);
const missing = [...chromium ? [] : ["Chromium"], ...jupyter ? [] : ["JupyterLab"]];
const options = {
  ignore: missing.length > 0 || Deno.build.os === "windows",
  sanitizeOps: false, // the browser's socket
  sanitizeResources: false,
};
const skipped = options.ignore ? ` (skipped: no ${missing.join(", no ")})` : "";

/** The notebook in front, and its cells of code. */
const PANEL = `[...jupyterapp.shell.widgets("main")][0]`;
const CODE = `${PANEL}.content.widgets.filter((cell) => cell.model.type === "code")`;
const command = (name: string) => `jupyterapp.commands.execute("${name}").then(() => null)`;
/** Kinds of the outputs of all cells. */
const KINDS =
  `${CODE}.flatMap((cell) => Array.from({ length: cell.model.outputs.length }, (_, i) => cell.model.outputs.get(i).type))`;

/** Opens a notebook whose kernel is ready and whose outputs are cleared: what is committed must not pass for what is new. */
async function withNotebook(name: string, body: (page: Page) => Promise<void>): Promise<void> {
  const data = await Deno.makeTempDir(), token = crypto.randomUUID();
  const server = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "-A", "-q", "--no-check", join(ROOT, "workflows/cli/main.ts"), "notebook", name, "--no-browser", "--"],
      "--ServerApp.ip=127.0.0.1",
      "--ServerApp.port=0",
      `--IdentityProvider.token=${token}`,
      `--ServerApp.root_dir=${ROOT}`,
      `--FileCheckpoints.checkpoint_dir=${join(data, "checkpoints")}`,
      "--LabApp.expose_app_in_browser=True",
    ],
    cwd: ROOT,
    env: { JUPYTER_RUNTIME_DIR: join(data, "runtime"), JUPYTER_CONFIG_DIR: join(data, "config") },
    stdout: "null",
    stderr: "null",
  }).spawn();
  try {
    const port = await until(async () => {
      for (const { name } of Deno.readDirSync(join(data, "runtime"))) {
        if (!/^jpserver-.*\.json$/.test(name)) continue;
        return JSON.parse(await Deno.readTextFile(join(data, "runtime", name))).port as number;
      }
      return null;
    }, 60);
    await using page = await Page.open(chromium!, { width: 1300, height: 1000 });
    await page.goto(`http://127.0.0.1:${port}/lab/tree/notebooks/${name}?token=${token}`);
    await page.wait(`window.jupyterapp && ${PANEL}?.content?.widgets?.length > 3`, 60);
    await page.evaluate(`${PANEL}.sessionContext.ready.then(() => null)`);
    await page.evaluate(command("notebook:clear-all-cell-outputs"));
    await body(page);
  } finally {
    server.kill("SIGTERM");
    await server.status;
    await Deno.remove(data, { recursive: true }).catch(() => {});
  }
}

Deno.test({
  name: `JupyterLab runs notebook 03 and draws its charts with Vega${skipped}`,
  ...options,
  fn: () =>
    withNotebook("03_why_is_my_loss_zero.ipynb", async (page) => {
      await page.evaluate(command("notebook:run-all-cells"));
      await page.wait(`${CODE}.every((cell) => cell.model.executionCount > 0)`, 120);
      const outputs = await page.evaluate<string[]>(KINDS);
      assert(outputs.length >= 6 && !outputs.includes("error"), outputs.join(" "));
      await page.evaluate(`${CODE}[2].node.scrollIntoView()`);
      await page.wait(`document.querySelectorAll(".vega-embed .marks").length >= 1`, 60);
      const pictures = Deno.env.get("NONZERO_SCREENSHOTS");
      if (pictures) await page.screenshot(join(pictures, "jupyterlab.png"));
    }),
});

Deno.test({
  name: `JupyterLab's stop button stops the run of a cell, saved, and leaves the kernel with what it knows${skipped}`,
  ...options,
  fn: () =>
    withNotebook("01_first_run.ipynb", async (page) => {
      const set = (cell: number, source: string) =>
        page.evaluate(`${CODE}[${cell}].model.sharedModel.setSource(${JSON.stringify(source)})`);
      await set(
        0,
        `import { runWorkflow } from "../workflows/mod.ts";
const kept = 41;
const result = await runWorkflow("grpo", { params: { warm_updates: 100, train_steps: 5000 }, charts: ["reward"] });
console.log(result.status, result.exitCode, result.checkpoint !== null);`,
      );
      await set(1, "console.log(kept + 1, result.status);");
      await page.evaluate(`${PANEL}.content.activeCellIndex = ${PANEL}.content.widgets.indexOf(${CODE}[0])`);
      page.evaluate(command("notebook:run-cell")).catch(() => {});
      await page.wait(`document.querySelectorAll(".vega-embed .marks").length >= 1`, 120);
      await page.evaluate(`${PANEL}.sessionContext.session.kernel.interrupt().then(() => null)`);
      await page.wait(`${CODE}[0].model.executionCount > 0`, 60);
      const printed = (cell: number) =>
        page.evaluate<string>(
          `JSON.stringify(${CODE}[${cell}].model.outputs.toJSON().filter((o) => o.output_type !== "display_data"))`,
        );
      assert.match(await printed(0), /interrupted 130 true/);
      await page.evaluate(`${PANEL}.content.activeCellIndex = ${PANEL}.content.widgets.indexOf(${CODE}[1])`);
      await page.evaluate(command("notebook:run-cell"));
      await page.wait(`${CODE}[1].model.outputs.length > 0`);
      assert.match(await printed(1), /42 interrupted/);
    }),
});
