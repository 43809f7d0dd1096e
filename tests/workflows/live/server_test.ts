import assert from "node:assert/strict";
import { join } from "node:path";
import { type LiveServer, serveLive } from "../../../workflows/live/server.ts";
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
