/** One cache for huggingface_hub and ours: what either fetched, the other takes as it lies. Runs where a Python has it. @module */
import assert from "node:assert/strict";
import { join } from "node:path";
import { hubFolder } from "../../data/hub/remote/hub_folder.ts";
import { loadTokenizer } from "../../data/hub/tokenizer.ts";
import { openModelTensors } from "../../data/hub/model_tensors.ts";
import { hosted } from "../data/hub/remote/hub_server.ts";
import { type Place, withHub } from "../data/hub/remote/pulled.ts";
import { trlPython } from "./trl.ts";

const python = trlPython();
const read = (path: string) => Deno.readFileSync(path);
const TINY = hosted("org/tiny", {
  "config.json": read("tests/models/qwen2/config.json"),
  "model.safetensors": read("tests/models/qwen2/model.safetensors"),
  "tokenizer.json": read("tests/models/tokenizer/tokenizer.json"),
  "tokenizer_config.json": read("tests/models/tokenizer/tokenizer_config.json"),
}, { tags: ["v1"] });
const SUMS = hosted("org/sums", { "main/train.parquet": "rows", "README.md": "card" }, { type: "dataset" });

async function peer({ cache, server }: Place, args: readonly string[]): Promise<Record<string, unknown>> {
  const script = new URL("hub_cache.py", import.meta.url).pathname;
  const { success, stdout, stderr } = await new Deno.Command(python!, {
    args: [script, ...args],
    env: { HF_HUB_CACHE: cache, HF_ENDPOINT: server.endpoint, HF_HUB_DISABLE_PROGRESS_BARS: "1" },
  }).output();
  assert(success, new TextDecoder().decode(stderr).slice(-3000));
  return JSON.parse(new TextDecoder().decode(stdout).trim().split("\n").at(-1)!);
}

Deno.test({
  name: "what huggingface_hub fetched is read as it lies, and not fetched again",
  ignore: python === null,
  fn: () =>
    withHub([TINY], {}, async (place) => {
      const { folder } = await peer(place, ["--repo", "org/tiny", "--revision", "v1"]);
      assert.equal(hubFolder("hf:org/tiny@v1", place.environment), folder);
      assert(loadTokenizer(String(folder)).vocabSize > 0);
      using tensors = openModelTensors(String(folder));
      assert(tensors.tensors.size > 0);
      assert.equal((await place.pull("org/tiny@v1")).bytesFetched, 0);
    }),
});

Deno.test({
  name: "files that huggingface_hub shares between repositories are read, and not fetched again",
  ignore: python === null,
  fn: () =>
    withHub([TINY], {}, async (place) => {
      const folder = String((await peer(place, ["--repo", "org/tiny", "--share"]))["folder"]);
      const blobs = join(folder, "../../blobs");
      assert([...Deno.readDirSync(blobs)].every(({ isSymlink }) => isSymlink));
      assert.equal(hubFolder("hf:org/tiny", place.environment), folder);
      assert(loadTokenizer(folder).vocabSize > 0);
      using tensors = openModelTensors(folder);
      assert(tensors.tensors.size > 0);
      assert.equal((await place.pull("org/tiny")).bytesFetched, 0);
    }),
});

Deno.test({
  name: "what we fetched is whole to huggingface_hub without asking, and its scan of the cache has no warning",
  ignore: python === null,
  fn: () =>
    withHub([TINY, SUMS], {}, async (place) => {
      const ours = await place.pull("org/tiny"), data = await place.pull("datasets/org/sums");
      const asked = place.server.asked.length;
      assert.deepEqual(await peer(place, ["--repo", "org/tiny", "--local"]), {
        folder: ours.folder,
        repos: ["org/sums", "org/tiny"],
        warnings: [],
        absent: true,
      });
      assert.equal((await peer(place, ["--repo", "org/sums", "--type", "dataset", "--local"]))["folder"], data.folder);
      assert.equal(place.server.asked.length, asked);
      // Asked online it fetches no blob again.
      await peer(place, ["--repo", "org/tiny"]);
      assert.equal(place.server.asked.slice(asked).some(({ path }) => /^GET .*\/resolve\//.test(path)), false);
      assert.equal(Deno.readTextFileSync(join(place.cache, "models--org--tiny/refs/main")), TINY.commit);
    }),
});
