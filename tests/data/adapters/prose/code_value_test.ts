import assert from "node:assert/strict";
import { codeValue } from "../../../../data/adapters/prose/code_value.ts";

const WORDS = { value: "as the words say", type: "string" };
const read = (value: string) => {
  const code = `args = GRPOConfig(output_dir="o", learning_rate=${value}, beta=0.1)`;
  return codeValue(code, code.indexOf("learning_rate"), WORDS);
};

for (const literal of ["1e-6", "-1.5E+3", "1_000", ".5", "1.", '"a, b"', "'a'", "True", "None", "[1, 2]", '{"a": 1}']) {
  Deno.test(`codeValue() leaves the literal ${literal} as it is`, () => assert.equal(read(literal), WORDS));
}

const EXPRESSIONS = [
  "2 * 1e-6",
  'float(os.environ["LR"])',
  "cfg.lr",
  'float(c["lr"])',
  "max(1e-6, 1e-7)",
  "lr if big else 1e-6",
  "lr",
  "-lr",
  '"1e" + "-6"',
  "torch.bfloat16",
];

for (const text of EXPRESSIONS) {
  Deno.test(`codeValue() marks ${text}, whose value only the program knows`, () => {
    assert.deepEqual(read(text), { value: text, type: "expression" });
  });
}

Deno.test("codeValue() keeps the name of a class that makes the value", () => {
  assert.deepEqual(read("LoraConfig(r=16, lora_alpha=32)"), { value: WORDS.value, type: "expression" });
});

Deno.test("codeValue() reads to the line's end where a bracket or a quote stays open", () => {
  const code = 'f(a=g("x, (';
  assert.deepEqual(codeValue(code, 2, WORDS), { value: 'g("x, (', type: "expression" });
  assert.equal(codeValue("f(a=", 2, WORDS), WORDS);
});
