/** The doctor's page in a real browser: it finds what diagnose finds, shows whatever it is given, and asks nobody. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isFoundAlone } from "../../notebooks/pages/possible.ts";
import { examine } from "../../workflows/doctor/examine.ts";
import { pageRun } from "../../workflows/doctor/page_run.ts";
import { markdownReport } from "../../workflows/doctor/markdown_report.ts";
import { exampleLog } from "../../workflows/doctor_page/app/example.ts";
import { EN, ZH } from "../../workflows/doctor_page/language/mod.ts";
import { doctorApp } from "../../workflows/doctor_page/page.ts";
import { CASES } from "../workflows/doctor_page/given_case.ts";
import type { Page } from "./browser.ts";
import { CHROMIUM, OPTIONS, SKIPPED, withPage } from "./shown_page.ts";

const html = CHROMIUM === null ? "" : await doctorApp();
const PICTURES = Deno.env.get("NONZERO_SCREENSHOTS");

/** What is dropped: files by name and text, in folders as `webkitGetAsEntry` gives them where a name has slashes. */
const drop = (page: Page, files: Readonly<Record<string, string>>) =>
  page.evaluate(`(async () => {
    const data = new DataTransfer();
    for (const [name, text] of Object.entries(${JSON.stringify(files)})) data.items.add(new File([text], name));
    document.body.dataset.state = "asked";
    dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
  })()`);

const read = (page: Page) => page.wait(`["read", "failed"].includes(document.body.dataset.state)`);

/** Pastes a text as a person does, and presses the button. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate(`(() => {
    if (!document.getElementById("paste")) document.querySelector(".bar-top .main").click();
    document.body.dataset.state = "asked";
    document.getElementById("paste").value = ${JSON.stringify(text)};
    document.querySelector(".paste button").click();
  })()`);
  await read(page);
}

const shownBy = (page: Page) =>
  page.evaluate<{ verdict: string; cause: string; findings: string[]; possible: string[]; markdown: string }>(`({
    verdict: document.getElementById("verdict").textContent,
    cause: document.getElementById("cause").textContent,
    findings: [...document.querySelectorAll(".finding h3")].map((h3) => h3.childNodes[1].textContent.trim()),
    possible: [...document.querySelectorAll(".decides td:nth-child(2) b")].map((b) => b.textContent),
    markdown: document.getElementById("markdown").textContent,
  })`);

/** Notes what the page asks of anybody, what it is refused, and dialogs; the page's own file apart. */
async function watched(page: Page): Promise<string[]> {
  const asked: string[] = [];
  page.socket.addEventListener("message", ({ data }) => {
    const { method, params } = JSON.parse(data);
    if (method === "Network.requestWillBeSent" && !/^(?:file|blob):/.test(params.request.url)) {
      asked.push(params.request.url);
    }
    if (method === "Log.entryAdded") asked.push(`${params.entry.source}: ${params.entry.text}`);
    if (method === "Page.javascriptDialogOpening") asked.push("a dialog");
  });
  await page.send("Network.enable");
  await page.send("Log.enable");
  return asked;
}

Deno.test({
  name: `the doctor's page finds in every case what diagnose finds, and its Markdown is the command's${SKIPPED}`,
  ...OPTIONS,
  fn: () =>
    withPage(html, {}, async (page) => {
      const asked = await watched(page);
      await page.evaluate(`document.querySelector(".languages [lang=en]").click()`);
      for (const name of CASES) {
        const folder = fileURLToPath(new URL(`../cases/${name}`, import.meta.url));
        const names = [...Deno.readDirSync(folder)].map((file) => file.name);
        // Dropped files have no folder here: the page calls several of them "files".
        const texts = Object.fromEntries(names.map((file) => [file, Deno.readTextFileSync(join(folder, file))]));
        const [examined, ...more] = await examine([folder]), { diagnosis } = examined!;
        await drop(page, texts);
        await read(page);
        const shown = await shownBy(page);
        const words = { faulty: EN.faulty, benign: EN.healthy, insufficient: EN.cannotTell } as const;
        assert.equal(shown.verdict, words[diagnosis.verdict], name);
        if (diagnosis.verdict === "faulty") assert.equal(shown.cause, diagnosis.findings[0]!.cause, name);
        const run = pageRun(examined!, false);
        assert.deepEqual(shown.findings, run.findings.map(({ cause }) => cause), name);
        const listed = isFoundAlone(run.possible) ? [] : run.possible;
        assert.deepEqual(shown.possible, listed.map(({ cause }) => cause), name);
        const want = markdownReport(examined!, false)
          .replaceAll(folder, "./files").replaceAll(name, "files");
        assert.equal(shown.markdown.replaceAll(name, "files"), want, name);
        assert.equal(
          await page.evaluate(`document.querySelectorAll(".runs button").length`),
          more.length && more.length + 1,
        );
      }
      assert.deepEqual(asked, []);
    }),
});

const HOSTILE: Readonly<Record<string, string>> = {
  "nothing known": ".",
  "a picture": '<img src="http://127.0.0.1:9/x.png" onerror="globalThis.ran = 1"><svg onload="globalThis.ran = 1">',
  "an end of a script": "</script><script>globalThis.ran = 1</script><!-- <script>",
  "a link": "javascript:globalThis.ran=1 [x](javascript:globalThis.ran=1) data:text/html,<script>ran=1</script>",
  "bytes": "\u0000\u0001\u0002".repeat(4000),
  "a line of a megabyte": "x".repeat(1 << 20),
  "a log that is a program":
    `{'loss': 0.0, 'grad_norm': 0.0, 'reward': 0.0, 'reward_std': 0.0, 'rewards/<img src=x onerror=ran=1>/mean': 0.0}\n`
      .repeat(30),
};

Deno.test({
  name: `the doctor's page shows hostile texts as texts: nothing runs, nothing is asked for${SKIPPED}`,
  ...OPTIONS,
  fn: () =>
    withPage(html, {}, async (page) => {
      const asked = await watched(page);
      for (const [name, text] of Object.entries(HOSTILE)) {
        await paste(page, text);
        assert.equal(await page.evaluate("document.body.dataset.state"), "read", name);
        await page.wait(`document.querySelector("#text .lines").children.length > 0`);
        const made =
          `document.querySelectorAll("#page :is(img, script, iframe, a, object, embed, link, style)").length`;
        assert.equal(await page.evaluate(made), 0, name);
        assert.equal(await page.evaluate("globalThis.ran ?? null"), null, name);
        if (name === "a picture") {
          assert.match(await page.evaluate<string>(`document.querySelector(".lines").textContent`), /<img src="http/);
        }
      }
      assert.deepEqual(asked, []);
      // The policy holds: what a program in the page would ask for is refused.
      await page.evaluate(`fetch("http://127.0.0.1:9/").catch(() => {})`);
      assert(asked.some((line) => /Content Security Policy/i.test(line)), asked.join("\n"));
    }),
});

Deno.test({
  name: `the doctor's page goes from evidence to its line and back, also in a long text${SKIPPED}`,
  ...OPTIONS,
  fn: () =>
    withPage(html, { width: 390 }, async (page) => {
      const bar = "epoch 1:  10%|#         | 1/10\n".repeat(3000);
      await paste(page, `I train with TRL, and this is what it prints:\n${bar}${exampleLog()}\nWhat is wrong?\n`);
      assert.equal((await shownBy(page)).cause, "kl_explosion");
      const place = `document.querySelectorAll(".evidence .place")[1]`;
      const line = await page.evaluate<string>(`/:(\\d+)/.exec(${place}.textContent)[1]`);
      assert(Number(line) > 3000);
      await page.evaluate(`${place}.focus()`);
      await page.press("Enter", "\r");
      await page.wait(`document.activeElement.dataset.line === "${line}"`);
      assert.match(await page.evaluate<string>(`document.querySelector(".chosen mark").textContent`), /^kl': 0\.\d+$/);
      // A window of lines, not the file.
      assert(await page.evaluate<number>(`document.querySelectorAll(".shown").length`) < 800);
      const first = `Number(document.querySelector(".shown").dataset.line)`,
        before = await page.evaluate<number>(first);
      await page.evaluate(`document.querySelector(".lines").scrollTop = 0`);
      await page.wait(`${first} < ${before}`);
      await page.press("Escape");
      assert(await page.evaluate(`document.activeElement === ${place}`));
      assert(await page.evaluate<number>("document.documentElement.scrollWidth") <= 390);
    }),
});

Deno.test({
  name: `the doctor's page is Chinese throughout where it is asked to be, and strips what is private${SKIPPED}`,
  ...OPTIONS,
  fn: () =>
    withPage(html, {}, async (page) => {
      await page.evaluate(`document.querySelector(".languages [lang=zh]").click()`);
      const buttons = `[...document.querySelectorAll("button, h2, th, label, summary, option")]
        .map((e) => e.getAttribute("aria-label") ?? e.textContent)`;
      const english = async () =>
        (await page.evaluate<string[]>(buttons)).filter((text) =>
          /[a-z]{3}/i.test(text) && !/\p{Script=Han}/u.test(text)
        );
      assert.deepEqual(await english(), ["English"]);
      await drop(page, { "run.log": "/home/ada/train.py --token=hf_abcdefghijklmnop1234\n" + exampleLog() });
      await read(page);
      assert.deepEqual((await english()).filter((text) => text !== "run.log"), ["English"]);
      assert.equal(await page.evaluate("document.documentElement.lang"), "zh");
      assert.equal(await page.evaluate(`document.getElementById("verdict").textContent`), ZH.faulty);
      assert.match(await page.evaluate<string>(`document.getElementById("means").textContent`), /^策略远离参考模型/);
      // A folder of somebody's in the name of a file reaches the report.
      await drop(page, { "ada@example.org.log": exampleLog() });
      await read(page);
      const shared = () => page.evaluate<string>(`document.getElementById("markdown").textContent`);
      assert.doesNotMatch(await shared(), /ada@example/);
      assert.match(
        await page.evaluate<string>(`document.querySelector(".taken").textContent`),
        /ada@example\.org.*<e-mail>/,
      );
      await page.evaluate(`document.getElementById("strip").click()`);
      assert.match(await shared(), /ada@example/);
      if (PICTURES) await page.screenshot(join(PICTURES, "doctor_page.png"), true);
    }),
});

Deno.test({
  name: `the doctor's page keeps the focus and what was pasted, and reads no empty text${SKIPPED}`,
  ...OPTIONS,
  fn: () =>
    withPage(html, {}, async (page) => {
      const focus = () => page.evaluate<string>("document.activeElement.lang || document.activeElement.id");
      for (const one of ["zh", "en"]) {
        await page.evaluate(`document.querySelector(".languages [lang=${one}]").focus()`);
        await page.press("Enter", "\r");
        assert.equal(await focus(), one);
      }
      await page.evaluate(`document.querySelector(".paste button").click()`);
      assert.equal(await page.evaluate("document.body.dataset.state"), "idle");
      assert.equal(await page.evaluate(`document.getElementById("empty").innerText`), EN.pasteFirst);
      assert.equal(await focus(), "paste");
      await paste(page, exampleLog());
      assert.equal(await page.evaluate("document.activeElement.tagName"), "H1");
      await page.evaluate(`document.querySelector(".languages [lang=zh]").click()`);
      assert.equal(await focus(), "zh");
      await page.evaluate(`document.querySelector(".bar-top .main").click()`);
      assert.equal(await page.evaluate(`document.getElementById("paste").value`), exampleLog());
      assert.equal(await focus(), "paste");
    }),
});

Deno.test({
  name: `the doctor's page breaks no word of what decides, and its charts have letters of the page's size${SKIPPED}`,
  ...OPTIONS,
  fn: async () => {
    for (const width of [1400, 1200, 1000, 420]) {
      await withPage(html, { width }, async (page) => {
        await paste(page, exampleLog());
        await page.wait(`document.querySelector(".drawing svg").getBoundingClientRect().width > 0`);
        const sizes = await page.evaluate<number[]>(`[...document.querySelectorAll(".drawing svg")].map((svg) =>
          svg.getBoundingClientRect().width / svg.viewBox.baseVal.width)`);
        assert(sizes.length > 0 && sizes.every((size) => Math.abs(size - 1) < 0.02), `${width}: ${sizes}`);
        assert(await page.evaluate<number>("document.documentElement.scrollWidth") <= width, String(width));
        // What decides stands below the text, not beside it.
        const [decides, text] = await page.evaluate<number[]>(
          `["decides", "text"].map((id) => document.getElementById(id).getBoundingClientRect()).map((box, i) => i === 0 ? box.top : box.bottom)`,
        );
        assert(decides! >= text! - 1, `${width}: ${decides} ${text}`);
        // A place is a name and a line number, which nobody reads in pieces, however long the words beside it are.
        await paste(
          page,
          `TypeError: ${"x".repeat(90)}() got an unexpected keyword argument 'beta_of_nobody'\n`.padStart(300, "\n"),
        );
        const broken =
          `[...document.querySelectorAll(".evidence .place")].filter((one) => one.getClientRects().length > 1
          || one.getBoundingClientRect().height > 30).map((one) => one.textContent)`;
        assert.deepEqual(await page.evaluate(broken), [], String(width));
      });
    }
  },
});

/** Drags a file or folder of the disk over the page and lets it go, as a person does. */
async function dragIn(page: Page, path: string): Promise<void> {
  await page.evaluate(`document.body.dataset.state = "asked"`);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"]) {
    await page.send("Input.dispatchDragEvent", { type, x: 200, y: 300, data });
  }
  await read(page);
}

Deno.test({
  name: `the doctor's page reads a folder that is dropped, as deep as diagnose does, and says what it leaves${SKIPPED}`,
  ...OPTIONS,
  fn: async () => {
    const folder = await Deno.makeTempDir(), run = join(folder, "my run");
    try {
      for (const part of ["logs/a", "checkpoint-2", "checkpoint-10"]) {
        await Deno.mkdir(join(run, part), { recursive: true });
      }
      const packed = new Blob([exampleLog()]).stream().pipeThrough(new CompressionStream("gzip"));
      await Deno.writeFile(join(run, "logs/a/train.log.gz"), packed);
      await Deno.writeTextFile(join(run, "config.yaml"), "num_generations: 8\nlearning_rate: 2.0e-5\n");
      for (const step of [2, 10]) await Deno.writeTextFile(join(run, `checkpoint-${step}/notes.txt`), `step ${step}\n`);
      await Deno.writeTextFile(join(run, "mlflow.db"), "SQLite format 3\0");
      await withPage(html, {}, async (page) => {
        await page.evaluate(`document.querySelector(".languages [lang=en]").click()`);
        await dragIn(page, run);
        assert.equal((await shownBy(page)).cause, "kl_explosion");
        const read = await page.evaluate<string>(`document.getElementById("read").innerText`);
        for (const file of ["checkpoint-10/notes.txt", "config.yaml", "logs/a/train.log.gz"]) {
          assert(read.includes(file), file);
        }
        assert(!read.includes("checkpoint-2/"));
        assert.match(
          read,
          /Cannot read .*mlflow\.db in a page: a SQLite database is read from its file; want it on the/,
        );
        assert.equal(await page.evaluate(`document.querySelector(".bar-top b").textContent`), "my run");
        await dragIn(page, join(run, "logs/a/train.log.gz"));
        assert.equal((await shownBy(page)).cause, "kl_explosion");
      });
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
