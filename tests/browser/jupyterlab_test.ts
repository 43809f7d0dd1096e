/** A real JupyterLab in a real browser: notebook 03 runs, and its charts are live. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findJupyter, writeKernel } from "../../workflows/explore/jupyter.ts";
import { findChromium, Page, until } from "./browser.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const NOTEBOOK = "03_why_is_my_loss_zero.ipynb";

const chromium = findChromium(), jupyter = findJupyter([ROOT]);
const missing = [...chromium ? [] : ["Chromium"], ...jupyter ? [] : ["JupyterLab"]];
const ignore = missing.length > 0 || Deno.build.os === "windows";

Deno.test({
  name: `JupyterLab runs notebook 03 and draws its charts with Vega${
    ignore ? ` (skipped: no ${missing.join(", no ")})` : ""
  }`,
  ignore,
  sanitizeOps: false, // the browser's socket
  sanitizeResources: false,
  async fn() {
    const data = await Deno.makeTempDir(), token = crypto.randomUUID();
    writeKernel(data, Deno.execPath());
    const server = new Deno.Command(jupyter!.program, {
      args: [
        ...jupyter!.args,
        "--no-browser",
        "--allow-root",
        "--ServerApp.ip=127.0.0.1",
        "--ServerApp.port=0",
        `--IdentityProvider.token=${token}`,
        `--ServerApp.root_dir=${ROOT}`,
        `--FileCheckpoints.checkpoint_dir=${join(data, "checkpoints")}`,
        "--LabApp.expose_app_in_browser=True",
      ],
      cwd: ROOT,
      env: { JUPYTER_PATH: data, JUPYTER_RUNTIME_DIR: join(data, "runtime"), JUPYTER_CONFIG_DIR: join(data, "config") },
      stdout: "null",
      stderr: "null",
    }).spawn();
    try {
      const port = await until(async () => {
        for (const { name } of Deno.readDirSync(join(data, "runtime"))) {
          if (name.endsWith(".json")) {
            return JSON.parse(await Deno.readTextFile(join(data, "runtime", name))).port as number;
          }
        }
        return null;
      }, 60);
      await using page = await Page.open(chromium!, { width: 1300, height: 1000 });
      await page.goto(`http://127.0.0.1:${port}/lab/tree/notebooks/${NOTEBOOK}?token=${token}`);
      const panel = `[...jupyterapp.shell.widgets("main")][0]`;
      await page.wait(`window.jupyterapp && ${panel}?.content?.widgets?.length > 5`, 60);
      await page.evaluate(`${panel}.sessionContext.ready.then(() => null)`);
      // What is committed must not pass for what is drawn now.
      await page.evaluate(`jupyterapp.commands.execute("notebook:clear-all-cell-outputs").then(() => null)`);
      await page.evaluate(`jupyterapp.commands.execute("notebook:run-all-cells").then(() => null)`);
      const code = `${panel}.content.widgets.filter((cell) => cell.model.type === "code")`;
      await page.wait(`${code}.every((cell) => cell.model.executionCount > 0)`, 120);
      const outputs = await page.evaluate<string[]>(
        `${code}.flatMap((cell) => Array.from({ length: cell.model.outputs.length }, (_, i) => cell.model.outputs.get(i).type))`,
      );
      assert(outputs.length >= 6 && !outputs.includes("error"), outputs.join(" "));
      await page.evaluate(`${code}[2].node.scrollIntoView()`);
      await page.wait(`document.querySelectorAll(".vega-embed .marks").length >= 1`, 60);
      const lines = await page.evaluate<number>(`document.querySelectorAll(".vega-embed").length`);
      assert(lines >= 1, "no live chart");
      const pictures = Deno.env.get("NONZERO_SCREENSHOTS");
      if (pictures) await page.screenshot(join(pictures, "jupyterlab.png"));
    } finally {
      server.kill("SIGTERM");
      await server.status;
      await Deno.remove(data, { recursive: true }).catch(() => {});
    }
  },
});
