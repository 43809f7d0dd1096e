/** The page of a run in a real browser: hover, zoom, click, keys, smoothing, light and dark, 400 pixels. */
import assert from "node:assert/strict";
import { renderReport, type ReportData } from "../../notebooks/pages/report.ts";
import { drawing, OPTIONS, SKIPPED, text, withPage } from "./shown_page.ts";

const metrics = Array.from({ length: 300 }, (_, i) => ({
  train_step: i + 1,
  phase: i < 200 ? "sft" : "rollout",
  loss: i < 200 ? 3 - i / 100 : Math.sin(i) / 100,
  reward: i < 200 ? null : i / 300,
  entropy: 2 - i / 200,
}));
const stepCompletions = [210, 250, 300].flatMap((train_step) =>
  [0, 1].map((k) => ({
    train_step,
    prompt: "1+1=",
    text: `<b>${train_step}</b>`,
    reward: k,
    advantage: k - 0.5,
    correct: k === 1,
  }))
);
const DATA: ReportData = {
  name: "page",
  about: "A page.",
  runId: "r",
  status: "ok",
  facts: {},
  evaluations: [],
  outputs: [],
  findings: [],
  tables: { metrics },
  stepCompletions,
  completions: stepCompletions,
  sampling: [],
  workflow: "name: page\n",
  versions: {},
};

const redrawn = "document.body.dataset.drawn";

Deno.test({
  name: `the report's charts show a row, zoom together and show the completions of a train step${SKIPPED}`,
  ...OPTIONS,
  fn: async () =>
    await withPage(await renderReport(DATA), {}, async (page) => {
      const box = await drawing(page, "reward"), y = box.y + box.height / 2;
      await page.mouse("mouseMoved", box.x + box.width / 2, y);
      await page.wait(`!document.getElementById("tip").hidden`);
      const tip = await page.evaluate<string>(text("tip"));
      assert.match(tip, /train step 25[01]reward {2}0\.83/);
      let lines = 0; // The browser says some frames after the scrolling which charts are in its window.
      for (let i = 0; i < 100 && lines < 2; i++) {
        await page.mouse("mouseMoved", box.x + box.width / 2, y + i % 2);
        lines = await page.evaluate<number>(`document.querySelectorAll(".crosshair:not([hidden])").length`);
      }
      assert(lines >= 2, "the line stands in one chart alone");
      await page.mouse("mousePressed", box.x + 0.5 * box.width, y, true);
      await page.mouse("mouseReleased", box.x + 0.5 * box.width, y);
      await page.wait(`${text("step-title")}.includes("250")`);
      assert.equal(await page.evaluate(`document.querySelectorAll("#step-completions tr").length`), 2);
      assert.equal(
        await page.evaluate(`document.querySelector("#step-completions td:nth-child(2)").textContent`),
        "<b>250</b>",
      );
      const again = await drawing(page, "reward"), row = again.y + again.height / 2;
      await page.mouse("mouseMoved", again.x + 0.25 * again.width, row);
      await page.mouse("mousePressed", again.x + 0.25 * again.width, row, true);
      await page.mouse("mouseMoved", again.x + 0.5 * again.width, row, true);
      await page.mouse("mouseReleased", again.x + 0.75 * again.width, row);
      await page.wait(`${text("range")}.startsWith("train steps 22")`);
      await page.evaluate(`document.getElementById("chart-loss").scrollIntoView()`);
      // The warm start is out of what is shown: the charts of both phases have one panel.
      await page.wait(`document.querySelectorAll("#chart-loss g.role-scope.cell > g").length === 0`);
      await page.evaluate(`document.getElementById("reset").click()`);
      await page.wait(`document.querySelectorAll("#chart-loss g.role-scope.cell > g").length === 2`);
    }),
});

Deno.test({
  name: `the report's charts are moved through by keys, smoothed and set on a logarithmic scale${SKIPPED}`,
  ...OPTIONS,
  fn: async () =>
    await withPage(await renderReport(DATA), { width: 400, dark: true }, async (page) => {
      await page.evaluate(`document.getElementById("chart-reward").focus()`);
      for (let i = 0; i < 3; i++) await page.press("ArrowRight");
      assert.match(await page.evaluate<string>(text("tip")), /train step 20[1-4]/);
      await page.press("Enter");
      await page.wait(`${text("step-title")}.includes("210, the nearest")`);
      const path = `document.querySelector("#chart-reward path[stroke-width='2']").getAttribute("d")`;
      await drawing(page, "reward");
      const before = await page.evaluate<string>(path);
      const set = (id: string, change: string, event: string) =>
        page.evaluate(
          `(() => { const e = document.getElementById("${id}"); ${change}; e.dispatchEvent(new Event("${event}")); })()`,
        );
      await set("smooth", "e.value = 40", "input");
      await page.wait(`${redrawn} > 1 && ${path} !== ${JSON.stringify(before)}`);
      const smooth = await page.evaluate<string>(path);
      await set("log", "e.checked = true", "change");
      await page.wait(`${path} !== ${JSON.stringify(smooth)}`);
      assert.match(
        await page.evaluate<string>(`document.querySelector("#chart-reward svg").outerHTML`),
        /var\(--first\)/,
      );
      const width = await page.evaluate<number>(`document.documentElement.scrollWidth`);
      assert(width <= 400, `the page is ${width} wide`);
    }),
});

Deno.test({
  name: `a click on a completion of the report's groups shows its text${SKIPPED}`,
  ...OPTIONS,
  fn: async () => {
    const completions = [0, 1].flatMap((prompt_id) =>
      [0, 1, 2].map((sample) => ({
        train_step: 3,
        prompt_id,
        sample,
        prompt: "2+2=",
        text: `told ${prompt_id}${sample}`,
        reward: sample,
      }))
    );
    await withPage(await renderReport({ ...DATA, tables: { completions } }), {}, async (page) => {
      await page.evaluate(`document.getElementById("chart-groups").scrollIntoView()`);
      await page.wait(`document.querySelector("#chart-groups .live path[aria-roledescription='rect mark']")`);
      const shown = `[...document.querySelectorAll("#chart-groups text")].map((e) => e.textContent).join(" ")`;
      assert.match(await page.evaluate<string>(shown), /told 00/);
      const cell = await page.evaluate<{ x: number; y: number }>(
        `(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }))([...document.querySelectorAll("#chart-groups .live path[aria-roledescription='rect mark']")].at(-1).getBoundingClientRect())`,
      );
      await page.mouse("mouseMoved", cell.x, cell.y);
      await page.mouse("mousePressed", cell.x, cell.y, true);
      await page.mouse("mouseReleased", cell.x, cell.y);
      await page.wait(`${shown}.includes("told 12")`);
    });
  },
});
