/** What may use the network: pull through one folder, watch, which serves this machine, the program that tells a webhook. */
import assert from "node:assert/strict";
import { importsOf, none, read, SOURCES } from "./sources.ts";

const REMOTE = "data/hub/remote/", SERVED = "workflows/live/";

/** A program of its own, started with permission for one host where a workflow names a webhook. */
const WEBHOOK = "workflows/cron/webhook.ts";

/** Whether a text asks a server or listens for who asks. */
const asks = (text: string) =>
  /(?<![\w.])fetch\(|\bWebSocket\(|Deno\.(?:connect|listen|serve)|from "node:(?:https?|net|tls|dgram)"/.test(text);

Deno.test("only the task pull has network permission, and watch that of this machine", async () => {
  const { tasks } = JSON.parse(await read("deno.json")) as { tasks: Record<string, { readonly command: string }> };
  const open = Object.entries(tasks).filter(([, { command }]) => /--allow-(?:net|all)\b|\s-A\b/.test(command));
  assert.deepEqual(open.map(([name]) => name).sort(), ["pull", "watch"]);
  assert.match(tasks["watch"]!.command, /--allow-net=127\.0\.0\.1 /);
});

Deno.test("only pull and the program that tells a webhook ask a server, and only what watch uses is one", () => {
  assert(asks("await fetch(url)") && asks("Deno.serve()") && !asks("this.prefetch(x)") && !asks("cache.fetch(x)"));
  const mayAsk = (path: string) => path.startsWith(REMOTE) || path.startsWith(SERVED) || path === WEBHOOK;
  none(
    SOURCES.filter(({ path, text }) => !mayAsk(path) && asks(text)).map(({ path }) => path),
    `the network is used by ${REMOTE} and ${WEBHOOK} alone`,
  );
  none(
    SOURCES.filter((source) => importsOf(source).some(({ target }) => target === WEBHOOK)).map(({ path }) => path),
    "It runs by itself",
  );
  none(
    SOURCES.filter(({ path, text }) => path.startsWith(SERVED) && asks(text.replace("Deno.serve(", ""))).map((
      { path },
    ) => path),
    `${SERVED} only serves`,
  );
  assert(SOURCES.some(({ path, text }) => path.startsWith(REMOTE) && asks(text)));
});
