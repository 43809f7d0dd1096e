import assert from "node:assert/strict";
import { parseRepository } from "../../../../data/hub/remote/repository.ts";
import {
  chunksOf,
  type Client,
  hostOf,
  networkReason,
  pause,
  request,
  requestJson,
} from "../../../../data/hub/remote/request.ts";

function client(endpoint: string, signal = new AbortController().signal): Client & { readonly told: string[] } {
  const told: string[] = [];
  const environment = { endpoint, token: () => "secret", cache: "", tokenPath: "" };
  return {
    environment,
    repository: parseRepository("a/b"),
    signal,
    tell: (text) => told.push(text),
    patience: 1,
    told,
  };
}

/** Serves `answer` on a port of its own. */
async function serving(answer: (url: URL) => Response, body: (endpoint: string) => Promise<void>): Promise<void> {
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    (asked) => answer(new URL(asked.url)),
  );
  try {
    await body(`http://127.0.0.1:${server.addr.port}`);
  } finally {
    await server.shutdown();
  }
}

Deno.test("request() ends redirects that go round, and follows none to a file or into nothing", async () => {
  await serving(
    (url) => Response.redirect(url, 302),
    (at) => assert.rejects(request(client(at), `${at}/x`), /redirects without an end/),
  );
  const to = (location: string) => () => new Response(null, { status: 302, headers: { location } });
  await serving(
    to("file:///etc/passwd"),
    (at) =>
      assert.rejects(request(client(at), `${at}/x`), /leads to file:.*want an address by https; nothing was fetched/),
  );
  await serving(
    () => new Response(null, { status: 307 }),
    (at) => assert.rejects(request(client(at), `${at}/x`), /redirects without/),
  );
});

Deno.test("requestJson() follows no next page of another host", async () => {
  const link = { headers: { link: '<http://elsewhere/x>; rel="next"' } };
  await serving(
    () => Response.json([], link),
    (at) => assert.rejects(requestJson(client(at), `${at}/x`), /a next page at "http:\/\/elsewhere\/x"/),
  );
  const own = { headers: { link: '</y?cursor=a%3D>; rel="next"' } };
  await serving(
    () => Response.json([1], own),
    async (at) =>
      assert.deepEqual(await requestJson(client(at), `${at}/x`), { value: [1], next: `${at}/y?cursor=a%3D` }),
  );
});

Deno.test("pause() says why and ends with the pull", async () => {
  const stop = new AbortController(), own = client("http://x", stop.signal);
  await pause(own, 2, null, "Cannot pull a/b: it is busy; wait");
  assert.deepEqual(own.told, ["it is busy: trying again in 1 s"]);
  const waiting = pause(own, 1, 60_000, "busy");
  stop.abort(new Error("stopped"));
  await assert.rejects(waiting, /stopped/);
});

Deno.test("chunksOf() gives the bytes of an answer", async () => {
  const parts: number[] = [];
  for await (const chunk of chunksOf(new Response("abc"), new AbortController().signal)) parts.push(...chunk);
  assert.deepEqual(parts, [97, 98, 99]);
});

Deno.test("networkReason() gives the innermost reason", () => {
  const cause = new Error("tcp connect error: Connection refused (os error 111)");
  assert.equal(networkReason(new TypeError("error sending request", { cause })), "Connection refused");
  assert.equal(hostOf("http://a:1/b"), "a:1");
});

Deno.test("request() asks a host that cannot be reached as often as it is told to", async () => {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" }), { port } = listener.addr as Deno.NetAddr;
  listener.close();
  for (const [tries, pauses] of [[1, 0], [2, 1], [undefined, 5]] as const) {
    const asking = client(`http://127.0.0.1:${port}`);
    await assert.rejects(request(asking, `http://127.0.0.1:${port}/x`, {}, tries), /cannot be reached/);
    assert.equal(asking.told.length, pauses);
  }
});
