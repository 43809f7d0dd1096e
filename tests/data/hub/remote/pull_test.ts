/** Pulls from a server that speaks the Hub's routes, sound and faulty. @module */
import assert from "node:assert/strict";
import { join } from "node:path";
import { cachedSnapshot, repositoryFolder } from "../../../../data/hub/remote/cache.ts";
import { hubData, hubFile } from "../../../../data/hub/remote/hub_folder.ts";
import { parseRepository } from "../../../../data/hub/remote/repository.ts";
import { type Faults, hosted, hubServer, sha256, TOKEN } from "./hub_server.ts";
import { type Place, withHub } from "./pulled.ts";

const WEIGHTS = Uint8Array.from({ length: 300_000 }, (_, i) => i * 7 + (i >> 8));
const CONFIG = '{"model_type": "qwen2"}';
const MODEL = hosted("org/tiny", {
  "config.json": CONFIG,
  "generation_config.json": "{}",
  "tokenizer.json": "{}",
  "tokenizer_config.json": "{}",
  "model.safetensors": WEIGHTS,
  "pytorch_model.bin": "pickle",
  "onnx/model.onnx": "onnx",
  "README.md": "---\nlicense: mit\n---\n",
  ".gitattributes": "x",
}, { tags: ["v1", "refs/pr/2"] });
const FETCHED = [
  "README.md",
  "config.json",
  "generation_config.json",
  "model.safetensors",
  "tokenizer.json",
  "tokenizer_config.json",
];

const files = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

/** The pull fails with the message; what is in the cache is told. */
async function refused(place: Place, message: RegExp, address = "org/tiny"): Promise<void> {
  await assert.rejects(place.pull(address), { name: "PullError", message });
  assert.equal(cachedSnapshot(place.environment, parseRepository("org/tiny")), null, "no revision is remembered");
}

const incomplete = ({ environment }: Place) =>
  join(repositoryFolder(environment, parseRepository("org/tiny")), "blobs", `${sha256(WEIGHTS)}.incomplete`);

Deno.test("pull() fetches what load_model takes into blobs, links from the snapshot and remembers the revision", () =>
  withHub([MODEL], {}, async ({ cache, pull, server, environment }) => {
    const seen: number[] = [];
    const found = await pull("org/tiny", { onProgress: ({ bytesDone, bytes }) => seen.push(bytesDone / bytes) });
    assert.equal(found.folder, join(cache, "models--org--tiny/snapshots", MODEL.commit));
    assert.deepEqual(files(found.folder), FETCHED);
    assert.equal(Deno.readTextFileSync(join(cache, "models--org--tiny/refs/main")), MODEL.commit);
    assert.equal(Deno.readLinkSync(join(found.folder, "model.safetensors")), `../../blobs/${sha256(WEIGHTS)}`);
    assert.deepEqual(Deno.readFileSync(join(found.folder, "model.safetensors")), WEIGHTS);
    assert.deepEqual(
      files(join(cache, "models--org--tiny/.no_exist", MODEL.commit)).includes("chat_template.jinja"),
      true,
    );
    assert.equal(seen.at(-1), 1);
    assert.equal(cachedSnapshot(environment, parseRepository("hf:org/tiny")), found.folder);
    // Again: nothing is fetched; by another name of the commit the files are those.
    const before = server.asked.length, again = await pull("org/tiny@v1");
    assert.equal(again.bytesFetched, 0);
    assert.equal(server.asked.slice(before).some(({ path }) => path.includes("/resolve/")), false);
    assert.equal(Deno.readTextFileSync(join(cache, "models--org--tiny/refs/v1")), MODEL.commit);
    await pull("org/tiny@refs%2Fpr%2F2");
    assert.equal(Deno.readTextFileSync(join(cache, "models--org--tiny/refs/refs/pr/2")), MODEL.commit);
  }));

Deno.test("pull() goes on where an earlier one broke off, also one that was killed", () =>
  withHub([MODEL], { dead: true }, async (place) => {
    await refused(place, /model\.safetensors broke off after \d+ of 300000 bytes .*it goes on where it stopped/);
    const had = Deno.statSync(incomplete(place)).size;
    assert(had > 0 && had < WEIGHTS.length, String(had));
    place.heal();
    const before = place.server.asked.length, found = await place.pull("org/tiny");
    assert.deepEqual(Deno.readFileSync(join(found.folder, "model.safetensors")), WEIGHTS);
    assert.equal(
      place.server.asked.slice(before).find(({ path }) => path.includes("safetensors"))!.range,
      `bytes=${had}-`,
    );
    assert.equal(found.bytesFetched, WEIGHTS.length - had);
  }));

Deno.test("pull() continues within one call when the connection breaks a few times", () =>
  withHub([MODEL], { cut: 3 }, async ({ pull, told }) => {
    let last = 0;
    const found = await pull("org/tiny", { onProgress: ({ bytesDone, bytes }) => last = bytesDone / bytes });
    assert.deepEqual(Deno.readFileSync(join(found.folder, "model.safetensors")), WEIGHTS);
    assert.equal(told.filter((text) => /trying again/.test(text)).length, 3);
    assert.equal(last, 1, "bytes are counted once");
  }));

Deno.test("pull() starts a file again where the server sends no parts, or the part that is there is of another file", async () => {
  for (const faults of [{ noRange: true }, {}] as Faults[]) {
    await withHub([MODEL], faults, async (place) => {
      await place.pull("org/tiny");
      const folder = repositoryFolder(place.environment, parseRepository("org/tiny"));
      Deno.removeSync(folder, { recursive: true });
      Deno.mkdirSync(join(folder, "blobs"), { recursive: true });
      Deno.writeFileSync(incomplete(place), new Uint8Array(1000).fill(9));
      const found = await place.pull("org/tiny");
      assert.deepEqual(Deno.readFileSync(join(found.folder, "model.safetensors")), WEIGHTS);
    });
  }
});

Deno.test("pull() refuses bytes with another hash, and leaves none of them", () =>
  withHub([MODEL], { damage: true }, async (place) => {
    await refused(place, /has (?:sha256|git hash) [0-9a-f]+, want [0-9a-f]+; it was removed/);
    const home = repositoryFolder(place.environment, parseRepository("org/tiny"));
    assert.deepEqual(files(join(home, "blobs")).filter((name) => !name.endsWith(".incomplete")), []);
  }));

Deno.test("pull() refuses a server that lies about sizes", async () => {
  await withHub([MODEL], { lie: 5 }, (place) => refused(place, /sends \d+ bytes as \S+, its list says \d+/));
  await withHub([MODEL], { lie: -5 }, (place) => refused(place, /sends \d+ bytes as \S+, its list says \d+/));
  await withHub([MODEL], { longer: true }, (place) => refused(place, /sends more than the \d+ bytes of/));
});

Deno.test("pull() refuses names that leave the folder, before anything is fetched", async () => {
  const bad = [
    "../x.safetensors",
    "/etc/model.safetensors",
    "a/../../b",
    "a\\b",
    "C:model",
    "a\u0000b",
    "",
    "./x",
    "x".repeat(300),
    "y/".repeat(600),
  ];
  for (const path of bad) {
    await withHub([MODEL], { list: [{ type: "file", path, size: 1, oid: "0".repeat(40) }] }, async (place) => {
      await refused(place, /its list has .*(?:want|which has|a name of)/);
      assert.deepEqual(files(join(place.cache, "..")), []);
    });
  }
});

Deno.test("pull() names what is no Hub: other lists, hashes, sizes, pages without an end", async () => {
  const entry = { type: "file", path: "config.json", size: 1, oid: "0".repeat(40) };
  const cases: [Faults, RegExp][] = [
    [{ text: "<html>" }, /answers with what is not JSON, want the lists of a Hub; look at HF_ENDPOINT/],
    [{ text: "{}" }, /answers with no commit of the revision/],
    [{ list: {} }, /answers with no list of files/],
    [{ list: [{ ...entry, oid: "../../x" }] }, /answers with hash/],
    [{ list: [{ ...entry, size: -1 }] }, /answers with size -1/],
    [{ list: [entry, entry] }, /answers with file "config.json" twice/],
    [{ list: [{ type: "file" }] }, /a file without a path/],
  ];
  for (const [faults, message] of cases) await withHub([MODEL], faults, (place) => refused(place, message));
});

Deno.test("pull() says how to get access, and sends the token to the Hub alone", async () => {
  const gated = { refuse: { status: 403, code: "GatedRepo" } };
  await withHub(
    [MODEL],
    gated,
    (place) =>
      refused(
        place,
        /it is gated, and no token was given; ask for access at \S+\/org\/tiny, then set HF_TOKEN to a token/,
      ),
  );
  await withHub([MODEL], gated, (place) => refused(place, /your token has no access to it; ask for access at/), TOKEN);
  await withHub(
    [MODEL],
    { refuse: { status: 401, message: "Invalid credentials in Authorization header" } },
    (place) => refused(place, /does not know your token; renew HF_TOKEN, or the one in .*token/),
    TOKEN,
  );
  await withHub(
    [MODEL],
    {},
    (place) =>
      refused(place, /has no model of that name, or it is private or gated: .*; look at the spelling on/, "org/tyni"),
  );
  await withHub(
    [MODEL],
    {},
    (place) => refused(place, /it has no revision "v9"; look at its branches and tags on/, "org/tiny@v9"),
  );
  await withHub([MODEL], { refuse: { status: 403, message: "no" } }, (place) => refused(place, /forbids it \("no"\)/));
  await withHub([MODEL], { refuse: { status: 418 } }, (place) => refused(place, /refuses with status 418/));
  await using other = hubServer([MODEL]);
  await withHub([MODEL], { elsewhere: other.endpoint }, async ({ pull, server }) => {
    const { folder } = await pull("org/tiny");
    assert.deepEqual(Deno.readFileSync(join(folder, "model.safetensors")), WEIGHTS);
    assert.deepEqual(new Set(server.asked.map(({ authorization }) => authorization)), new Set([`Bearer ${TOKEN}`]));
    assert.deepEqual(other.asked.map(({ authorization }) => authorization), [null]);
  }, TOKEN);
});

Deno.test("pull() waits as a busy server asks, and gives up after some tries", async () => {
  await withHub([MODEL], { busy: 2, status: 429, after: "0" }, async ({ pull, told }) => {
    await pull("org/tiny");
    assert.equal(told.length, 2);
    assert.match(told[0]!, /takes no more requests for now: trying again in 0 s/);
  });
  await withHub([MODEL], { busy: 3 }, async ({ pull }) => void await pull("org/tiny"));
  await withHub(
    [MODEL],
    { busy: 1000 },
    (place) => refused(place, /has a fault \(status 503\); run the same command again later/),
  );
  await withHub([MODEL], { busy: 1000, status: 429 }, (place) => refused(place, /takes no more requests for now/));
});

Deno.test("pull() names a server that is not there", () =>
  withHub([MODEL], {}, async (place) => {
    await place.server[Symbol.asyncDispose]();
    await refused(place, /127\.0\.0\.1:\d+ cannot be reached \(.*\); look at the connection and at HF_ENDPOINT/);
  }));

Deno.test("pull() ends when it is told to, and goes on from there", () =>
  withHub([MODEL], { slow: 30 }, async (place) => {
    const stop = new AbortController();
    const pulled = place.pull("org/tiny", {
      signal: stop.signal,
      onProgress: ({ bytesFetched }) => bytesFetched > 100_000 && stop.abort(new Error("enough")),
    });
    await assert.rejects(pulled, /enough/);
    const had = Deno.statSync(incomplete(place)).size;
    assert(had >= 65536 && had < WEIGHTS.length, String(had));
    place.heal();
    assert.equal((await place.pull("org/tiny")).bytesFetched, WEIGHTS.length - had);
  }));

Deno.test("pull() twice at once fetches each file once", () =>
  withHub([MODEL], { slow: 20 }, async ({ pull, server }) => {
    const [a, b] = await Promise.all([pull("org/tiny"), pull("org/tiny")]);
    assert.equal(a.folder, b.folder);
    // Three of the files are "{}": one blob, fetched once.
    assert.equal(a.bytesFetched + b.bytesFetched, a.bytes - 4);
    assert.equal(server.asked.filter(({ path }) => path.includes("/resolve/")).length, FETCHED.length - 2);
  }));

Deno.test("pull() fetches no weights when the check of what lies beside them throws", () =>
  withHub([MODEL], {}, async ({ pull, server }) => {
    const check = (folder: string) => {
      assert.equal(Deno.readTextFileSync(join(folder, "config.json")), CONFIG);
      throw new RangeError("no such family");
    };
    await assert.rejects(pull("org/tiny", { check }), /no such family/);
    assert.equal(server.asked.some(({ path }) => path.includes("safetensors")), false);
  }));

Deno.test("pull() refuses a repository whose index names a shard that is not there", () =>
  withHub(
    [hosted("org/tiny", {
      "config.json": "{}",
      "model.safetensors.index.json":
        '{"weight_map": {"a": "model-00001-of-00002.safetensors", "b": "model-00002-of-00002.safetensors"}}',
      "model-00001-of-00002.safetensors": "x",
    })],
    {},
    (place) => refused(place, /the repository has no model-00002-of-00002\.safetensors/),
  ));

Deno.test("pull() of a data set keeps its folders", () =>
  withHub(
    [hosted("org/sums", { "main/train.parquet": "rows", "README.md": "card", "load.py": "code" }, { type: "dataset" })],
    {},
    async ({ pull, cache }) => {
      const { folder } = await pull("datasets/org/sums");
      assert(folder.startsWith(join(cache, "datasets--org--sums")));
      assert.deepEqual(files(folder), ["README.md", "main"]);
      assert.equal(Deno.readTextFileSync(join(folder, "main/train.parquet")), "rows");
      assert.equal(Deno.readLinkSync(join(folder, "main/train.parquet")).startsWith("../../../blobs/"), true);
    },
  ));

Deno.test("a data set that was cut off is not taken for whole, though its commit is named", () => {
  const rows = hosted("org/rows", { "a.jsonl": "rows", "b.parquet": "x".repeat(1000) }, { type: "dataset" });
  return withHub([rows], {}, async (place) => {
    const { pull, server, environment } = place, address = `hf:datasets/org/rows@${rows.commit}`;
    server.faults.lie = 1; // of the large file alone
    await assert.rejects(pull(address), { name: "PullError" });
    assert.equal(Deno.readTextFileSync(hubFile(`${address}/a.jsonl`, environment)), "rows");
    assert.throws(() => hubData(address, environment), {
      name: "RangeError",
      message:
        /its fetch was cut off, and .* has a part of it; fetch it by: deno task pull datasets\/org\/rows --revision/,
    });
    await assert.rejects(pull(address, { environment: { ...environment, offline: true } }), /all of it is not in/);
    place.heal();
    const { folder } = await pull(address);
    assert.equal(hubData(address, environment), folder);
    assert.equal((await pull(address, { environment: { ...environment, offline: true } })).folder, folder);
  });
});

Deno.test("pull() asks nobody when HF_HUB_OFFLINE is set", () =>
  withHub([MODEL], {}, async ({ pull, server, environment }) => {
    const without = { environment: { ...environment, offline: true } };
    await assert.rejects(pull("org/tiny", without), /HF_HUB_OFFLINE is set, and it is not in .*hub; unset it/);
    assert.equal(server.asked.length, 0);
    const { folder } = await pull("org/tiny");
    assert.equal((await pull("org/tiny", without)).folder, folder);
    Deno.removeSync(join(folder, "model.safetensors"));
    await assert.rejects(pull("org/tiny", without), /model\.safetensors is not in/);
  }));

Deno.test("pull() gives up on a server that sends no parts and breaks every connection off", () =>
  withHub([MODEL], { cut: Infinity, noRange: true }, async (place) => {
    await refused(place, /model\.safetensors broke off after \d+ of 300000 bytes/);
    assert(place.server.asked.length < 40, String(place.server.asked.length));
  }));

Deno.test("pull() fetches again what lies in the cache with its size and not with its hash", () =>
  withHub([MODEL], {}, async ({ pull, told }) => {
    const weights = join((await pull("org/tiny")).folder, "model.safetensors"), changed = WEIGHTS.slice();
    changed[1000]! ^= 1;
    Deno.writeFileSync(weights, changed);
    assert.equal((await pull("org/tiny")).bytesFetched, WEIGHTS.length);
    assert.deepEqual(Deno.readFileSync(weights), WEIGHTS);
    assert.deepEqual(told, ["model.safetensors in the cache does not have its hash: fetching it again"]);
  }));

Deno.test("pull() ends a list without an end, of folders too", () =>
  withHub([MODEL], { pages: true }, (place) => refused(place, /answers with more than \d+ pages/)));

Deno.test("pull() of a commit takes no other commit", () =>
  withHub(
    [MODEL],
    { sha: "b".repeat(40) },
    (place) => refused(place, /answers with commit b{40} in place of [0-9a-f]{40}/, `org/tiny@${MODEL.commit}`),
  ));

Deno.test("pull() shows no token that the server sends back, and no control character", () =>
  withHub(
    [MODEL],
    { echo: true },
    (place) => refused(place, /refuses with status 418 \("you sent Bearer ‹your token›\ufffd31m"\)$/),
    TOKEN,
  ));

Deno.test("pull() names an answer with nothing in it", () =>
  withHub([MODEL], { empty: 204 }, (place) => refused(place, /refuses with status 204/)));

Deno.test("pull() refuses a file that has the name of a folder", () => {
  const list = ["data", "data/a.json"].map((path) => ({ type: "file", path, size: 1, oid: "0".repeat(40) }));
  return withHub([MODEL], { list }, (place) => refused(place, /its list has "data" as a file and as a folder/));
});

Deno.test("pull() takes names as long as file systems do", () => {
  const name = `LICENSE${"x".repeat(248)}`;
  return withHub([hosted("org/long", { "config.json": "{}", "model.safetensors": "w", [name]: "free" })], {}, async ({
    pull,
  }) => assert.equal(Deno.readTextFileSync(join((await pull("org/long")).folder, name)), "free"));
});

Deno.test("pull() writes nothing into a whole cache, which may be another's", () =>
  withHub([MODEL], {}, async ({ pull }) => {
    const { folder } = await pull("org/tiny"), { mkdirSync, writeTextFileSync, openSync } = Deno;
    const denied = () => {
      throw new Deno.errors.PermissionDenied("Permission denied (os error 13)");
    };
    try {
      Object.assign(Deno, { mkdirSync: denied, writeTextFileSync: denied, openSync: denied });
      assert.equal((await pull("org/tiny")).folder, folder);
    } finally {
      Object.assign(Deno, { mkdirSync, writeTextFileSync, openSync });
    }
  }));
