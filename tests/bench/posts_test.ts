/** The benchmark of posts against hand counts, and a small packed file. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { UsageError } from "../../workflows/terminal/usage_error.ts";
import { answeredPosts, FOLDERS } from "./posts.ts";
import { answerPost, pointsAtSomething, type PostAnswer } from "./posts/answer_post.ts";
import { formOf, type LabelledPost, labelledPosts, type PostLabel } from "./posts/labelled_posts.ts";
import { type AnsweredPost, reportPosts, tallyPosts } from "./posts/report.ts";

const label = (verdict: PostLabel["verdict"], primary: string, more: Partial<PostLabel> = {}): PostLabel => ({
  system: "trl",
  algorithm: "grpo",
  verdict,
  primary,
  causes: [primary],
  must_not: [],
  confidence: "gold",
  language: "en",
  form: "prose",
  ...more,
});

const answered = (name: string, label: PostLabel, verdict: string, ...causes: string[]): AnsweredPost => ({
  post: { name, file: "post.md", text: "", label },
  answer: { verdict, causes, differential: [], unproven: [], lines: [] },
});

const ANSWERED: AnsweredPost[] = [
  answered("a", label("faulty", "x", { causes: ["x", "y"] }), "faulty", "y", "x"),
  answered("b", label("faulty", "x", { form: "title, table" }), "faulty", "z", "x"),
  answered("c", label("faulty", "x"), "benign"),
  answered("d", label("benign", "healthy", { language: "zh" }), "faulty", "x"),
  answered("e", label("benign", "healthy", { language: "zh" }), "insufficient"),
  answered("f", label("insufficient", "x", { system: "verl" }), "insufficient"),
];

Deno.test("tallyPosts() counts first causes, the first two, healthy said of faulty and causes without evidence", () => {
  const { detected, namedFirst, acceptedFirst, inTwo, saidHealthy, falseAlarm, heldBack, unproven } = tallyPosts(
    ANSWERED,
  );
  assert.deepEqual(
    { detected, namedFirst, acceptedFirst, inTwo, saidHealthy, falseAlarm, heldBack, unproven },
    {
      detected: 2,
      namedFirst: 0,
      acceptedFirst: 1,
      inTwo: 2,
      saidHealthy: 1,
      falseAlarm: 1,
      heldBack: 1,
      unproven: 0,
    },
  );
  const behind: PostAnswer = {
    verdict: "faulty",
    causes: ["z"],
    differential: ["z", "x", "w"],
    unproven: ["z"],
    lines: [],
  };
  const [one] = ANSWERED;
  const { inTwo: two, unproven: bare } = tallyPosts([{ post: one!.post, answer: behind }]);
  assert.deepEqual([two, bare], [1, 1]);
  const third = tallyPosts([{ post: one!.post, answer: { ...behind, differential: ["w", "x"] } }]);
  assert.equal(third.inTwo, 0);
});

Deno.test("reportPosts() prints shares, a table by form, language and system, and confusions", () => {
  const text = reportPosts("small", ANSWERED);
  assert.match(text, /^small: 6 posts\n {2}detected +2\/3 67 %\n {2}primary first +0\/3 0 %\n/);
  assert.match(text, /form +posts .*\nprose +5 +1\/2 +1\/2 +1\/2 +1\/1\ntable +1 +1\/1 +0\/1 +0\/0 +0\/0\n/);
  assert.match(text, /\nzh +2 +0\/0 +0\/0 +1\/2 +0\/0\n/);
  assert.match(text, /\nverl +1 /);
  assert.match(text, /\n {2}healthy \[benign\] -> x: d\n/);
  assert.doesNotMatch(text, /: f$/m);
});

Deno.test("formOf() takes the first part of a form that is no title", () => {
  const of = (form?: string) =>
    formOf({ name: "a", file: "post.md", text: "", label: { ...label("benign", "x"), form } } as LabelledPost);
  assert.deepEqual([of("title, list of figures, wrong guess"), of("prose"), of("title"), of()], [
    "list of figures",
    "prose",
    "not said",
    "not said",
  ]);
});

Deno.test("pointsAtSomething() wants a value or a line", () => {
  const row = { train_step: null, name: "loss", value: null, source: null, line: null };
  assert.deepEqual(
    [[], [row], [{ ...row, value: 0 }], [{ ...row, source: "post.md", line: 3 }], [{ ...row, source: "post.md" }]].map((
      evidence,
    ) => pointsAtSomething({ evidence })),
    [false, false, true, true, false],
  );
});

const NAN = "I train with GRPO in TRL. The loss is nan from step 3 on and grad_norm is nan too.";

Deno.test("labelledPosts() reads a packed file, and says which line of it is no post", async () => {
  const folder = await Deno.makeTempDir(), path = join(folder, "few.jsonl.gz");
  const lines = [
    { name: "b", file: "post.md", text: NAN, label: label("faulty", "nan_loss") },
    { name: "a", file: "post.txt", text: "hello", label: label("insufficient", "nan_loss") },
  ].map((post) => JSON.stringify(post));
  try {
    await pack(path, `${lines.join("\n")}\n`);
    assert.deepEqual((await labelledPosts(path)).map(({ name, file }) => `${name}/${file}`), [
      "a/post.txt",
      "b/post.md",
    ]);
    const { detected, heldBack } = tallyPosts(await answeredPosts(path));
    assert.deepEqual([detected, heldBack], [1, 1]);
    for (const wrong of ["no json", '{"name": "c"}', "null"]) {
      await pack(path, `${lines[0]}\n${wrong}\n`);
      await assert.rejects(labelledPosts(path), (error) => {
        assert(error instanceof UsageError);
        assert.match(error.message, /^Cannot read few\.jsonl\.gz:2 as a post: want an object with "name", /);
        return true;
      });
    }
    await pack(path, "\n");
    await assert.rejects(labelledPosts(path), /Cannot read posts of ".*few\.jsonl\.gz": it holds none$/);
    await Deno.mkdir(join(folder, "posts", "one"), { recursive: true });
    await Deno.writeTextFile(join(folder, "posts", "one", "label.json"), JSON.stringify(label("benign", "healthy")));
    await assert.rejects(labelledPosts(join(folder, "posts")), /Cannot read the post ".*one": it holds none, want one/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

async function pack(path: string, text: string): Promise<void> {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  await Deno.writeFile(path, new Uint8Array(await new Response(packed).arrayBuffer()));
}

Deno.test("answerPost() answers with causes that point at lines of the post", async () => {
  const { verdict, causes, unproven } = await answerPost("post.md", NAN);
  assert.equal(verdict, "faulty");
  assert(causes.length > 0);
  assert.deepEqual(unproven, []);
});

/** What is reached; a change may cost one post of a folder, and no alarm. */
interface Floor {
  readonly detected: number;
  readonly accepted: number;
  readonly heldBack: number;
  /** At most. */
  readonly alarms: number;
}

const FLOORS: Readonly<Record<string, Floor>> = {
  real: { detected: 58, accepted: 58, heldBack: 14, alarms: 0 },
  further: { detected: 280, accepted: 263, heldBack: 98, alarms: 2 },
  written: { detected: 79, accepted: 79, heldBack: 25, alarms: 0 },
};

Deno.test("tests/posts/README.md counts reports and their readers as the labels do", async () => {
  const readme = Deno.readTextFileSync(new URL("../posts/README.md", import.meta.url));
  const [real, further] = await Promise.all(FOLDERS.map(labelledPosts));
  const named = (test: (readers: number) => boolean) =>
    further!.flatMap(({ name, label: { readers = 1 } }) => test(readers) ? [name] : []);
  const [once, third] = [named((readers) => readers === 1), named((readers) => readers === 3)];
  assert(once.every((name) => /^[not]-/.test(name)) && third.every((name) => /^[pq]-/.test(name)));
  for (
    const text of [
      `${real!.length} reports of real runs from public threads`,
      `${further!.length} reports of real runs, collected later`,
      `${further!.length - once.length} are labelled twice, \`n-\`, \`o-\` and \`t-\` once`,
      `for ${third.length} (\`readers: 3\`, all of them \`p-\` and \`q-\`) a third one`,
    ]
  ) {
    assert(readme.includes(text), text);
  }
});

Deno.test("the development posts: as many detected and named first as before, no more alarms, none healthy that is broken", async () => {
  for (const path of FOLDERS) {
    const posts = await answeredPosts(path), tally = tallyPosts(posts);
    const floor = FLOORS[path.split("/").at(-1)!]!, text = reportPosts(path, posts);
    assert(tally.detected >= floor.detected, text);
    assert(tally.acceptedFirst >= floor.accepted, text);
    assert(tally.heldBack >= floor.heldBack, text);
    assert(tally.falseAlarm <= floor.alarms, text);
    assert.equal(tally.saidHealthy, 0, text);
    assert.equal(tally.unproven, 0, text);
  }
});
