import assert from "node:assert/strict";
import { join } from "node:path";
import { repositoryFolder } from "../../../../data/hub/remote/cache.ts";
import type { RemoteFile } from "../../../../data/hub/remote/listing.ts";
import { parseRepository } from "../../../../data/hub/remote/repository.ts";
import { storeFile } from "../../../../data/hub/remote/store_file.ts";
import { hosted, sha256 } from "./hub_server.ts";
import { withHub } from "./pulled.ts";

const BYTES = new TextEncoder().encode("some weights");
const FILE: RemoteFile = {
  path: "model.safetensors",
  size: BYTES.length,
  hash: { kind: "sha256", hex: sha256(BYTES) },
};
const TINY = hosted("org/tiny", { [FILE.path]: BYTES });

Deno.test("storeFile() takes a blob that is there, and fetches one of another size again", () =>
  withHub([TINY], {}, async ({ environment, server }) => {
    const client = {
      environment,
      repository: parseRepository("org/tiny"),
      signal: new AbortController().signal,
      tell: () => {},
    };
    const home = repositoryFolder(environment, client.repository), blob = join(home, "blobs", FILE.hash.hex);
    const store = async () => {
      const counts = { net: 0, disk: 0 };
      await storeFile(client, TINY.commit, FILE, (bytes, from) => counts[from] += bytes);
      assert.deepEqual(Deno.readFileSync(join(home, "snapshots", TINY.commit, FILE.path)), BYTES);
      return counts;
    };
    assert.deepEqual(await store(), { net: BYTES.length, disk: 0 });
    assert.deepEqual(await store(), { net: 0, disk: BYTES.length });
    Deno.removeSync(join(home, "snapshots"), { recursive: true });
    assert.deepEqual(await store(), { net: 0, disk: BYTES.length }, "the blob of another snapshot");
    Deno.writeTextFileSync(blob, "half");
    assert.deepEqual(await store(), { net: BYTES.length, disk: 0 });
    // A whole file that was not put in its place: its hash is looked at, nothing is fetched.
    Deno.removeSync(join(home, "snapshots"), { recursive: true });
    Deno.renameSync(blob, `${blob}.incomplete`);
    const before = server.asked.length;
    assert.deepEqual(await store(), { net: 0, disk: BYTES.length });
    assert.equal(server.asked.length, before);
  }));

Deno.test("storeFile() says when a file cannot be written, and with what it goes on", () =>
  withHub([TINY], {}, async ({ environment }) => {
    const client = {
      environment,
      repository: parseRepository("org/tiny"),
      signal: new AbortController().signal,
      tell: () => {},
    };
    const open = Deno.openSync;
    Deno.openSync = (path, options) => {
      const file = open(path, options);
      file.writeSync = () => {
        throw new Error("No space left on device (os error 28)");
      };
      return file;
    };
    try {
      await assert.rejects(storeFile(client, TINY.commit, FILE, () => {}), {
        name: "PullError",
        message:
          /model\.safetensors cannot be written \(no space left on device\); make room, or set HF_HUB_CACHE .*it goes on/,
      });
    } finally {
      Deno.openSync = open;
    }
  }));
