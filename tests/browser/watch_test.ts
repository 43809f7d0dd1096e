/** The live page of a run in a real browser: new train steps come by themselves. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { serveLive } from "../../workflows/live/server.ts";
import { fabricateRun, RUN_A, withRuns } from "../workflows/cli/fabricated_run.ts";
import { findChromium, Page } from "./browser.ts";

const chromium = findChromium();

Deno.test({
  name: `the live page draws train steps as they come${chromium === null ? " (skipped: no Chromium)" : ""}`,
  ignore: chromium === null,
  sanitizeOps: false, // the browser's socket
  sanitizeResources: false,
  fn: () =>
    withRuns(async (runs) => {
      const folder = fabricateRun(runs, RUN_A, { status: "running", finished: null });
      const server = serveLive({ runs, path: folder, port: 0, every: 50 });
      try {
        await using page = await Page.open(chromium!, {});
        await page.goto(server.address);
        await page.wait(`document.getElementById("live").textContent.includes("train step 2")`);
        const events = Array.from({ length: 8 }, (_, i) => ({
          event: "train_step",
          train_step: i + 3,
          phase: "rollout",
          reward: 1 - i / 10,
          accuracy: 1,
          entropy: 1,
          loss: 0,
        }));
        await Deno.writeTextFile(
          join(folder, "events.jsonl"),
          events.map((one) => JSON.stringify(one) + "\n").join(""),
        );
        await page.wait(`document.getElementById("live").textContent.includes("train step 10")`);
        await page.evaluate(`document.getElementById("chart-entropy").scrollIntoView()`);
        await page.wait(`document.querySelector("#chart-entropy svg").textContent.includes("10")`);
        assert.deepEqual(page.errors, []);
      } finally {
        await server.close();
      }
    }),
});
