/** What may use the network: the command pull through one folder of the source, and watch, which serves this machine. */
import assert from "node:assert/strict";
import { none, read, SOURCES } from "./sources.ts";

const REMOTE = "data/hub/remote/", SERVED = "workflows/live/";

/** Whether a text asks a server or listens for who asks. */
const asks = (text: string) =>
  /(?<![\w.])fetch\(|\bWebSocket\(|Deno\.(?:connect|listen|serve)|from "node:(?:https?|net|tls|dgram)"/.test(text);

Deno.test("only the task pull has network permission, and watch that of this machine", async () => {
  const { tasks } = JSON.parse(await read("deno.json")) as { tasks: Record<string, { readonly command: string }> };
  const open = Object.entries(tasks).filter(([, { command }]) => /--allow-(?:net|all)\b|\s-A\b/.test(command));
  assert.deepEqual(open.map(([name]) => name).sort(), ["pull", "watch"]);
  assert.match(tasks["watch"]!.command, /--allow-net=127\.0\.0\.1 /);
});

Deno.test("only what pull uses asks a server, and only what watch uses is one", () => {
  assert(asks("await fetch(url)") && asks("Deno.serve()") && !asks("this.prefetch(x)") && !asks("cache.fetch(x)"));
  none(
    SOURCES.filter(({ path, text }) => !path.startsWith(REMOTE) && !path.startsWith(SERVED) && asks(text)).map((
      { path },
    ) => path),
    `the network is used by ${REMOTE} alone`,
  );
  none(
    SOURCES.filter(({ path, text }) => path.startsWith(SERVED) && asks(text.replace("Deno.serve(", ""))).map((
      { path },
    ) => path),
    `${SERVED} only serves`,
  );
  assert(SOURCES.some(({ path, text }) => path.startsWith(REMOTE) && asks(text)));
});
