import assert from "node:assert/strict";
import SUBJECT_WORDS from "../../../../../data/adapters/post/words/subjects.json" with { type: "json" };
import {
  type Expression,
  expression,
  ExpressionList,
  has,
  sifted,
  siftedOf,
  signExpression,
  wordTable,
} from "../../../../../data/adapters/post/words/match.ts";

const found = (pattern: Expression, text: string) => [...pattern.in(text)].map(({ at, end }) => text.slice(at, end));

Deno.test("expression() finds words as whole words, in any script, and signs anywhere", () => {
  const pattern = expression("loss|наград\\w*|[\\w-]+ing", "损失");
  assert.deepEqual(found(pattern, "loss, lossy, _loss, loss2, LOSS"), ["loss", "LOSS"]);
  assert.deepEqual(found(pattern, "награда и награды, антинаграда"), ["награда", "награды"]);
  assert.deepEqual(found(pattern, "训练损失很大"), ["损失"]);
  assert.deepEqual(found(pattern, "äö-üing"), ["äö-üing"]);
  assert.deepEqual(found(expression("perte"), "perté, perte"), ["perte"], "an accent of its own is a letter's");
});

Deno.test("expression() finds words without spaces around them in Chinese and Japanese", () => {
  assert.deepEqual(found(expression("format reward"), "这里format reward一直是0，format rewards"), ["format reward"]);
  assert.deepEqual(found(expression("loss"), "lossが0、glossが1"), ["loss"]);
});

Deno.test("wordTable() gives each place once, the earlier entry first, in the order of the text", () => {
  const table = wordTable({ long: { words: "grad norm" }, short: { words: "norm|grad", signs: "范数|grad" } });
  assert.deepEqual(table("norm of grad norm"), [{ name: "short", at: 0, end: 4 }, { name: "long", at: 8, end: 17 }]);
  assert.deepEqual(table("梯度范数"), [{ name: "short", at: 2, end: 4 }]);
  assert.deepEqual(table("upgrade grad1"), [], "a sign is none within a Latin word");
  assert.deepEqual(table(""), []);
});

Deno.test("expression() tries its alternatives in their order at each place, as one regular expression would", () => {
  assert.deepEqual(found(expression("grad|grad norm"), "grad norm"), ["grad"]);
  assert.deepEqual(found(expression("grad norm|grad"), "grad norm, grad"), ["grad norm", "grad"]);
  assert.deepEqual(found(expression("b c|a b"), "a b c"), ["a b"], "the first place goes before the first alternative");
  assert.deepEqual(found(expression("x", "损|损失"), "损失X"), ["损", "X"]);
  assert.deepEqual(
    found(expression("(?!)", "(?=损)|失"), "损损失"),
    ["", "", "失"],
    "an empty one moves on by a letter",
  );
});

Deno.test("expression() finds in texts of nine languages what one regular expression of a list does", () => {
  const texts = Deno.readTextFileSync(new URL("../../../../posts/phrases.jsonl", import.meta.url)).split("\n")
    .filter((line, i) => line !== "" && i % 40 === 0).map((line) => (JSON.parse(line).text as string).toLowerCase());
  const signsOf: Record<string, { signs: string[] }> = SUBJECT_WORDS;
  let places = 0;
  for (const [name, { signs }] of Object.entries(signsOf)) {
    if (signs.length === 0) continue;
    const parts = signs.map((sign) =>
      sign.replace(/\\.|[^\\]+/gs, (part) => part[0] === "\\" ? part : part.toLowerCase())
    );
    const whole = new RegExp(parts.join("|"), "gu"), own = expression("(?!)", signs.join("|"));
    for (const text of texts) {
      const wanted = [...text.matchAll(whole)].map(([word]) => word);
      assert.deepEqual(found(own, text), wanted, `${name}: ${text}`);
      assert.equal(own.test(text), wanted.length > 0);
      places += wanted.length;
    }
  }
  assert(texts.length > 80 && places > 40, `${texts.length} texts, ${places} places`);
});

Deno.test("expression() keeps places where small letters are more characters, and finds capitals behind them", () => {
  assert.deepEqual([...expression("loss").in("İİ LOSS")], [{ at: 3, end: 7 }]);
});

Deno.test("expression() is one for the same words, and signExpression() takes its alternatives as they are written", () => {
  assert.equal(expression("loss", "损"), expression("loss", "损"));
  assert.notEqual(expression("loss", "损"), expression("loss"));
  assert.deepEqual(found(signExpression("KL\\s?系数|[A-Z]数"), "kl 系数，b数"), ["kl 系数", "b数"]);
  assert.equal(signExpression("系数").test("系"), false);
});

Deno.test("has() says the same of a text however often it is asked", () => {
  const loss = expression("loss");
  assert.deepEqual([has(loss, "the loss"), has(loss, "the loss"), has(loss, "glossy")], [true, true, false]);
});

Deno.test("sifted() finds what its regular expression does, on texts with and without what it needs", () => {
  const patterns = [
    /(?<![\p{L}])(?:we|I) (?:fixed|cured) it(?![\p{L}])|修好了/iu,
    /^\W*(?:seed|сид)\s*(?<value>\d+)/iu,
    /\d+(?= steps)|KL/u,
  ];
  const texts = [
    "We fixed it.",
    "we fixed item",
    "现在修好了",
    "seed 3: fine",
    "СИД 4",
    "12 steps",
    "kl and KL",
    "",
    "nothing",
  ];
  for (const pattern of patterns) {
    const own = siftedOf(pattern), same = sifted(pattern.source, pattern.flags);
    for (const text of texts) {
      assert.equal(own.test(text), pattern.test(text), `${pattern} in "${text}"`);
      assert.deepEqual(same.exec(text), pattern.exec(text), `${pattern} in "${text}"`);
    }
  }
});

Deno.test("ExpressionList tells those that may stand in a text, in the order of the list", () => {
  const loss = expression("loss"),
    list = new ExpressionList([expression("reward"), loss, null, expression("falls"), loss]);
  assert.deepEqual(list.in("the loss falls"), [1, 3, 4]);
  assert.deepEqual(list.in("nothing"), []);
});
