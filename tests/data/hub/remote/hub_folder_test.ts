import assert from "node:assert/strict";
import { join } from "node:path";
import { adapterBase, hubData, hubFile, hubFolder, NotCachedError } from "../../../../data/hub/remote/hub_folder.ts";
import { withCached } from "./cached.ts";

Deno.test("hubFolder() finds a whole model in the cache, and names the command that fetches another", () =>
  withCached({ "org/tiny": "tests/models/qwen2" }, (folders, cache) => {
    assert.equal(hubFolder("hf:org/tiny"), folders["org/tiny"]);
    assert.throws(() => hubFolder("hf:org/tiny@v2"), (error: Error) => {
      assert(error instanceof NotCachedError);
      assert.deepEqual(error.words, ["pull", "org/tiny", "--revision", "v2"]);
      const why = `it is not in the cache at ${cache}; fetch it by: deno task pull org/tiny --revision v2`;
      assert.equal(error.message, `Cannot load "hf:org/tiny@v2": ${why}`);
      return true;
    });
    Deno.removeSync(join(folders["org/tiny"]!, "model.safetensors"));
    assert.throws(() => hubFolder("hf:org/tiny"), /lacks model\.safetensors; fetch it by: deno task pull org\/tiny$/);
    assert.throws(() => hubFolder("hf:datasets/org/sums"), /it is a data set, want a model/);
    assert.throws(() => hubFolder("hf:org/tiny/config.json"), /it names the file "config\.json", want a repository/);
  }));

Deno.test("hubFile() finds a file of a data set, and leaves its folder for none", () =>
  withCached({ "datasets/org/sums": "tests/models/qwen2" }, (folders) => {
    assert.equal(hubFile("hf:datasets/org/sums/config.json"), join(folders["datasets/org/sums"]!, "config.json"));
    assert.throws(() => hubFile("hf:datasets/org/sums/train.jsonl"), {
      message:
        /its file train\.jsonl is not in the cache; fetch it by: deno task pull datasets\/org\/sums --include train\.jsonl/,
    });
    for (const path of ["", "/../../refs/main", "/..\\x"]) {
      assert.throws(
        () => hubFile(`hf:datasets/org/sums${path}`),
        /it names no file, want one such as hf:datasets\/org\/sums\//,
      );
    }
  }));

Deno.test("hubData() finds a data set, a folder of it as one of its configurations, and a file", () =>
  withCached({ "datasets/org/sums": "tests/models/qwen2" }, (folders) => {
    const whole = folders["datasets/org/sums"]!, main = join(whole, "main");
    Deno.mkdirSync(main);
    assert.equal(hubData("hf:datasets/org/sums"), whole);
    assert.equal(hubData("hf:datasets/org/sums/main"), main);
    assert.equal(hubData("hf:datasets/org/sums/config.json"), join(whole, "config.json"));
    assert.throws(() => hubData("hf:datasets/org/sums/other"), /its file other is not in the cache; fetch it by/);
    assert.throws(() => hubData("hf:datasets/org/sums/../x"), /it names no file/);
  }));

Deno.test("adapterBase() is the model that an adapter belongs to", () => {
  const folder = Deno.makeTempDirSync();
  const write = (settings: unknown) =>
    Deno.writeTextFileSync(join(folder, "adapter_config.json"), JSON.stringify(settings));
  try {
    assert.equal(adapterBase(folder), null);
    write({ base_model_name_or_path: "org/tiny", revision: "refs/pr/1" });
    assert.equal(adapterBase(folder), "hf:org/tiny@refs%2Fpr%2F1");
    write({ base_model_name_or_path: join(Deno.cwd(), "tests/models/qwen2") });
    assert.equal(adapterBase(folder), join(Deno.cwd(), "tests/models/qwen2"));
    write({ base_model_name_or_path: null });
    assert.throws(
      () => adapterBase(folder),
      /its adapter_config\.json has no base_model_name_or_path; give the model as model/,
    );
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
