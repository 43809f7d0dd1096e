import assert from "node:assert/strict";
import { join } from "node:path";
import { type LiveServer, serveLive } from "../../../workflows/live/server.ts";
import { acquireLock } from "../../../workflows/store/lock.ts";
import { visualRun } from "../run/visual_run.ts";
import { fabricateRun, RUN_A, RUN_B, withRuns } from "../cli/fabricated_run.ts";

async function serving(
  body: (server: LiveServer, runs: string, folder: string) => Promise<void>,
): Promise<void> {
  await withRuns(async (runs) => {
    const folder = fabricateRun(runs, RUN_A, { status: "running", finished: null });
    const server = serveLive({ runs, path: folder, port: 0, every: 20 });
    try {
      await body(server, runs, folder);
    } finally {
      await server.close();
    }
  });
}

/** The address with another path, or without a token. */
function at({ address }: LiveServer, path: string, drop: readonly string[] = []): string {
  const url = new URL(address);
  url.pathname = path;
  for (const name of drop) url.searchParams.delete(name);
  return url.href;
}

async function asked(url: string, options: RequestInit = {}): Promise<[number, string]> {
  const response = await fetch(url, options);
  return [response.status, await response.text()];
}

Deno.test("serveLive() shows a run to who knows the token, on this machine alone, and nothing to others", () =>
  serving(async (server) => {
    assert.match(
      server.address,
      /^http:\/\/127\.0\.0\.1:\d+\/run\/20260102-030405-small-aaaa\?token=[-0-9a-f]{36}&stop=/,
    );
    const [status, page] = await asked(server.address);
    assert.equal(status, 200);
    assert.match(page, /<h1>small <span class="status killed">/);
    assert.match(page, /new EventSource/);
    for (const path of ["/", "/list", `/run/${RUN_A}`, `/run/${RUN_A}/data`, `/run/${RUN_A}/events`]) {
      assert.deepEqual(await asked(at(server, path, ["token"])), [403, "Not for you"], path);
    }
    assert.equal(
      (await fetch(server.address)).headers.get("content-security-policy")?.includes("connect-src 'self'"),
      true,
    );
    assert.equal((await asked(server.address))[0], 200);
  }));

Deno.test("serveLive() lists the runs, leads to each, and knows no others", () =>
  serving(async (server, runs) => {
    const [, list] = await asked(at(server, "/"));
    assert.match(list, new RegExp(`/run/${RUN_A}\\?token=[^]*`));
    assert.match(list, new RegExp(`/run/${RUN_B}\\?token=`));
    assert.equal((await asked(at(server, `/run/${RUN_B}`)))[0], 200);
    assert.equal((await asked(at(server, "/run/nothing")))[0], 404);
    await Deno.writeTextFile(join(runs, "..", "secret"), "x").catch(() => {});
    for (const path of ["/run/..%2fsecret", "/run/../../etc/passwd", "/nothing"]) {
      const [status, text] = await asked(at(server, path));
      assert(status >= 400, `${path}: ${status} ${text}`);
    }
    await Deno.remove(join(runs, "..", "secret")).catch(() => {});
  }));

Deno.test("serveLive() tells when there is something new, and gives the rows", () =>
  serving(async (server, _runs, folder) => {
    const response = await fetch(at(server, `/run/${RUN_A}/events`)), reader = response.body!.getReader();
    const heard = async () => new TextDecoder().decode((await reader.read()).value);
    assert.match(await heard(), /^event: run\n/);
    const event = JSON.stringify({ event: "train_step", train_step: 3, phase: "rollout", reward: 1 });
    await Deno.writeTextFile(join(folder, "events.jsonl"), event + "\n");
    assert.match(await heard(), /^event: run\n/);
    const [, json] = await asked(at(server, `/run/${RUN_A}/data`));
    const { data, head } = JSON.parse(json);
    assert.deepEqual([head.trainStep, data.columns.train_step], [3, [1, 2, 3]]);
    assert(data.charts.length > 0);
    const more = JSON.stringify({ event: "train_step", train_step: 4, phase: "rollout", reward: 0 });
    await Deno.writeTextFile(join(folder, "events.jsonl"), `${event}\n${more}\n`);
    const url = new URL(at(server, `/run/${RUN_A}/data`));
    url.searchParams.set("slow", head.slow);
    const later = JSON.parse((await asked(url.href))[1]);
    assert.deepEqual(Object.keys(later.data), ["columns", "values"], "what the page has is not sent again");
    assert.deepEqual([later.head.trainStep, later.data.columns.train_step], [4, [1, 2, 3, 4]]);
    const drawn = later.data.values.reward.map((row: Record<string, unknown>) => [row["train_step"], row["value"]]);
    assert.deepEqual(drawn, [[1, 0.25], [2, 0.75], [3, 1], [4, 0]]);
    await reader.cancel();
  }));

Deno.test("serveLive() tells a page of an end and of a resume: what is healthy at the end is so only so far before", () =>
  serving(async (server, runs, folder) => {
    const head = async () => JSON.parse((await asked(at(server, `/run/${RUN_A}/data`)))[1]).head;
    const lock = acquireLock(folder, new Date(0)), going = await head();
    assert.doesNotMatch((await asked(at(server, `/run/${RUN_A}`)))[1], /Healthy\./);
    fabricateRun(runs, RUN_A);
    const ended = await head();
    assert.deepEqual([going.status, ended.status], ["running", "ok"]);
    assert.notEqual(going.told, ended.told);
    assert((await asked(at(server, `/run/${RUN_A}`)))[1].includes(`dataset.told = ${JSON.stringify(ended.told)};`));
    fabricateRun(runs, RUN_A, { status: "running", finished: null });
    assert.equal((await head()).told, going.told);
    lock.release();
  }));

Deno.test("serveLive() stops the run that was named, for who has its token; others look only", () =>
  serving(async (server, _runs, folder) => {
    const stop = at(server, `/run/${RUN_A}/stop`), post = { method: "POST" };
    assert.equal((await asked(stop))[0], 405, "a link must not stop a run");
    assert.equal((await asked(at(server, `/run/${RUN_A}/stop`, ["stop"]), post))[0], 403);
    assert.equal((await asked(at(server, `/run/${RUN_B}/stop`), post))[0], 403);
    assert.deepEqual(await asked(stop, post), [409, "The run is not running on this machine"]);
    const lock = new URL("../../../workflows/store/lock.ts", import.meta.url).href;
    const program = `import { acquireLock } from ${JSON.stringify(lock)};
Deno.addSignalListener("SIGINT", () => Deno.exit(7));
acquireLock(${JSON.stringify(folder)}, new Date());
console.log("held");
setInterval(() => {}, 1000);`;
    const child = new Deno.Command(Deno.execPath(), {
      args: ["eval", "-q", program],
      stdout: "piped",
    }).spawn();
    const reader = child.stdout.getReader();
    await reader.read();
    assert.deepEqual(await asked(stop, post), [200, "Asked to stop: it ends at its next safe point, saved"]);
    assert.equal((await child.status).code, 7);
    await reader.cancel();
  }));

/** What the server says to a request written by hand: a browser whose name leads here sends another Host. */
async function raw(server: LiveServer, lines: readonly string[]): Promise<string> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port: Number(new URL(server.address).port) });
  await connection.write(new TextEncoder().encode([...lines, "connection: close", "", ""].join("\r\n")));
  return await new Response(connection.readable).text();
}

Deno.test("serveLive() answers nobody who calls it by another name, though he knows the token", () =>
  serving(async (server) => {
    const { pathname, search, host, port } = new URL(server.address), get = `GET ${pathname}${search} HTTP/1.1`;
    assert.match(await raw(server, [get, `host: ${host}`]), /^HTTP\/1\.1 200 /);
    for (
      const name of [`rebound.example:${port}`, "rebound.example", `localhost:${port}`, "127.0.0.1", "127.0.0.1:80"]
    ) {
      const answer = await raw(server, [get, `host: ${name}`]);
      assert.match(answer, /^HTTP\/1\.1 403 /, name);
      assert.doesNotMatch(answer, /small/);
    }
  }));

Deno.test("serveLive() stops no run for a page of another site, and keeps its token to itself", () =>
  serving(async (server) => {
    const stop = at(server, `/run/${RUN_A}/stop`), { origin } = new URL(server.address);
    const from = (origin: string) => asked(stop, { method: "POST", headers: { origin } });
    assert.deepEqual(await from("https://rebound.example"), [403, "A page of another site does not stop a run"]);
    assert.deepEqual(await from("null"), [403, "A page of another site does not stop a run"]);
    assert.equal((await from(origin))[0], 409, "its own page may; the run has ended");
    const { headers } = await fetch(server.address).then(async (response) => (await response.text(), response));
    assert.equal(headers.get("referrer-policy"), "no-referrer");
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.get("access-control-allow-origin"), null);
  }));

Deno.test("serveLive() wants the whole token, not its beginning nor more", () =>
  serving(async (server) => {
    for (
      const change of [
        (token: string) => token.slice(0, -1),
        (token: string) => `${token}x`,
        (token: string) => token.toUpperCase().replace(/.$/, "x"),
        () => "",
      ]
    ) {
      const url = new URL(server.address);
      url.searchParams.set("token", change(url.searchParams.get("token")!));
      assert.deepEqual(await asked(url.href), [403, "Not for you"]);
      const stop = new URL(at(server, `/run/${RUN_A}/stop`));
      stop.searchParams.set("stop", change(stop.searchParams.get("stop")!));
      assert.equal((await asked(stop.href, { method: "POST" }))[0], 403);
    }
  }));

Deno.test("serveLive() follows no link out of the folder of the runs, and says of odd names that there is no such run", () =>
  serving(async (server, runs) => {
    const outside = await Deno.makeTempDir();
    try {
      fabricateRun(outside, RUN_B);
      await Deno.symlink(join(outside, RUN_B), join(runs, "20260105-030405-linked-cccc"));
      for (const name of ["20260105-030405-linked-cccc", "..%2fsecret", "a%00b", "%ff", ".hidden"]) {
        const { status, text } = await fetch(at(server, "/").replace("/?", `/run/${name}?`)).then(async (response) => ({
          status: response.status,
          text: await response.text(),
        }));
        assert.equal(status, 404, `${name}: ${text}`);
      }
    } finally {
      await Deno.remove(outside, { recursive: true });
    }
  }));

Deno.test("serveLive() tells fifty browsers, goes on when they go away, and when the run is removed", () =>
  serving(async (server, _runs, folder) => {
    const readers = await Promise.all(Array.from({ length: 50 }, async () => {
      const response = await fetch(at(server, `/run/${RUN_A}/events`));
      return response.body!.getReader();
    }));
    const heard = async (reader: ReadableStreamDefaultReader<Uint8Array>) =>
      new TextDecoder().decode((await reader.read()).value);
    for (const text of await Promise.all(readers.map(heard))) assert.match(text, /^event: run\n/);
    await Promise.all(readers.slice(1).map((reader) => reader.cancel()));
    await Deno.remove(folder, { recursive: true });
    assert.match(await heard(readers[0]!), /^event: run\n/);
    const [status, text] = await asked(at(server, `/run/${RUN_A}/data`));
    assert.equal(status, 404);
    assert.match(text, /There is no run|is gone/);
    await readers[0]!.cancel();
    assert.equal((await asked(at(server, "/")))[0], 200);
  }));

Deno.test("serveLive() of a log has its page, its data with the time of its last line, and no stop", async () => {
  const folder = await Deno.makeTempDir(), path = join(folder, "trl.log");
  await Deno.writeTextFile(path, "{'loss': 0.1, 'grad_norm': 0.5, 'reward': 0.5, 'step': 1}\n");
  const server = serveLive({ runs: folder, path, port: 0, every: 20 });
  try {
    assert.doesNotMatch(server.address, /stop=/);
    assert.match((await asked(server.address))[1], /<h1>trl\.log <span class="status running">/);
    for (;;) {
      const { head } = JSON.parse((await asked(at(server, "/run/trl.log/data")))[1]);
      assert.equal(head.news, Deno.statSync(path).mtime!.getTime());
      if (head.trainStep === 1) break;
    }
    assert.equal((await asked(at(server, "/run/trl.log/stop"), { method: "POST" }))[0], 403);
  } finally {
    await server.close();
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("serveLive() tells nothing where nothing has changed", () =>
  serving(async (server) => {
    const response = await fetch(at(server, `/run/${RUN_A}/events`)), reader = response.body!.getReader();
    let heard = new TextDecoder().decode((await reader.read()).value);
    await new Promise((resolve) => setTimeout(resolve, 200)); // ten looks
    const next = reader.read();
    await server.close();
    heard += new TextDecoder().decode((await next).value);
    assert.deepEqual(heard.match(/event: run/g), ["event: run"]);
  }));

Deno.test("serveLive() gives a page the images that it shows by their ids, and no other file", () =>
  withRuns(async (runs) => {
    const folder = visualRun(runs), [{ name: id }] = [...Deno.readDirSync(join(folder, "images"))] as [Deno.DirEntry];
    await Deno.writeTextFile(join(folder, "images", "notes.txt"), "secret");
    const server = serveLive({ runs, path: folder, port: 0, every: 20 });
    try {
      const [, page] = await asked(server.address);
      assert.doesNotMatch(page, /data:image/);
      const address = new RegExp(`<image href=\\\\?"(/run/${RUN_A}/images/[0-9a-f]{32}-56x56\\.png\\?token=[-0-9a-f]+)`)
        .exec(page)![1]!;
      const response = await fetch(new URL(address, server.address));
      assert.deepEqual([response.status, response.headers.get("content-type")], [200, "image/png"]);
      assert.match(response.headers.get("content-security-policy")!, /img-src data: 'self';/);
      assert.deepEqual([...new Uint8Array(await response.arrayBuffer()).subarray(1, 4)], [80, 78, 71]);
      const path = (file: string) => at(server, `/run/${RUN_A}/images/${file}`);
      assert.equal((await fetch(path(id))).status, 200);
      assert.deepEqual(await asked(at(server, `/run/${RUN_A}/images/${id}`, ["token"])), [403, "Not for you"]);
      for (
        const file of ["", "notes.txt", "..%2frun.json", "..%2f..%2fsecret", `${"0".repeat(32)}-9x9.png`, `%00${id}`]
      ) {
        const [status, text] = await asked(path(file));
        assert(status === 404 && !text.includes("secret"), `${file}: ${status} ${text}`);
      }
      assert.equal((await asked(at(server, `/run/${RUN_B}/images/${id}`)))[0], 404, "it is of another run");
      const { data } = JSON.parse((await asked(at(server, `/run/${RUN_A}/data`)))[1]);
      assert.match(data.completions[0].picture, /^<div class="picture".*<image href="\/run\//);
      await Deno.remove(join(folder, "images"), { recursive: true });
      const gone = JSON.parse((await asked(at(server, `/run/${RUN_A}/data`)))[1]).data.completions[0].picture;
      assert.match(gone, /class="box".*<p class="note">The image is not in the run&#39;s folder images</);
      assert.doesNotMatch(gone, /<image/);
    } finally {
      await server.close();
    }
  }));
