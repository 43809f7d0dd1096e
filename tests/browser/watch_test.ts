/** The live page of a run in a real browser: new train steps come by themselves. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { serveLive } from "../../workflows/live/server.ts";
import { acquireLock } from "../../workflows/store/lock.ts";
import { fabricateRun, RUN_A, withRuns } from "../workflows/cli/fabricated_run.ts";
import { Page } from "./browser.ts";
import { CHROMIUM, OPTIONS, SKIPPED } from "./shown_page.ts";

const LINE = `document.getElementById("live").textContent`;

Deno.test({
  name: `the live page draws train steps as they come${SKIPPED}`,
  ...OPTIONS,
  fn: () =>
    withRuns(async (runs) => {
      const folder = fabricateRun(runs, RUN_A, { status: "running", finished: null });
      const server = serveLive({ runs, path: folder, port: 0, every: 50 });
      try {
        await using page = await Page.open(CHROMIUM!, {});
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

Deno.test({
  name: `the live page calls no run healthy that goes on again, and says so at its end${SKIPPED}`,
  ...OPTIONS,
  fn: () =>
    withRuns(async (runs) => {
      const folder = join(runs, RUN_A), server = serveLive({ runs, path: folder, port: 0, every: 50 });
      const healthy = `document.getElementById("findings").textContent.includes("Healthy")`;
      try {
        await using page = await Page.open(CHROMIUM!, {});
        await page.goto(server.address);
        await page.wait(`${healthy} && ${LINE} === "ok · train step 2"`);
        const lock = acquireLock(folder, new Date(0));
        fabricateRun(runs, RUN_A, { status: "running", finished: null }); // it is resumed
        await page.wait(`!${healthy} && ${LINE} === "live · train step 2"`);
        fabricateRun(runs, RUN_A);
        lock.release();
        await page.wait(`${healthy} && ${LINE} === "ok · train step 2"`);
        // What the server said of the end stands beside the name: the state alone would say less.
        assert.equal(await page.evaluate(`document.querySelector("h1 .status").textContent`), "ok, healthy");
        assert.deepEqual(page.errors, []);
      } finally {
        await server.close();
      }
    }),
});

Deno.test({
  name: `the live page of a log says since when it is quiet, and who does not answer any more${SKIPPED}`,
  ...OPTIONS,
  async fn() {
    const folder = await Deno.makeTempDir(), path = join(folder, "trl.log");
    const line = (step: number) => `{'loss': 0.01, 'grad_norm': 0.5, 'reward': 0.5, 'step': ${step}}\n`;
    await Deno.writeTextFile(path, line(1) + line(2));
    const written = new Date(Date.now() - 3_600_000);
    await Deno.utime(path, written, written);
    let server = serveLive({ runs: folder, path, port: 0, every: 50 });
    const port = Number(new URL(server.address).port);
    try {
      await using page = await Page.open(CHROMIUM!, {});
      await page.goto(server.address);
      await page.wait(`/^live · train step 2 · quiet since \\d+:\\d\\d$/.test(${LINE})`);
      await Deno.writeTextFile(path, line(3), { append: true });
      await page.wait(`${LINE} === "live · train step 3"`);
      await server.close();
      await page.wait(`${LINE}.includes("has ended")`);
      server = serveLive({ runs: folder, path, port, every: 50 });
      await page.wait(`${LINE}.includes("was started again")`);
    } finally {
      await server.close();
      await Deno.remove(folder, { recursive: true });
    }
  },
});

Deno.test({
  name: `the page of all runs counts those that run${SKIPPED}`,
  ...OPTIONS,
  fn: () =>
    withRuns(async (runs) => {
      const server = serveLive({ runs, port: 0, every: 50 });
      try {
        await using page = await Page.open(CHROMIUM!, {});
        await page.goto(server.address);
        await page.wait(`${LINE} === "live"`);
        assert.equal(await page.evaluate(`document.querySelectorAll("#runs tbody tr, #runs tr:has(td)").length`), 2);
        await Deno.remove(join(runs, RUN_A), { recursive: true });
        await page.wait(`document.querySelectorAll("#runs tr:has(td)").length === 1`);
        assert.equal(await page.evaluate(`document.querySelector("h1 .status").textContent`), "0 running");
        assert.deepEqual(page.errors, []);
      } finally {
        await server.close();
      }
    }),
});
