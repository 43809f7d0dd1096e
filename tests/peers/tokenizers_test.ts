/** Random strings and ids by tokenizers, held out by their seed. Runs where a Python has it. @module */
import assert from "node:assert/strict";
import { pipelineOf } from "../../data/hub/tokenizer/pipeline.ts";
import { trlPython } from "./trl.ts";

const python = trlPython();
const SEED = "held out", STRINGS = 300;

interface Found {
  readonly encode: {
    readonly text: string;
    readonly ids: number[];
    readonly framed: number[];
    readonly decoded: string;
  }[];
  readonly decode: { readonly ids: number[]; readonly decoded: string }[];
}

Deno.test({
  name: "random strings have the ids of tokenizers, and random ids its texts, in every family",
  ignore: python === null,
  async fn() {
    const script = new URL("tokenizers_families.py", import.meta.url).pathname, models = "tests/models/tokenizers";
    const { success, stdout, stderr } = await new Deno.Command(python!, {
      args: [script, "--fuzz", models, SEED, String(STRINGS)],
    }).output();
    assert(success, new TextDecoder().decode(stderr));
    const families = Object.entries(JSON.parse(new TextDecoder().decode(stdout)) as Record<string, Found>);
    assert(families.length >= 11);
    for (const [name, { encode, decode }] of families) {
      const pipeline = pipelineOf(JSON.parse(Deno.readTextFileSync(`${models}/${name}.json`)));
      for (const { text, ids, framed, decoded } of encode) {
        const own = pipeline.encode(text);
        assert.deepEqual(own, ids, `${name}: ${JSON.stringify(text)}`);
        assert.deepEqual([...pipeline.frame.before, ...own, ...pipeline.frame.after], framed);
        assert.equal(pipeline.decode(ids), decoded, name);
      }
      for (const { ids, decoded } of decode) assert.equal(pipeline.decode(ids), decoded, `${name}: ${ids}`);
    }
  },
});
