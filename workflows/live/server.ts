/** Serves live pages on this machine alone: all runs, one run, and what is new in them. @module */
import { basename, dirname, join } from "node:path";
import { timingSafeEqual } from "node:crypto";
import { checkRunId, RUN_FILES } from "../../data/run_folder.ts";
import { isFile, orElse } from "../../data/file_system.ts";
import type { Row } from "../../notebooks/charts/chart.ts";
import { madeOfMetrics, pageColumns, type PageData } from "../../notebooks/pages/page_charts.ts";
import { pageData, renderReport, type ReportData } from "../../notebooks/pages/report.ts";
import type { ImageSource } from "../../notebooks/pictures/shown_images.ts";
import { renderRuns, runTable } from "../../notebooks/pages/runs.ts";
import { messageOf } from "../../data/error_text.ts";
import { isLive } from "../explore/find_run.ts";
import { findImage, runImage } from "../run/run_images.ts";
import { lockHolder } from "../store/lock.ts";
import { type Followed, followed, ownRun } from "./followed.ts";
import { RunList } from "./run_list.ts";

export interface LiveOptions {
  /** Folder of all runs. */
  readonly runs: string;
  /** What the page of the address shows: a run's folder or a log; all runs where absent. */
  readonly path?: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Milliseconds between two looks at what is followed. */
  readonly every?: number;
}

export interface LiveServer {
  /** Address of the page, with its token; of a run with the token that may stop it, too. */
  readonly address: string;
  close(): Promise<void>;
}

/** Share of the machine that a page's looks at a run may take. */
const SHARE = 0.01;

const PROGRAM = new URL("../../notebooks/pages/page_live.js", import.meta.url);

/** What the browser lets a page do: run what is inside it, ask this server. Vega makes functions of its expressions. */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; connect-src 'self'; " +
  "img-src data: 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Starts to serve on 127.0.0.1. Throws Deno.errors.AddrInUse where the port is taken. */
export function serveLive({ runs, path, port, every = 1000 }: LiveOptions): LiveServer {
  const token = crypto.randomUUID(), stopToken = crypto.randomUUID();
  const streams = new Set<{ readonly tell: () => void; readonly end: () => void }>(), pages = new Map<string, Shown>();
  let restUntil = 0;
  // A log of another system has no process that we could ask to stop.
  const isOwn = path !== undefined && isFile(join(path, RUN_FILES.manifest));
  const named = path === undefined ? null : { name: basename(path), path, run: followed(path) };
  const list = new RunList(runs);
  const follow = (name: string): Followed | null => {
    if (named?.name === name) return isOwn && !isFile(join(named.path, RUN_FILES.manifest)) ? null : named.run;
    const folder = orElse(() => join(runs, checkRunId(name)), null);
    return folder !== null && isRunIn(runs, folder) ? ownRun(folder) : null;
  };
  const link = (id: string, file = "") => `/run/${encodeURIComponent(id)}${file}?token=${token}`;
  /** A page asks for the images that it shows, and what it is sent again has none; of one that is not there it says why. */
  const reported = async (run: Followed, name: string): Promise<ReportData> => {
    const report = await run.report(), { folder } = run;
    if (folder === null) return report;
    const images: ImageSource = (id) => {
      const found = findImage(folder, id, MOST_IMAGE);
      return "why" in found ? found : { href: link(name, `/images/${id}`) };
    };
    return { ...report, images };
  };

  async function answer(request: Request, host: string): Promise<Response> {
    const url = new URL(request.url);
    // A page of another site may have its name lead here: it does not know the token, and is not told what is here.
    if (request.headers.get("host") !== host || !isSame(url.searchParams.get("token"), token)) {
      return text("Not for you", 403);
    }
    const [kind, name, action, file] = orElse(() => url.pathname.slice(1).split("/").map(decodeURIComponent), ["?"]);
    if (kind === "") return html(renderRuns(list.listed(), link, program()));
    if (kind === "list") return text(runTable(list.listed(), link), 200);
    if (kind === "events") return stream(() => list.stamp(), () => true, "runs");
    if (kind !== "run" || name === undefined) return text("There is no such page", 404);
    const run = follow(name);
    if (run === null) return text(`There is no run "${name}"`, 404);
    if (action === "events") return stream(() => run.stamp(), () => run.isLive(), "run");
    if (action === "images") return image(run.folder, file ?? "");
    if (action === "stop") return stop(request, url, join(runs, name));
    if (action === "data") {
      const started = performance.now(),
        { shown, answer } = await current(
          run,
          () => reported(run, name),
          pages.get(name),
          url.searchParams.get("slow"),
        );
      pages.set(name, shown);
      // A run that is watched must not be slowed down: what takes long is done less often.
      const now = performance.now();
      restUntil = Math.max(restUntil, now) + (now - started) / (SHARE * navigator.hardwareConcurrency);
      return Response.json(answer);
    }
    const report = await reported(run, name);
    const json = JSON.stringify(toldOf(report.status, causesOf(report))).replaceAll("<", "\\u003c");
    const told = `<script>document.body.dataset.told = ${json};</script>`;
    return html(await renderReport(report, { program: told + program() }));
  }

  function stop(request: Request, url: URL, folder: string): Response {
    if (request.method !== "POST") return text("A link does not stop a run: ask by POST", 405);
    const origin = request.headers.get("origin");
    if (origin !== null && origin !== `http://${host}`) return text("A page of another site does not stop a run", 403);
    if (!isSame(url.searchParams.get("stop"), stopToken) || named?.path !== folder) {
      return text("This address may look and not stop: it wants the token of the run, which watch RUN prints", 403);
    }
    const holder = isLive(folder) ? lockHolder(folder) : null;
    if (holder === null || holder.host !== Deno.hostname()) return text("The run is not running on this machine", 409);
    Deno.kill(holder.pid, "SIGINT");
    return text("Asked to stop: it ends at its next safe point, saved", 200);
  }

  /**
   * Tells of every change, and of the first look, until the browser goes away. What has ended cannot be slowed down: how it
   * ended is told at once.
   */
  function stream(stampOf: () => string, isLive: () => boolean, event: string): Response {
    let last = "", own: { readonly tell: () => void; readonly end: () => void };
    const body = new ReadableStream({
      start(controller) {
        const tell = () => {
          const stamp = stampOf();
          if (stamp === last || last !== "" && performance.now() < restUntil && isLive()) return;
          controller.enqueue(`event: ${event}\ndata: 1\n\n`);
          last = stamp;
        };
        streams.add(own = { tell, end: () => controller.close() });
        tell();
      },
      cancel: () => void streams.delete(own),
    }).pipeThrough(new TextEncoderStream());
    return new Response(body, { headers: { "content-type": "text/event-stream", "cache-control": "no-store" } });
  }

  const program = () => `<script>${Deno.readTextFileSync(PROGRAM)}</script>`;
  let host = "";
  const handle = async (request: Request) => {
    try {
      return await answer(request, host);
    } catch (error) {
      return text(messageOf(error), 500);
    }
  };
  const server = listen(port, handle, () => void named?.run.close());
  // All browsers in one look: none waits for another's rest to be over.
  const looking = setInterval(() => {
    for (const one of streams) {
      try {
        one.tell();
      } catch { // its browser has gone, or it cannot be looked at: who asks again is told why
        streams.delete(one);
        orElse(one.end, null);
      }
    }
  }, every);
  host = `127.0.0.1:${server.addr.port}`;
  const page = named === null ? `/?token=${token}` : `${link(named.name)}${isOwn ? `&stop=${stopToken}` : ""}`;
  return {
    address: `http://${host}${page}`,
    async close() {
      clearInterval(looking);
      for (const { end } of streams) orElse(end, null); // the browser may have gone
      await Promise.all([named?.run.close(), server.shutdown()]);
    },
  };
}

/** Listens on this machine alone; `undo` is for a port that is taken. */
function listen(port: number, handle: (request: Request) => Promise<Response>, undo: () => void) {
  try {
    return Deno.serve({ hostname: "127.0.0.1", port, onListen() {} }, handle);
  } catch (error) {
    undo();
    throw error;
  }
}

/** What a page was given last, so that new train steps alone cost little. */
interface Shown {
  readonly slowStamp: string;
  readonly charts: PageData["charts"];
  readonly findings: string;
}

/** What the page's program is given: all of it, or where only train steps came the columns alone; and what stands at the head. */
async function current(
  run: Followed,
  reported: () => Promise<ReportData>,
  shown: Shown | undefined,
  has: string | null,
) {
  const slowStamp = run.slowStamp();
  if (shown?.slowStamp === slowStamp && has === slowStamp) {
    const { status, metrics } = await run.steps();
    const data = { columns: pageColumns(metrics, shown.charts), values: madeOfMetrics(shown.charts, metrics) };
    return { shown, answer: { data, ...headOf(run, status, metrics, shown) } };
  }
  const report = await reported(), data = pageData(report);
  const now = { slowStamp, charts: data.charts, findings: causesOf(report) };
  return { shown: now, answer: { data, ...headOf(run, report.status, report.tables.metrics ?? [], now) } };
}

/** Changes with what a page says of the run's state and of what was found: none is healthy at its end, and only so far before. */
const toldOf = (status: string, findings: string) => `${status}: ${findings}`;
const causesOf = ({ findings }: ReportData) => findings.map(({ cause }) => cause).join();

function headOf(run: Followed, status: string, metrics: readonly Row[], { charts, findings, slowStamp }: Shown) {
  const trainStep = metrics.reduce((most, row) => Math.max(most, Number(row["train_step"])), 0);
  return {
    names: charts.map(({ name }) => `chart-${name}`).join(),
    head: {
      status,
      trainStep,
      told: toldOf(status, findings),
      slow: slowStamp,
      news: run.news(),
    },
  };
}

/** A run's folder in that of all runs; a link that leads out of it is none. */
function isRunIn(runs: string, folder: string): boolean {
  if (!isFile(join(folder, RUN_FILES.manifest))) return false;
  return orElse(() => dirname(Deno.realPathSync(folder)) === Deno.realPathSync(runs), false);
}

/** Takes as long whatever the first letter is that differs. */
function isSame(given: string | null, token: string): boolean {
  const [a, b] = [given ?? "", token].map((text) => new TextEncoder().encode(text));
  return a!.length === b!.length && timingSafeEqual(a!, b!);
}

const HEADERS = {
  "content-security-policy": POLICY,
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** Bytes of an image's file that are sent. */
const MOST_IMAGE = 1 << 25;

/** An image of a run by its id, which names its content: a browser may keep it. */
function image(folder: string | null, id: string): Response {
  const found = folder === null ? { why: "A log has no images" } : runImage(folder, id, MOST_IMAGE);
  if ("why" in found) return text(found.why, 404);
  const headers = { ...HEADERS, "cache-control": "private, max-age=86400, immutable", "content-type": found.type };
  return new Response(found.bytes, { headers });
}

function html(page: string): Response {
  return new Response(page, { headers: { ...HEADERS, "content-type": "text/html; charset=utf-8" } });
}

function text(body: string, status: number): Response {
  return new Response(body, { status, headers: { ...HEADERS, "content-type": "text/plain; charset=utf-8" } });
}
