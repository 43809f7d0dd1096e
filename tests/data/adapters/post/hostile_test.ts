/** Posts that nobody writes in good faith, or about training: time grows with length, and nothing is made up. */
import assert from "node:assert/strict";
import { claimsOf, readPost, recordsOf, settingsOf, toldOf } from "./read_post.ts";

const HEAD = "Hi, I run GRPO, why is it so?\n\n", MB = 1 << 20;
const LONG: readonly (readonly [what: string, text: () => string, name?: string])[] = [
  ["a paragraph without an end", () => "The reward is zero and nobody knows it\n".repeat(MB / 39)],
  ["a line of 4 MB", () => "The reward is zero. ".repeat(MB / 5)],
  ["a line of 40,000 characters of commas", () => "，都".repeat(20_000)],
  ["10^5 short lines", () => "a\n".repeat(1e5)],
  ["quotes in quotes", () => `${"> ".repeat(2000)}x\n`.repeat(50)],
  ["quotes that a carriage return breaks", () => `${">".repeat(1e5)}\rx\n`],
  ["10^5 fences that never close", () => "```\nx\n````python\n".repeat(5e4)],
  ["one fence that never closes", () => `\`\`\`\n${"the reward is zero\n".repeat(5e4)}`],
  ["backticks", () => "`".repeat(MB)],
  ["a fence with a name without an end", () => `\`\`\`${"a".repeat(2e5)}\``],
  ["links in links", () => "[](".repeat(3e5)],
  ["brackets", () => `${"[".repeat(3e4)}\n`.repeat(4)],
  ["spaces", () => `${" ".repeat(3e5)}x`],
  ["spaces behind a label", () => `output${" ".repeat(19_000)}x\n`.repeat(20)],
  ["spaces in columns", () => `\`\`\`\n${`a${" ".repeat(19_000)}b\n`.repeat(20)}\`\`\`\n`],
  ["spaces behind a step", () => `step 1${" ".repeat(19_000)}\n`.repeat(20)],
  ["hashes", () => `# ${" #".repeat(9000)}x\n`.repeat(20)],
  ["pipes", () => `${"| a ".repeat(5000)}|\n`.repeat(20)],
  ["bars on one line", () => " 4%|█ | 1/25 [00:25<10:05, 25.24s/it]".repeat(5000)],
  ["bars that do not end", () => " 4%| 1it/s".repeat(5e4)],
  ["quoted names", () => `${"'a': ".repeat(3900)}|x|\n`.repeat(20)],
  ["overrides without spaces", () => `${"a.b=".repeat(4000)} !\n`.repeat(20)],
  ["code that returns", () => `\`\`\`python\ndef reward(x):\n  return ${" ".repeat(2e5)}x\n\`\`\`\n`],
  ["a JSON text of one string", () => `\`\`\`json\n{"a": "${"x".repeat(MB)}"}\n\`\`\`\n`],
  ["2 * 10^5 tags", () => `<html><body><p>${"<span>a</span>".repeat(1e5)}`, "a.html"],
  ["tags that do not close", () => `<html><body><p>${"<a ".repeat(3e5)}`, "a.html"],
  ["quotes in tags that do not close", () => `<html><body><p>${`<a "`.repeat(3e5)}`, "a.html"],
  ["an attribute without an end", () => `<html><body><p><a x="${"y ".repeat(MB)}`, "a.html"],
  ["scripts that do not open", () => `<html><body><p>${"<script".repeat(2e5)}`, "a.html"],
  ["scripts that do not close", () => `<html><body><p>${"<script>".repeat(2e5)}`, "a.html"],
  ["comments that do not close", () => `<html><body><p>${"<!-- ".repeat(3e5)}`, "a.html"],
  ["nested blocks", () => `<html><body>${"<div><blockquote>".repeat(6e4)}`, "a.html"],
  ["entities", () => `<html><body><p>${"&#x".repeat(3e5)}`, "a.html"],
];

for (const [what, text, name] of LONG) {
  Deno.test(`POST gets through ${what} in time that grows with its length`, async () => {
    const before = Deno.memoryUsage().heapUsed;
    const intake = await readPost(name === undefined ? HEAD + text() : text(), name);
    assert(Deno.memoryUsage().heapUsed - before < 5e8);
    assert.deepEqual(recordsOf(intake).filter((one) => /NaN/.test(one)), []);
  });
}

/** What a text says besides its own sentence. */
const SAYS = "The loss is NaN.";

for (
  const [what, text, name] of [
    [
      "scripts and styles",
      `<html><body><script>the reward is zero</script><style>reward zero</style><p>${SAYS}</p></body>`,
      "a.html",
    ],
    [
      "event handlers and data links",
      `<html><body onload="the reward is zero"><img src="data:text/html,the reward is zero"><p>${SAYS}</p></body>`,
      "a.html",
    ],
    ["a frame", `<html><body><iframe srcdoc="<p>the reward is zero</p>"></iframe><p>${SAYS}</p></body>`, "a.html"],
    ["a comment", `<html><body><!-- the reward is zero --><p>${SAYS}</p></body>`, "a.html"],
    ["entities", `<html><body><p>&#84;he l&#x6f;ss is NaN.</p><p>&nbsp;</p></body>`, "a.html"],
    ["a link", `Hi, why? [The loss](javascript:reward-is-zero) is NaN.`],
    ["a picture", `Hi, why? ![](data:image/png;base64,reward) ${SAYS}`],
    ["zero-width characters", `Hi, why? The lo\u200bss is Na\u200bN.`],
    ["soft hyphens and marks of direction", `Hi, why? \u202eThe lo\u00adss is\u202c NaN.`],
    ["NUL", `Hi, why is it that every one of my runs does this? The lo\0ss is NaN. ${"It goes on. ".repeat(20)}`],
  ] as const
) {
  Deno.test(`POST reads what a person sees of ${what}, and nothing else`, async () => {
    assert.deepEqual(claimsOf(await readPost(text, name)), ["1 loss.not_finite"]);
  });
}

Deno.test("POST takes __proto__ and constructor for names like others", async () => {
  const intake = await readPost(
    `${HEAD}__proto__=1 and constructor: 2, toString is 0.5.\n\n\`\`\`\n{'__proto__': 1, 'loss': 0.5, 'constructor': 2}\n\`\`\`\n`,
  );
  assert.equal(recordsOf(intake).length, 1);
  assert.deepEqual(Object.keys({}), []);
  assert(!settingsOf(intake).some((one) => one.includes("undefined")));
});

Deno.test("POST reads the figures of a post in a language that no list knows, and lists the prose as not understood", async () => {
  const log = Array.from({ length: 3 }, (_, i) => `{'loss': 0.5, 'reward': 0.${i + 1}, 'step': ${i + 1}}`).join("\n");
  for (
    const [language, text] of [
      ["Finnish", "Hei, koulutan jotakin ja se ei opi mitään.\nPalkkio pysyy aina samana loppuun asti."],
      ["Hindi", "नमस्ते, मैं कुछ प्रशिक्षित कर रहा हूँ।\nवह कुछ भी नहीं सीखता और रुक जाता है।"],
      ["Arabic", "مرحبا، أقوم بتدريب شيء ما ولكنه لا يتعلم.\nلا أعرف ماذا أفعل الآن يا أصدقاء."],
      ["Thai", "สวัสดีครับ ผมฝึกมันอยู่แต่มันไม่เรียนรู้อะไรเลย\nช่วยด้วยครับ ผมไม่รู้จะทำอย่างไรต่อ"],
    ]
  ) {
    const intake = await readPost(`${text}\n\n\`\`\`\n${log}\n\`\`\`\n`);
    assert.equal(recordsOf(intake).length, 3, language);
    assert.deepEqual([claimsOf(intake), toldOf(intake)], [[], []], language);
    const unknown = intake.skipped.find(({ reason }) => reason === "sentence not understood");
    assert(unknown !== undefined && unknown.line === 1, language);
  }
});

Deno.test("POST reads nothing of an empty text and of white space", async () => {
  for (const text of ["", " \n\t\n", "\n".repeat(1e5), "\u200b\n"]) {
    const intake = await readPost(text);
    assert.deepEqual(
      [claimsOf(intake), recordsOf(intake), settingsOf(intake)],
      [[], [], []],
      JSON.stringify(text.slice(0, 9)),
    );
  }
});
