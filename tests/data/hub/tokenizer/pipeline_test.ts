/** Agreement with tokenizers on small tokenizers that have each family's pipeline. @module */
import assert from "node:assert/strict";
import { pipelineOf } from "../../../../data/hub/tokenizer/pipeline.ts";

interface Judged {
  readonly ids: number[];
  readonly framed: number[];
  readonly decoded: string;
  readonly skipped: string;
}

const GOLDEN = JSON.parse(Deno.readTextFileSync("tests/goldens/tokenizers.json")) as {
  readonly texts: string[];
  readonly families: Record<string, { readonly encode: Judged[]; readonly decode: Omit<Judged, "framed">[] }>;
};
const jsonOf = (name: string) => JSON.parse(Deno.readTextFileSync(`tests/models/tokenizers/${name}.json`));

for (const [name, { encode, decode }] of Object.entries(GOLDEN.families)) {
  Deno.test(`pipelineOf() gives the ids and texts of tokenizers for ${name}`, () => {
    const pipeline = pipelineOf(jsonOf(name)),
      special = new Set(pipeline.added.filter((t) => t.special).map(({ id }) => id));
    assert.equal(encode.length, GOLDEN.texts.length);
    GOLDEN.texts.forEach((text, index) => {
      const { ids, framed } = encode[index]!, own = pipeline.encode(text);
      assert.deepEqual(own, ids, JSON.stringify(text));
      assert.deepEqual([...pipeline.frame.before, ...own, ...pipeline.frame.after], framed);
    });
    for (const { ids, decoded, skipped } of [...encode, ...decode]) {
      assert.equal(pipeline.decode(ids), decoded, String(ids));
      assert.equal(pipeline.decode(ids.filter((id) => !special.has(id))), skipped, String(ids));
    }
  });
}

Deno.test("pipelineOf() names the part that is not supported", () => {
  const base = jsonOf("qwen2");
  const cases: [Record<string, unknown>, RegExp][] = [
    [{ model: { type: "Unigram", vocab: [] } }, /^model\.type is "Unigram", which is not supported; want "BPE"$/],
    [{ model: null }, /it has no model/],
    [
      { normalizer: { type: "Sequence", normalizers: [{ type: "NFC" }, { type: "Lowercase" }] } },
      /^normalizer\.normalizers\[1\]\.type is "Lowercase"/,
    ],
    [{ pre_tokenizer: { type: "UnicodeScripts" } }, /^pre_tokenizer\.type is "UnicodeScripts".*"Metaspace"/],
    [
      { pre_tokenizer: { type: "Split", pattern: { Regex: "a" }, behavior: "isolated" } },
      /^pre_tokenizer\.behavior is "isolated"/,
    ],
    [
      { pre_tokenizer: { type: "Split", pattern: { Regex: "(" }, behavior: "Isolated" } },
      /^pre_tokenizer\.pattern cannot be read as an expression/,
    ],
    [{ decoder: { type: "CTC" } }, /^decoder\.type is "CTC"/],
    [{ post_processor: { type: "Other" } }, /^post_processor\.type is "Other"/],
    [
      { post_processor: { type: "TemplateProcessing", single: [{ SpecialToken: { id: "x" } }] } },
      /which special_tokens lacks/,
    ],
    [{ added_tokens: [{ id: -1, content: "x" }] }, /^added_tokens\[0\] is .*, want an id and a content/],
    [{ normalizer: "NFC" }, /^normalizer is "NFC", want an object with a type/],
  ];
  for (const [changed, message] of cases) {
    assert.throws(() => pipelineOf({ ...base, ...changed }), { name: "RangeError", message });
  }
  assert.throws(() => pipelineOf(base).encode("half \ud83d"), /Cannot encode a text: it holds a lone surrogate/);
});
