/** What may use the network: the command pull, through one folder of the source. */
import assert from "node:assert/strict";
import { none, read, SOURCES } from "./sources.ts";

const REMOTE = "data/hub/remote/";

/** Whether a text asks a server or listens for who asks. */
const asks = (text: string) =>
  /(?<![\w.])fetch\(|\bWebSocket\(|Deno\.(?:connect|listen|serve)|from "node:(?:https?|net|tls|dgram)"/.test(text);

Deno.test("only the task pull has network permission", async () => {
  const { tasks } = JSON.parse(await read("deno.json")) as { tasks: Record<string, { readonly command: string }> };
  const open = Object.entries(tasks).filter(([, { command }]) => /--allow-(?:net|all)\b|\s-A\b/.test(command));
  assert.deepEqual(open.map(([name]) => name), ["pull"]);
});

Deno.test("only what pull uses asks a server", () => {
  assert(asks("await fetch(url)") && asks("Deno.serve()") && !asks("this.prefetch(x)") && !asks("cache.fetch(x)"));
  none(
    SOURCES.filter(({ path, text }) => !path.startsWith(REMOTE) && asks(text)).map(({ path }) => path),
    `the network is used by ${REMOTE} alone`,
  );
  assert(SOURCES.some(({ path, text }) => path.startsWith(REMOTE) && asks(text)));
});
