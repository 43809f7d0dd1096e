import assert from "node:assert/strict";
import { join } from "node:path";
import {
  cachedCommit,
  cachedSnapshot,
  hubSource,
  isUnfinished,
  lockFolder,
  missingFiles,
  repositoryFolder,
  unfinishedMark,
} from "../../../../data/hub/remote/cache.ts";
import { parseRepository } from "../../../../data/hub/remote/repository.ts";

Deno.test("cachedSnapshot() follows a reference to its commit, and believes none that is no commit", () => {
  const cache = Deno.makeTempDirSync(), commit = "c".repeat(40), main = parseRepository("org/name");
  try {
    const home = repositoryFolder({ cache }, main);
    assert.equal(home, join(cache, "models--org--name"));
    assert.equal(lockFolder({ cache }, parseRepository("datasets/gsm")), join(cache, ".locks/datasets--gsm"));
    assert.equal(cachedSnapshot({ cache }, main), null);
    Deno.mkdirSync(join(home, "refs/refs/pr"), { recursive: true });
    Deno.writeTextFileSync(join(home, "refs/main"), "../../../etc");
    assert.equal(cachedCommit({ cache }, main), null);
    Deno.writeTextFileSync(join(home, "refs/main"), `${commit}\n`);
    Deno.writeTextFileSync(join(home, "refs/refs/pr/1"), commit);
    assert.equal(cachedCommit({ cache }, main), commit);
    assert.equal(cachedSnapshot({ cache }, main), null, "the files are gone");
    Deno.mkdirSync(join(home, "snapshots", commit), { recursive: true });
    for (const address of ["org/name", `org/name@${commit}`, "org/name@refs%2Fpr%2F1"]) {
      assert.equal(cachedSnapshot({ cache }, parseRepository(address)), join(home, "snapshots", commit));
    }
    assert.equal(cachedSnapshot({ cache }, parseRepository("org/name@v2")), null);
    assert.equal(isUnfinished({ cache }, main), false);
    Deno.mkdirSync(join(home, ".unfinished"));
    Deno.writeTextFileSync(unfinishedMark({ cache }, main, commit), "");
    assert.deepEqual([isUnfinished({ cache }, main), isUnfinished({ cache }, parseRepository("org/name@v2"))], [
      true,
      false,
    ]);
  } finally {
    Deno.removeSync(cache, { recursive: true });
  }
});

Deno.test("missingFiles() names what a model or an adapter lacks", () => {
  const folder = Deno.makeTempDirSync(),
    write = (name: string, text = "") => Deno.writeTextFileSync(join(folder, name), text);
  try {
    assert.deepEqual(missingFiles(folder), ["config.json"]);
    write("config.json");
    assert.deepEqual(missingFiles(folder), ["model.safetensors"]);
    write(
      "model.safetensors.index.json",
      '{"weight_map": {"a": "b.safetensors", "c": "a.safetensors", "d": "b.safetensors"}}',
    );
    write("a.safetensors");
    assert.deepEqual(missingFiles(folder), ["b.safetensors"]);
    write("model.safetensors");
    assert.deepEqual(missingFiles(folder), []);
    write("adapter_config.json");
    assert.deepEqual(missingFiles(folder), ["adapter_model.safetensors"]);
    write("adapter_model.safetensors");
    assert.deepEqual(missingFiles(folder), []);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("hubSource() is the name and the commit of a snapshot in the cache", () => {
  const commit = "a".repeat(40);
  assert.deepEqual(hubSource(`/c/hub/models--org--na.me/snapshots/${commit}`), { name: "org/na.me", commit });
  assert.equal(hubSource("/c/hub/models--org--na.me/snapshots/main"), null);
  assert.equal(hubSource("/home/me/model"), null);
  assert.equal(hubSource(null), null);
});
