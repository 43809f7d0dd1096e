import assert from "node:assert/strict";
import { expandPattern, isPattern, openStream, walkFolder } from "../../../../data/adapters/source/walk.ts";

async function inFolder(files: readonly string[], run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    for (const file of files) {
      await Deno.mkdir(`${folder}/${file}`.replace(/\/[^/]*$/, ""), { recursive: true });
      await Deno.writeTextFile(`${folder}/${file}`, "x");
    }
    await run(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("walkFolder() lists logs, leaves weights and labels, takes the last checkpoint", async () => {
  const files = [
    "log.txt",
    "label.json",
    "model.safetensors",
    "checkpoint-9/a.json",
    "checkpoint-10/a.json",
    "x/.git/config",
  ];
  await inFolder(files, async (folder) => {
    const { files } = await walkFolder(folder + "/");
    assert.deepEqual(files.map(({ path }) => path.slice(folder.length + 1)), ["checkpoint-10/a.json", "log.txt"]);
  });
});

Deno.test("walkFolder() does not follow links in circles, and says so", async () => {
  await inFolder(["a/log.txt"], async (folder) => {
    await Deno.symlink(folder, `${folder}/a/back`);
    await Deno.symlink(`${folder}/self`, `${folder}/self`);
    await Deno.symlink(`${folder}/nowhere`, `${folder}/broken`);
    const { files, left } = await walkFolder(folder);
    assert.equal(files.length, 1);
    assert.deepEqual(left.map(({ path, reason }) => [path.slice(folder.length + 1), reason]), [
      ["a/back", "a link back to a folder already read"],
      ["broken", "a link that leads nowhere or in a circle"],
      ["self", "a link that leads nowhere or in a circle"],
    ]);
  });
});

Deno.test("walkFolder() stops at its depth and names what it left", async () => {
  await inFolder(["1/2/3/4/5/log.txt", "1/log.txt"], async (folder) => {
    const { files, left } = await walkFolder(folder);
    assert.equal(files.length, 1);
    assert.match(left[0]!.reason, /deeper than 4 folders/);
  });
});

Deno.test("expandPattern() takes what is there by the exact name, brackets and all", async () => {
  await inFolder(["run[1]/a.log", "run1/a.log", "run[2.log"], async (folder) => {
    const shown = async (pattern: string) =>
      (await expandPattern(`${folder}/${pattern}`)).map((path) => path.slice(folder.length + 1));
    assert.deepEqual(await shown("run[1]/*.log"), ["run[1]/a.log"]);
    assert.deepEqual(await shown("run[2.log"), ["run[2.log"]);
  });
});

Deno.test("expandPattern() expands stars in folders and files, sorted", async () => {
  await inFolder(["b/run.log", "a/run.log", "a/other.txt", ".hidden/run.log"], async (folder) => {
    const found = await expandPattern(`${folder}/*/*.log`);
    assert.deepEqual(found.map((path) => path.slice(folder.length + 1)), ["a/run.log", "b/run.log"]);
    assert.deepEqual(await expandPattern(`${folder}/none*/x`), []);
    for (const none of ["run[1.log", "run[z-a]*.log"]) assert.deepEqual(await expandPattern(`${folder}/a/${none}`), []);
  });
  assert(isPattern("a*b") && isPattern("a?") && !isPattern("a.b"));
});

Deno.test("openStream() shows a head and still gives every byte", async () => {
  async function* bytes() {
    for (let i = 0; i < 100; i++) yield await Promise.resolve(new Uint8Array(1000).fill(i));
  }
  const source = await openStream(bytes(), "-");
  assert.equal(source.head.length, 65_536);
  let total = 0;
  for await (const chunk of source.chunks()) total += chunk.length;
  assert.equal(total, 100_000);
});
