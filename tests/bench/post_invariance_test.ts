/** Changes of posts against hand-written texts; and development posts that each of them once broke. */
import assert from "node:assert/strict";
import { isRight, isSame, leadsAstray, NAMES, tryPost } from "./post_invariance.ts";
import { ablations, spokenLines } from "./post_invariance/ablations.ts";
import { CHANGES, type PostChange } from "./post_invariance/changes.ts";
import { postLines } from "./post_invariance/lines.ts";
import { FOLDERS } from "./posts.ts";
import type { PostAnswer } from "./posts/answer_post.ts";
import { type LabelledPost, labelledPosts, type PostLabel } from "./posts/labelled_posts.ts";
import { tableOf } from "./invariance/report.ts";

const POST = `# Reward stays at zero

I train with **GRPO**, and the \`grad_norm\` is 0.25 (at step 10): "why", is it?

- the mean_kl is 0.5 and the completions are garbled all the time
- the loss is nan

| step | reward |
|---|---|
| 1 | 0.5 |

\`\`\`python
x = 1
\`\`\`
`;

const changed = (change: PostChange, text = POST, file = "post.md") => change({ file, text });
const line = (name: keyof typeof CHANGES, at: number, text = POST) =>
  changed(CHANGES[name], text)?.text.split("\n")[at];

Deno.test("postLines() says what each line is", () => {
  assert.deepEqual(
    postLines(`${POST}step 1: loss=0.5\n> it is\n`).map(({ kind }) => kind).join(" "),
    [
      "heading blank prose blank point point blank row row row blank mark fenced mark printed quote",
    ].join(" "),
  );
});

Deno.test("CHANGES print the same in another way", () => {
  assert.match(
    changed(CHANGES.as_plain)!.text,
    /^Reward stays at zero\n[^]*the grad_norm is[^]*\nstep\treward\n1\t0\.5\n\nx = 1\n$/,
  );
  assert.equal(changed(CHANGES.as_plain)!.file, "post.txt");
  const page = changed(CHANGES.as_html)!;
  assert.equal(page.file, "post.html");
  assert.match(
    page.text,
    /<h2>Reward stays at zero<\/h2>\n<p>I train with <strong>GRPO<\/strong>, and the <code>grad_norm<\/code>/,
  );
  assert.match(
    page.text,
    /<table>\n<tr><th>step<\/th><th>reward<\/th><\/tr>\n<tr><td>1<\/td>[^]*<pre><code>x = 1\n<\/code><\/pre>/,
  );
  assert.equal(changed(CHANGES.as_html, page.text, page.file), null, "it is one already");
  const back = changed(CHANGES.from_html, page.text, page.file)!.text;
  assert.match(back, /\n- the loss is nan\n[^]*\n\| step \| reward \|\n\| 1 \| 0\.5 \|\n[^]*```\nx = 1\n```\n$/);
  assert.match(changed(CHANGES.fences_bare)!.text, /\n```\nx = 1\n```\n$/);
  assert.match(changed(CHANGES.fences_indented)!.text, /\n\n {4}x = 1\n\n$/);
  assert.equal(changed(CHANGES.fences_indented, "no fence\n"), null);
  const wrapped = changed(CHANGES.wrapped_60)!.text.split("\n");
  assert(wrapped.every((line) => line.length <= 60), wrapped.join("\n"));
  assert.equal(wrapped.join(" ").replace(/\s+/g, " "), POST.replace(/\s+/g, " "));
  assert.equal(line("wrapped_60", 1, "奖".repeat(40)), "奖".repeat(10));
  assert.equal(line("tabs", 0, "step   loss"), "step\tloss");
  assert.match(line("zero_width", 2)!, /^\u200bI train .*, \u200band the/);
});

Deno.test("CHANGES write the same words with other characters", () => {
  assert.match(line("full_width_marks", 2)!, /\*\*GRPO\*\*, and .*（at step 10）：“?"why"/);
  assert.equal(line("half_width_marks", 0, "奖励是零，为什么（一直）？"), "奖励是零, 为什么 (一直) ? ");
  assert.equal(
    line("full_width_digits", 0, "我用 Qwen2.5 训练的时候奖励一直是 0.5，请问大家为什么一直不变"),
    "我用 Qwen2.5 训练的时候奖励一直是 ０．５，请问大家为什么一直不变",
  );
  assert.equal(changed(CHANGES.full_width_digits), null, "no such keyboard");
  assert.equal(
    line("tight_scripts", 0, "训练的时候 reward 一直是 0.5 左右了"),
    "训练的时候reward一直是0.5左右了",
  );
  assert.match(line("curly_quotes", 2)!, /“why”/);
  assert.match(line("decimal_commas", 4)!, /is 0,5 and/);
  assert.equal(line("decimal_commas", 0, "it goes 0.5, 0.4 and 0.3 there"), undefined, "a list");
  assert.match(line("misread_letters", 4)!, /the c0mpletions are garbled/);
  assert.match(line("split_names", 4)!, /the mean_ kl is 0\.5/);
  assert.match(line("lost_underscores", 4)!, /the mean kl is 0\.5/);
  assert.equal(line("upper_title", 0), "# REWARD STAYS AT ZERO");
  assert.match(line("bold_names", 4)!, /the \*\*mean_kl\*\* is/);
  assert.match(line("code_names", 5)!, /the `loss` is/);
  assert.match(line("names_bare", 2)!, /with GRPO, and the grad_norm is/);
  assert.match(line("bullets_added", 2)!, /^- I train/);
  assert.equal(line("bullets_dropped", 5), "the loss is nan");
  assert.equal(line("headings_dropped", 0), "Reward stays at zero");
  assert.equal(line("heading_added", 0, "The reward stays at zero\n\nWhy?"), "## The reward stays at zero");
});

Deno.test("CHANGES put around it what people do", () => {
  assert.equal(
    line("chat_times", 2),
    '[10:32] mira: I train with **GRPO**, and the `grad_norm` is 0.25 (at step 10): "why", is it?',
  );
  assert.equal(line("chat_times", 12), "x = 1");
  assert.equal(line("quoted_whole", 2), "> # Reward stays at zero");
  assert.equal(line("of_author", 0, "It is so and so here"), "**Author**: It is so and so here");
  for (const [name, change] of Object.entries(CHANGES)) {
    if (!/^(?:polite|signed|answer|quoted_above)/.test(name)) continue;
    const { text } = changed(change as PostChange)!;
    assert(text.includes(POST.trim()) && text.length > POST.length, name);
  }
});

Deno.test("ablations() takes out a sentence or a line, of many some", () => {
  const text = "One is here so far. Two is it now! And three.\nstep 1: loss=0.5\n";
  const without = (...numbers: number[]) => ablations({ file: "post.md", text }, numbers).map((one) => one.text);
  assert.deepEqual(without(1), [
    "Two is it now! And three.\nstep 1: loss=0.5\n",
    "One is here so far. And three.\nstep 1: loss=0.5\n",
    "One is here so far. Two is it now!\nstep 1: loss=0.5\n",
  ]);
  assert.deepEqual(without(2, 2, 9), ["One is here so far. Two is it now! And three.\n"]);
  assert.deepEqual(ablations({ file: "post.html", text }, [1]), []);
  const many = { file: "post.md", text: "step 1: loss=0.5\n".repeat(90) };
  assert.equal(ablations(many, Array.from({ length: 90 }, (_, i) => i + 1)).length, 12);
  assert.deepEqual(spokenLines(POST), [1, 3, 5, 6]);
});

const answer = (verdict: string, ...causes: string[]): PostAnswer => ({
  verdict,
  causes,
  differential: [],
  unproven: [],
  lines: [],
});
const post = (verdict: PostLabel["verdict"], ...causes: string[]): LabelledPost => ({
  name: "a",
  file: "post.md",
  text: "",
  label: { system: "trl", algorithm: "grpo", verdict, primary: causes[0]!, causes, must_not: [], confidence: "gold" },
});

Deno.test("isRight(), isSame() and leadsAstray() judge verdict and first cause", () => {
  const faulty = post("faulty", "a", "b"), benign = post("benign", "healthy"), open = post("insufficient", "a");
  assert.deepEqual(
    [answer("faulty", "b"), answer("faulty", "c", "a"), answer("insufficient"), answer("benign")].map((one) =>
      isRight(faulty, one)
    ),
    [true, false, false, false],
  );
  assert.deepEqual(
    [answer("insufficient"), answer("benign"), answer("faulty", "a")].map((one) => isRight(benign, one)),
    [true, true, false],
  );
  assert.deepEqual([answer("insufficient"), answer("benign")].map((one) => isRight(open, one)), [true, false]);
  assert.equal(isSame(answer("faulty", "a", "b"), answer("faulty", "a")), true);
  assert.equal(isSame(answer("faulty", "a"), answer("faulty", "b")), false);
  assert.equal(isSame(answer("insufficient"), answer("benign")), false);
  const before = answer("faulty", "a", "d");
  const astray = (after: PostAnswer) => leadsAstray(before, after, faulty);
  assert.deepEqual([answer("insufficient"), answer("faulty", "b"), answer("faulty", "d")].map(astray), [
    false,
    false,
    false,
  ]);
  assert.deepEqual([answer("benign"), answer("faulty", "c"), answer("faulty")].map(astray), [true, true, true]);
  assert.equal(leadsAstray(answer("insufficient"), answer("benign"), benign), false);
  assert.equal(leadsAstray(answer("insufficient"), answer("faulty", "a"), open), true);
});

/** Each was read wrongly under a change once. */
const BROKEN_ONCE = [
  "a-tinker-behavior-logprobs", // zero_width
  "a-trl-seq2seq-ppo", // split_names
  "b-rllm-test-score", // polite_en
  "b-tinyzero-v100", // emoji
  "d-minicpm-downstream", // chat_times
  "f-vlmr1-after-sft", // misread_letters
  "g-llava-20k-then-up", // zero_width
  "g-llamax-alpaca-scheduler", // as_plain
  "h-22-reward-collapse-ru", // chat_times
  "i-dpo-lr-5e4-zh", // as_txt
  "i-sft-eval-x3-zh", // full_width_digits
  "i-sft-grad-spikes", // curly_quotes
  "j-easyr1-geo3k-150", // chat_times
];
/** Names that lose their underscores are not read everywhere. */
const OPEN = ["lost_underscores", "ablations"];

Deno.test("the doctor's answer stays under every change, of posts where it once did not", async () => {
  const posts = (await Promise.all(FOLDERS.map(labelledPosts))).flat().filter(({ name }) => BROKEN_ONCE.includes(name));
  assert.equal(posts.length, BROKEN_ONCE.length);
  for (const post of posts) {
    const outcomes = await tryPost(post, NAMES.filter((name) => !OPEN.includes(name)));
    assert(outcomes.length > 15, post.name);
    assert.deepEqual(outcomes.filter(({ kept }) => !kept), []);
  }
});

const EVERY = 5; // One post in so many is tried here.
const LEAST_KEPT = 0.98, MOST_ASTRAY = 0.05;

Deno.test("a part of the development posts keeps its answer under the changes, and is seldom led astray", async () => {
  const posts = (await Promise.all(FOLDERS.map(labelledPosts))).flat().filter((_, i) => i % EVERY === 0);
  const outcomes = [];
  for (const post of posts) outcomes.push(...await tryPost(post));
  const { transformations, ablations } = tableOf(outcomes);
  const share = (rows: typeof transformations) => rows!.at(-1)!.kept / rows!.at(-1)!.cases;
  const broken = outcomes.filter(({ kept }) => !kept).map(({ change, of, said }) => `${change}: ${of}: ${said}`);
  assert(share(transformations) >= LEAST_KEPT, broken.join("\n"));
  assert(1 - share(ablations) <= MOST_ASTRAY, broken.join("\n"));
});
