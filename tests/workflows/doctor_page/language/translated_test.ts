/** What rules say has a Chinese sentence, all that the page shows of them; what has none is told apart. */
import assert from "node:assert/strict";
import { englishOf, Translator } from "../../../../workflows/doctor_page/language/translated.ts";
import { TABLES_ZH } from "../../../../workflows/doctor_page/language/chinese.ts";
import { inChinese, said, untranslated } from "./untranslated.ts";
import { readRun } from "../../../../data/adapters/read_run.ts";
import type { ImportedRun } from "../../../../data/adapters/run/imported_run.ts";
import { examineRun } from "../../../../workflows/doctor/examine_run.ts";
import { shownTexts } from "./shown_texts.ts";
import { DIAGNOSES } from "../../../../steps/diagnoses/mod.ts";
import { fragmentsIn } from "./rule_texts.ts";

const CASES: readonly [english: string, chinese: string][] = [
  ['line 3 says "reward is 0", and no number tells why', "第 3 行写道“reward is 0”，而没有数字说明原因"],
  [
    "Pasted text:12: sentence not understood (5 times)",
    "Pasted text:12：有一句没读懂（5 次）",
  ],
  ["loss, reward, grad_norm are finite", "损失、奖励、grad_norm 都是有限值"],
  [
    "Training collapses; it shows since train step 12 (the last 45 % of the train steps). No rollout taught anything. Change: beta=0.04.",
    "训练崩溃；自训练步 12 起（占最后 45 %）。所有采样都没有效果。改：beta=0.04。",
  ],
  [
    "run the same train step twice from one checkpoint and compare the numbers: it is irreproducible_step if the two differ",
    "从同一检查点把同一训练步跑两遍，比较数值：若两次不同，就是 irreproducible_step",
  ],
  [
    "The reward falls (the reward is 0 or one penalty, the KL is 0)",
    "奖励下降（奖励为 0 或一直是同一个惩罚值，KL 为 0）",
  ],
  ["The reward falls (something new)", "奖励下降（[something new]）"],
  ["Something new of 3 kinds. The loss is NaN.", "[Something new of 3 kinds.]损失是 NaN。"],
  ["A new fault; it shows from the first record on", "[A new fault]；从第一条记录起就是这样"],
  ["grad_norm", "grad_norm"],
  [
    'Line 11 says "Rewards rise. Is this right? I see 3.5", which is not understood. It may be overfitting (20 %).',
    "第 11 行写道“Rewards rise. Is this right? I see 3.5”，没有读懂。可能是 overfitting（20 %）。",
  ],
  ["Something wholly new is seen: it is empty", "[Something wholly new is seen: it is empty]"],
  [
    "The KL went from 0.5 to 2 nats per token, and since train step 7 the held-out score fell from about 0.5 to 0.25; it doubles every 40 train steps, at that rate above 10 in about 90 of the 200 that are left",
    "KL 从 0.5 变到每词元 2 nat，而自训练步 7 起留出集分数从约 0.5 降到 0.25；每 40 个训练步翻倍，照此再过约 90 步高于 10（还剩 200 步）",
  ],
  [
    "The KL went from 0.5 to 2 nats per token, and the reward stayed at about 0.5",
    "KL 从 0.5 变到每词元 2 nat，而奖励停在约 0.5",
  ],
  ["kl_explosion, overfitting", "kl_explosion、overfitting"],
  [
    "start again with smaller steps, for 50 train steps: it is learning_rate_too_high if the break does not come again",
    "用更小的步长重新开始，训练 50 步：若崩溃不再出现，就是 learning_rate_too_high",
  ],
  ["Start again with --beta 0.04, lr=1.0e-6.", "用 --beta 0.04, lr=1.0e-6 重新开始。"],
  ["The learning rate is 0 on all 12 records", "学习率在全部 12 条记录上为 0"],
  [
    "grad_norm is 0 wherever it is told: an untrained policy begins so, and a broken one",
    "grad_norm 凡原文提到处为 0：未训练的策略开始时如此，坏掉的也如此",
  ],
];

for (const [english, chinese] of CASES) {
  Deno.test(`inChinese() of "${english.slice(0, 60)}"`, () => assert.equal(said(english), chinese));
}

Deno.test("inChinese() keeps what it does not know as it is, however long, at once", () => {
  for (
    const part of [
      "a: b if c; ",
      "a goes from 1 to 2, ",
      ": : ",
      "x; ",
      "line 3 says ",
      "1 2 3 4 ",
      "a, ",
      "Some words. ",
      "the loss (a, ",
    ]
  ) {
    const text = part.repeat(60_000 / part.length);
    assert.equal(inChinese(text).map((piece) => piece.text).join(""), text);
    assert.ok(inChinese(part.repeat(600 / part.length)).length > 0);
  }
});

Deno.test("Translator says in any language what its tables have", () => {
  const french = new Translator({
    lang: "fr",
    sentences: [["the loss is {}", "la perte vaut {1}"], ["{} thousand tokens", "{1*1000} jetons"]],
    wholes: { "the loss is NaN": "la perte n'est pas un nombre" },
    causes: {},
    names: {},
    signs: { list: ", ", clause: ", ", stop: ".", open: " (", close: ")" },
    glued: (before, behind) => before + behind,
    numberOf: (value) => value.toLocaleString("fr").replace(/\s/g, " "),
  });
  assert.deepEqual(french.translate("The loss is NaN."), [{ text: "la perte n'est pas un nombre.", lang: "fr" }]);
  assert.deepEqual(french.translate("the loss is 3 (6.5 thousand tokens)"), [
    { text: "la perte vaut 3 (6 500 jetons)", lang: "fr" },
  ]);
  assert.deepEqual(french.translate("Something new here."), [{ text: "Something new here.", lang: "en" }]);
});

// ***** all that the page shows *****

const TESTS = new URL("../../../", import.meta.url);
/** Of the posts one in so many is read: all of them take long. */
const EVERY = 3;

/** Paths of what is read of the cases of a folder. */
const pathsIn = (folder: string, file: RegExp) =>
  [...Deno.readDirSync(new URL(folder, TESTS))].filter(({ isDirectory }) => isDirectory).map(({ name }) => name).sort()
    .flatMap((name) => {
      const files = [...Deno.readDirSync(new URL(`${folder}/${name}`, TESTS))].filter((one) => file.test(one.name));
      return files.map((one) => new URL(`${folder}/${name}/${one.name}`, TESTS).pathname);
    });

async function checkRuns(paths: readonly string[], read: (path: string) => Promise<readonly ImportedRun[]>) {
  for (const path of paths) {
    for (const run of await read(path)) {
      const partial = run.sources.flatMap(({ partial }) => partial ?? []);
      const texts = [...shownTexts(examineRun(run)).map(([, text]) => text), ...partial];
      assert.deepEqual(untranslated(new Set(texts)), [], path);
    }
  }
}

Deno.test("inChinese() has all that the page shows of the cases", async () => {
  await checkRuns(pathsIn("cases", /^(?!label)/), (path) => readRun([path]));
});

Deno.test("inChinese() has all that the page shows of posts", async () => {
  const posts = ["real", "further", "written"].flatMap((folder) => pathsIn(`posts/${folder}`, /^post\b/));
  await checkRuns(
    posts.filter((_, i) => i % EVERY === 0),
    async (path) => readRun(["-"], { stdin: (await Deno.open(path)).readable }),
  );
});

// ***** all that a rule may say: a message that somebody adds has its Chinese, or these fail *****

const FOLDER = new URL("../../../../steps/diagnoses/", import.meta.url);
/** Files that say something for several rules. */
const SHARED = [
  ...["arrival", "by_heart", "entropy_rise", "first_updates", "frozen", "memorised", "on_records", "progress", "ruin"]
    .map((name) => `view/${name}`),
  ...["view/telling", "view/truncation", "remedies/critic_rate", "remedies/fewer_passes", "differential/unevaluated"],
];
/** As rules write it: a train step is a word and a number there. */
const ENGLISH = [...englishOf(TABLES_ZH)].join("\n").replaceAll("{step}", "train step {}").replaceAll(
  "{counted}",
  "train steps",
)
  .replace(/[[\]]/g, "").toLowerCase();

Deno.test("every fragment of a sentence in a rule stands in a table of Chinese", () => {
  for (const name of [...Object.keys(DIAGNOSES), ...SHARED]) {
    const fragments = fragmentsIn(Deno.readTextFileSync(new URL(`${name}.ts`, FOLDER)));
    assert.deepEqual(fragments.filter((text) => !ENGLISH.includes(text)), [], `${name}.ts`);
  }
});

Deno.test("fragmentsIn() has texts of strings and templates, and of templates within them, and no comment or pattern", () => {
  const source = [
    "// a comment of words",
    "const one = 'first of all', two = /some pattern `of signs/g.test(x); /* more of these */",
    'const three = `the loss is ${x > 1 ? `far above ${usual}` : "as it was"} at train step ${at}; go on`;',
  ].join("\n");
  assert.deepEqual(fragmentsIn(source), [
    "first of all",
    "far above",
    "as it was",
    "the loss is",
    "at train step",
    "go on",
  ]);
});
