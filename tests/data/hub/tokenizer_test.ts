/** Agreement with transformers' tokenizers. @module */
import assert from "node:assert/strict";
import { loadTokenizer, makeTokenizer } from "../../../data/hub/tokenizer.ts";
import { randomTokenizer } from "../../bench/models/random_tokenizer.ts";

const FOLDER = "tests/models/tokenizer";
const GOLDEN = JSON.parse(Deno.readTextFileSync("tests/goldens/torch/tokenization.json")) as {
  encode: { text: string; ids: number[]; decoded: string; decoded_skip_special: string }[];
  decode: { ids: number[]; decoded: string; decoded_skip_special: string }[];
};

Deno.test("encode() and decode() agree with transformers on every golden text", () => {
  const tokenizer = loadTokenizer(FOLDER);
  for (const { text, ids, decoded, decoded_skip_special } of GOLDEN.encode) {
    assert.deepEqual(tokenizer.encode(text), ids, JSON.stringify(text));
    assert.equal(tokenizer.decode(ids, { skipSpecialTokens: false }), decoded);
    assert.equal(tokenizer.decode(ids), decoded_skip_special);
  }
});

Deno.test("decode() agrees with transformers on lists that cut characters", () => {
  const tokenizer = loadTokenizer(FOLDER);
  for (const { ids, decoded, decoded_skip_special } of GOLDEN.decode) {
    assert.equal(tokenizer.decode(ids, { skipSpecialTokens: false }), decoded, String(ids));
    assert.equal(tokenizer.decode(Int32Array.from(ids)), decoded_skip_special, String(ids));
  }
});

Deno.test("loadTokenizer() finds the ids that end and pad, and the chat template", () => {
  const tokenizer = loadTokenizer(FOLDER);
  assert.deepEqual([tokenizer.eosIds, tokenizer.padId, tokenizer.bosId, tokenizer.vocabSize], [[503], 501, null, 512]);
  assert.ok(tokenizer.specialIds.has(503) && !tokenizer.specialIds.has(504));
  assert.match(tokenizer.chatTemplate!, /im_start/);
});

Deno.test("generation_config.json decides which ids end, before config.json and the tokenizer", () => {
  const files = new Map(loadTokenizer(FOLDER).files);
  files.set("config.json", '{"eos_token_id": 502}');
  assert.deepEqual(makeTokenizer(files, "x").eosIds, [502]);
  assert.equal(makeTokenizer(files, "x").eosId, 502, "what ends a text must end a completion");
  files.set("generation_config.json", '{"eos_token_id": [503, 501]}');
  assert.deepEqual(makeTokenizer(files, "x").eosIds, [503, 501]);
  assert.deepEqual([...makeTokenizer(files, "x").files.keys()].includes("config.json"), false);
  files.set("generation_config.json", '{"eos_token_id": [501, 502, 503]}');
  assert.equal(makeTokenizer(files, "x").eosId, 503, "the tokenizer's own, though others come first");
});

Deno.test("an id that begins, ends or pads and is none of the vocabulary is refused by key and value, never passed over", () => {
  const files = new Map(loadTokenizer(FOLDER).files);
  for (const name of ["config.json", "generation_config.json"]) {
    for (const key of ["eos_token_id", "pad_token_id", "bos_token_id"]) {
      for (const value of ["-1", "1.5", "512", '"503"', "true", "[503,-1]", "1e300"]) {
        const all = new Map(files).set(name, `{"${key}": ${value}}`);
        if (key === "pad_token_id" && value === "-1") {
          assert.equal(makeTokenizer(all, "x").padId, makeTokenizer(files, "x").padId, "LLaMA's way to say: none");
          continue;
        }
        assert.throws(() => makeTokenizer(all, "x"), {
          name: "RangeError",
          message:
            `Cannot load a tokenizer from x: ${key} of ${name} is ${value.replace("1e300", "1e+300")}, want a whole ` +
            "number from 0 to 511, or null; correct it, or take the folder that the model came in",
        });
      }
      makeTokenizer(new Map(files).set(name, `{"${key}": null}`), "x");
    }
  }
  // An embedding may have more rows than the tokenizer has tokens, and ids in them.
  const padded = new Map(files).set("config.json", '{"vocab_size": 640, "eos_token_id": 600}');
  assert.deepEqual(makeTokenizer(padded, "x").eosIds, [600]);
});

Deno.test("a folder without tokenizer, a broken one and one without an end are named", () => {
  assert.throws(() => loadTokenizer("tests/models/qwen2/nothing"), /it has no tokenizer\.json/);
  assert.throws(() => makeTokenizer(new Map([["tokenizer.json", "{"]]), "x"), /Cannot read tokenizer\.json of x/);
  const tokenizer = loadTokenizer(FOLDER).files.get("tokenizer.json")!;
  assert.throws(() => makeTokenizer(new Map([["tokenizer.json", tokenizer]]), "x"), /completions would not end/);
});

Deno.test("encode() adds the special tokens of the post-processor only when asked to", () => {
  const files = new Map(loadTokenizer(FOLDER).files);
  const model = JSON.parse(files.get("tokenizer.json")!);
  const end = { id: "<|im_end|>", type_id: 0 };
  model.post_processor = {
    type: "TemplateProcessing",
    single: [{ Sequence: { id: "A", type_id: 0 } }, { SpecialToken: end }],
    pair: [],
    special_tokens: { [end.id]: { id: end.id, ids: [503], tokens: [end.id] } },
  };
  const tokenizer = makeTokenizer(files.set("tokenizer.json", JSON.stringify(model)), "x");
  const plain = loadTokenizer(FOLDER).encode("12");
  assert.deepEqual(tokenizer.encode("12"), plain);
  assert.deepEqual(tokenizer.encode("12", { addSpecialTokens: true }), [...plain, 503]);
});

Deno.test("makeTokenizer() reads a vocabulary of 150,000 tokens", () => {
  const files = randomTokenizer(150_000, 3, 2048);
  assert.equal(makeTokenizer(files, "x").vocabSize, 150_003);
});

Deno.test("a tokenizer of another form is refused with how to convert it", () => {
  const folder = Deno.makeTempDirSync();
  try {
    Deno.writeTextFileSync(`${folder}/tokenizer.model`, "x");
    assert.throws(() => loadTokenizer(folder), {
      message:
        `Cannot load a tokenizer from ${folder}: it has no tokenizer.json, only tokenizer.model; write one where ` +
        "transformers is installed: AutoTokenizer.from_pretrained(DIR).save_pretrained(DIR)",
    });
    Deno.writeTextFileSync(`${folder}/tokenizer.json`, '{"model": {"type": "Unigram"}}');
    assert.throws(() => loadTokenizer(folder), {
      message:
        `Cannot load a tokenizer from ${folder}: tokenizer.json is not understood: model.type is "Unigram", which is ` +
        'not supported; want "BPE"',
    });
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("makeTokenizer() reads legacy special tokens, and says what begins a plain text", () => {
  const json = Deno.readTextFileSync("tests/models/tokenizers/llama2.json");
  const config = { bos_token: { content: "<s>" }, eos_token: "</s>", pad_token: "</s>", add_bos_token: true };
  const llama = makeTokenizer(
    new Map([["tokenizer.json", json], ["special_tokens_map.json", JSON.stringify(config)]]),
    "x",
  );
  assert.deepEqual([llama.begins, llama.bosId, llama.eosIds, llama.padId], [[1], 1, [2], 2]);
  assert.deepEqual(llama.encode("a", { addSpecialTokens: true }), [1, ...llama.encode("a")]);
  assert.equal(llama.decode([1, ...llama.encode("one mill"), 2]), "one mill");
  const ends = makeTokenizer(
    new Map([["tokenizer.json", json], ["generation_config.json", '{"eos_token_id": [2, 1]}']]),
    "x",
  );
  assert.deepEqual([ends.eosIds, ends.begins], [[2, 1], [1]]);
});

Deno.test("makeTokenizer() keeps templates by name; a file of its own comes before the settings", () => {
  const files = new Map(loadTokenizer(FOLDER).files);
  const chat_template = [{ name: "default", template: "d" }, { name: "tool_use", template: "t" }];
  files.set(
    "tokenizer_config.json",
    JSON.stringify({ ...JSON.parse(files.get("tokenizer_config.json")!), chat_template }),
  );
  files.set("additional_chat_templates/rag.jinja", "r");
  const { chatTemplate, templates } = makeTokenizer(files, "x");
  assert.deepEqual([chatTemplate, templates], ["d", { default: "d", tool_use: "t", rag: "r" }]);
  assert.equal(makeTokenizer(files.set("chat_template.jinja", "own"), "x").chatTemplate, "own");
});

Deno.test("makeTokenizer() says how to fetch a tokenizer that was not, of a model in the cache", () =>
  assert.throws(() => makeTokenizer(new Map(), `/c/models--org--tiny/snapshots/${"a".repeat(40)}`), {
    name: "RangeError",
    message: /has no tokenizer\.json in the cache; fetch what is missing: pull org\/tiny$/,
  }));

Deno.test("makeTokenizer() refuses an expression that may never end, by its place in tokenizer.json", () => {
  const files = new Map(loadTokenizer(FOLDER).files), model = JSON.parse(files.get("tokenizer.json")!);
  const pattern = { Regex: "(a+)+$" };
  const parts = {
    pre_tokenizer: { type: "Split", pattern, behavior: "Isolated", invert: false },
    normalizer: { type: "Replace", pattern, content: "" },
    decoder: { type: "Replace", pattern, content: "" },
  };
  for (const [place, part] of Object.entries(parts)) {
    files.set("tokenizer.json", JSON.stringify({ ...model, [place]: part }));
    assert.throws(() => makeTokenizer(files, "x"), {
      name: "SyntaxError",
      message: `Cannot load a tokenizer from x: tokenizer.json is not understood: ${place}.pattern is "(a+)+$": it ` +
        "repeats what itself repeats or chooses, and may take for ever on a short text; want a tokenizer without it",
    });
  }
});
