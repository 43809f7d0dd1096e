/** Pages in a real browser where it is easy to fail: odd texts, drags that end elsewhere, paper, small screens. */
import assert from "node:assert/strict";
import { comparedRows } from "../../notebooks/comparison.ts";
import { renderComparison } from "../../notebooks/pages/compare.ts";
import { renderReport, type ReportData } from "../../notebooks/pages/report.ts";
import { drawing, OPTIONS, SKIPPED, text, withPage } from "./shown_page.ts";

const metrics = Array.from({ length: 100 }, (_, i) => ({
  train_step: 10 * i + 10,
  phase: "rollout",
  loss: i % 20 === 7 ? NaN : Math.sin(i) / 100,
  reward: i === 30 ? -Infinity : i / 100,
  entropy: 2 - i / 200,
}));
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
  completions: [],
  sampling: [],
  workflow: "name: page\n",
  versions: {},
};

const ODD = [
  "</script><script>globalThis.ran = 1</script>",
  '<img src="http://127.0.0.1:9/x.png" onerror="globalThis.ran = 2">',
  "🦕 e\u0301",
  "שלום 2+2",
  "a".repeat(20_000),
  "<!-- <script>",
];

Deno.test({
  name:
    `a page shows texts that are programs, emoji, written from the right or very long, and asks for nothing${SKIPPED}`,
  ...OPTIONS,
  fn: async () => {
    const stepCompletions = ODD.map((odd, k) => ({
      ...{ train_step: 1000, prompt: odd, text: odd, advantage: k, truncated: k === 4 },
      ...{ reward: [NaN, Infinity, null, 0.5, -3.469e-18, 1][k], "reward.<a>": k, "reward.b": 0 },
    }));
    const findings = ODD.map((odd) => ({ cause: odd, severity: "info", message: odd, hint: odd, evidence: [{ odd }] }));
    const html = await renderReport({
      ...{ ...DATA, name: ODD[0]!, about: ODD[1]!, findings, stepCompletions, completions: stepCompletions },
      outputs: ODD.map((odd) => ({ step: odd, text: odd })),
      facts: Object.fromEntries(ODD.map((odd) => [odd, odd])),
      workflow: ODD.join("\n"),
    });
    await withPage(html, {}, async (page) => {
      assert.equal(await page.evaluate("globalThis.ran ?? null"), null);
      const loaded = await page.evaluate<string[]>(`performance.getEntriesByType("resource").map(({ name }) => name)`);
      assert.deepEqual(loaded, []);
      const column = (name: string) =>
        page.evaluate<string[]>(
          `(() => { const at = [...document.querySelectorAll("#step-columns th")].findIndex((th) => th.textContent === "${name}");
          return [...document.querySelectorAll("#step-completions tr")].map((tr) => tr.children[at].firstChild.textContent); })()`,
        );
      const cut = (text: string) => text.length > 1200 ? `${text.slice(0, 1200)}…` : text;
      assert.deepEqual(await column("completion"), ODD.map(cut));
      assert.deepEqual(await column("reward"), ["NaN", "Infinity", "–", "0.5", "0", "1"]);
      assert.deepEqual(await column("<a>"), ["0", "1", "2", "3", "4", "5"]);
      assert.equal(await page.evaluate(`document.querySelectorAll("#step-completions .cut").length`), 1);
      const heights = await page.evaluate<number[]>(
        `[...document.querySelectorAll("#step-completions tr")].map((tr) => tr.clientHeight)`,
      );
      assert(Math.max(...heights) < 400, "a long completion scrolls by itself");
      assert.equal(
        await page.evaluate(`getComputedStyle(document.querySelectorAll("#step-completions code")[6]).direction`),
        "rtl",
      );
      const wide = await page.evaluate<string[]>(
        `[...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > innerWidth && !e.closest(".scroll, pre, svg")).map((e) => e.outerHTML.slice(0, 80))`,
      );
      assert.deepEqual(wide, []);
    });
  },
});

Deno.test({
  name: `a drag that ends outside its chart zooms to the side, one between two train steps does not${SKIPPED}`,
  ...OPTIONS,
  fn: async () =>
    await withPage(await renderReport(DATA), {}, async (page) => {
      const box = await drawing(page, "reward"), y = box.y + box.height / 2;
      const drag = async (from: number, to: number, over: number) => {
        await page.mouse("mouseMoved", from, y);
        await page.mouse("mousePressed", from, y, true);
        await page.mouse("mouseMoved", to, over, true);
        await page.mouse("mouseReleased", to, over);
      };
      const narrow = box.width / 99;
      await drag(box.x + 50.1 * narrow, box.x + 50.9 * narrow, y); // not 5 pixels: a click
      assert.equal(await page.evaluate(text("range")), "all train steps");
      await drag(box.x + 50.4 * narrow, box.x + box.width + 300, box.y + box.height + 150);
      await page.wait(`/^train steps 51[45] to 1000$/.test(${text("range")})`);
      await page.evaluate(`nonzero.zoom([10, 30])`);
      const wide = await drawing(page, "reward");
      await drag(wide.x + 0.1 * wide.width, wide.x + 0.4 * wide.width, wide.y + wide.height / 2);
      assert.equal(await page.evaluate(text("range")), "train steps 10 to 30");
      await page.mouse("mouseMoved", box.x + 0.5 * box.width, y);
      assert.equal(await page.evaluate(`document.querySelectorAll(".brush:not([hidden])").length`), 0);
    }),
});

Deno.test({
  name: `keys zoom around the line, go to the ends, and every control is reached by Tab${SKIPPED}`,
  ...OPTIONS,
  fn: async () =>
    await withPage(await renderReport(DATA), {}, async (page) => {
      await page.evaluate(`document.getElementById("chart-entropy").focus()`);
      await page.press("End");
      assert.match(await page.evaluate<string>(text("tip")), /^train step 1000/);
      await page.press("Home");
      assert.match(await page.evaluate<string>(text("tip")), /^train step 10entropy {2}2$/);
      for (let i = 0; i < 5; i++) await page.press("PageDown");
      await page.press("+");
      await page.wait(`/^train steps 26\\d to 75\\d$/.test(${text("range")})`);
      await page.press("-");
      await page.wait(`${text("range")} === "all train steps"`);
      await page.press("+");
      await page.press("Escape");
      await page.wait(`${text("range")} === "all train steps"`);
      await page.evaluate(`document.querySelector("h1").tabIndex = -1; document.querySelector("h1").focus()`);
      const reached = new Set<string>();
      for (let i = 0; i < 12; i++) {
        await page.send("Input.dispatchKeyEvent", {
          type: "keyDown",
          key: "Tab",
          code: "Tab",
          windowsVirtualKeyCode: 9,
        });
        reached.add(await page.evaluate<string>("document.activeElement.id"));
        const outline = await page.evaluate<string>("getComputedStyle(document.activeElement).outlineStyle");
        assert.notEqual(outline, "none", "the focus is seen");
        if (reached.has("chart-loss")) break;
      }
      for (const id of ["smooth", "log", "chart-reward", "chart-entropy", "chart-loss"]) assert(reached.has(id), id);
    }),
});

Deno.test({
  name: `on paper a page is dark on white also from a dark screen, without controls, and nothing is cut${SKIPPED}`,
  ...OPTIONS,
  fn: async () => {
    const completions = [0, 1].map((sample) => ({
      ...{ train_step: 1000, prompt_id: 1, sample, prompt: "1+1=", text: "2", reward: sample },
    }));
    const tables = { metrics, completions };
    await withPage(
      await renderReport({ ...DATA, tables, stepCompletions: completions }),
      { dark: true, width: 700 },
      async (page) => {
        await page.evaluate(`document.getElementById("chart-groups").scrollIntoView()`);
        await page.wait(`document.querySelector("#chart-groups .live svg")`);
        const features = [{ name: "prefers-color-scheme", value: "dark" }];
        await page.send("Emulation.setEmulatedMedia", { media: "print", features });
        const colour = (query: string, property: string) =>
          page.evaluate<string>(`getComputedStyle(document.querySelector(${JSON.stringify(query)})).${property}`);
        assert.equal(await colour("body", "backgroundColor"), "rgb(255, 255, 255)");
        for (const chart of ["reward", "groups"]) {
          assert.equal(await colour(`#chart-${chart} .role-axis-label text`, "fill"), "rgb(100, 106, 118)", chart);
        }
        assert.equal(await colour("#controls", "display"), "none");
        assert.equal(await colour(".scroll", "overflowX"), "visible");
        assert.equal(await colour("figure", "breakInside"), "avoid");
        assert.equal(await colour("h2", "breakAfter"), "avoid");
        const wide = await page.evaluate<string[]>(
          `[...document.querySelectorAll("figure svg, table, pre")].filter((e) => e.getBoundingClientRect().right > 700).map((e) => e.outerHTML.slice(0, 80))`,
        );
        assert.deepEqual(wide, []);
      },
    );
  },
});

const runs = [1, 2, 3].map((seed) => ({
  label: seed < 3 ? "learning_rate 0.0002" : "learning_rate 0.001",
  seed,
  rows: metrics.map(({ reward, ...row }, i) => ({ ...row, reward: i === 30 ? null : reward * seed + i % 2 })),
}));
const compared = () =>
  renderComparison({
    runs: runs.map(({ label, seed }) => ({
      ...{ name: `20260102-030405-a_long_name-${seed}`, label, workflow: "a_long_name", status: "ok" },
      facts: {
        verdict: "healthy",
        seed: String(seed),
        "train steps": "1000",
        findings: "benign_zero_loss",
      },
    })),
    differences: [{ group: "Parameters", name: "params.learning_rate", values: [2e-4, 2e-4, 1e-3] }],
    metrics: [{ column: "reward", title: "Reward", about: "Mean.", rows: comparedRows("reward", runs) }],
    completions: [],
  });

Deno.test({
  name: `smoothing of a comparison leaves the raw lines and the band as they are${SKIPPED}`,
  ...OPTIONS,
  fn: async () =>
    await withPage(await compared(), {}, async (page) => {
      const paths = (width: number) =>
        page.evaluate<string[]>(
          `[...document.querySelectorAll("#chart-reward path[stroke-width='${width}'][role='graphics-symbol']")].map((path) => path.getAttribute("d"))`,
        );
      await drawing(page, "reward");
      const set = (value: number) =>
        page.evaluate(
          `(() => { const e = document.getElementById("smooth"); e.value = ${value}; e.dispatchEvent(new Event("input")); })()`,
        );
      await set(0);
      await page.wait(`document.body.dataset.drawn > 1`);
      assert.equal(await page.evaluate(text("smoothing")), "off");
      const [raw, plain] = [await paths(1), await paths(2)];
      assert.deepEqual([raw.length, plain.length], [2, 2]);
      assert.deepEqual(raw, plain);
      const drawn = await page.evaluate<number>(`Number(document.body.dataset.drawn)`);
      await set(30);
      await page.wait(`document.body.dataset.drawn > ${drawn}`);
      assert.equal(await page.evaluate(text("smoothing")), "median of 61 train steps");
      assert.deepEqual(await paths(1), raw);
      assert.notDeepEqual(await paths(2), plain);
    }),
});

Deno.test({
  name: `at 400 pixels letters of charts stay as large as they are, and the table of runs is whole${SKIPPED}`,
  ...OPTIONS,
  fn: async () => {
    const phased = metrics.map((row, i) => ({ ...row, phase: i < 50 ? "sft" : "rollout" }));
    const letters =
      `Math.min(...[...document.querySelectorAll("figure .role-axis-label text, figure .role-axis-title text")].map((text) => text.getBBox().height * text.getScreenCTM().a).filter((height) => height > 0))`;
    const report = await renderReport({ ...DATA, tables: { metrics: phased } });
    for (const html of [report, await compared()]) {
      await withPage(html, { width: 400 }, async (page) => {
        const names = await page.evaluate<string[]>(`[...document.querySelectorAll("figure")].map(({ id }) => id)`);
        for (const name of names) {
          await page.evaluate(`document.getElementById("${name}").scrollIntoView()`);
          await page.wait(`document.querySelector("#${name} svg").viewBox.baseVal.width < 380`);
        }
        assert(await page.evaluate<number>(letters) > 11, String(await page.evaluate<number>(letters)));
        assert(await page.evaluate<number>("document.documentElement.scrollWidth") <= 400);
        const cut = await page.evaluate(
          `[...document.querySelectorAll(".stacked")].filter((e) => e.scrollWidth > e.clientWidth).length`,
        );
        assert.equal(cut, 0);
      });
    }
  },
});

Deno.test({
  name: `at 400 pixels the name of a phase does not run into the next one's${SKIPPED}`,
  ...OPTIONS,
  fn: async () => {
    const both = metrics.map((row, i) => ({ ...row, phase: i < 50 ? "sft" : "rollout", accuracy: i / 100 }));
    await withPage(await renderReport({ ...DATA, tables: { metrics: both } }), { width: 400 }, async (page) => {
      await page.evaluate(`document.getElementById("chart-accuracy").scrollIntoView()`);
      await page.wait(`document.querySelector("#chart-accuracy svg").viewBox.baseVal.width < 380`);
      const names = await page.evaluate<{ left: number; right: number }[]>(
        `[...document.querySelectorAll("#chart-accuracy text")]
          .filter(({ textContent }) => /^(warm|reinf)/.test(textContent))
          .map((one) => one.getBoundingClientRect()).map(({ left, right }) => ({ left, right }))`,
      );
      const [first, second] = names.sort((a, b) => a.left - b.left);
      assert(first!.right < second!.left, JSON.stringify(names));
    });
  },
});
