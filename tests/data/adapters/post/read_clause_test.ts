import assert from "node:assert/strict";
import { claimsOf, readPost, toldOf } from "./read_post.ts";

const HEAD = "Hi, why is it so?\n\n";
const read = (...lines: string[]) => readPost(HEAD + lines.join("\n"));

for (
  const [text, claims, told] of [
    ["The loss is 0.5 at step 12.", [], ["3 loss is 0.5"]],
    ["Loss and grad_norm are 0.", ["3 loss.zero", "3 grad_norm.zero"], ["3 loss is 0", "3 grad_norm is 0"]],
    ["The reward goes from 0.2 to 0.8.", [], ["3 reward course 0.2 0.8"]],
    ["The reward lies between 0.2 and 0.4.", [], ["3 reward between 0.2 0.4"]],
    ["The reward went 0.1 -> 0.2 -> 0.3 -> 0.4.", [], ["3 reward series 0.1 0.2 0.3 0.4"]],
    ["奖励从 0.2 降到 0.1。", ["3 reward.falls"], ["3 reward course 0.2 0.1"]],
    ["La récompense passe de 0,2 à 0,8.", [], ["3 reward course 0.2 0.8"]],
    ["Die Belohnung sank von 0,8 auf 0,1.", ["3 reward.collapses", "3 reward.falls"], ["3 reward course 0.8 0.1"]],
    ["Награда упала с 0,8 до 0,1.", ["3 reward.collapses", "3 reward.falls"], ["3 reward course 0.8 0.1"]],
    ["보상은 0.5입니다.", [], ["3 reward is 0.5"]],
    ["The reward is not 0.5.", [], []],
    ["Maybe the reward is 0.", [], []],
    ["Is the loss 0 because of it?", ["3 loss.zero"], ["3 loss is 0"]],
    ["Zero gradient, always.", ["3 grad_norm.zero"], []],
    ["Zero mean reward.", ["3 reward.zero"], []],
    ["The loss is NaN and KL is 0.2.", ["3 loss.not_finite"], ["3 kl is 0.2"]],
    ["The reward is zero and entropy is 0.5.", ["3 reward.zero"], ["3 entropy is 0.5"]],
    ["Loss ist NaN und KL ist 0.2.", ["3 loss.not_finite"], ["3 kl is 0.2"]],
    ["The outputs are empty and rewards are 0.", ["3 reward.zero", "3 completions.empty"], ["3 reward is 0"]],
    ["Repeats are 0.0 % of the completions.", [], []],
    ["The learning rate is 5e-7.", [], []],
    ["The reward is 0 now and then.", [], []],
    ["From time to time the loss is NaN and the reward is 0.5.", [], []],
    ["Do you think the samples are readable?", [], []],
    ["i got the grad_norm nan loss 0", ["3 loss.zero", "3 grad_norm.not_finite"], ["3 loss is 0"]],
    ["pg_loss and kl_loss increase drastically.", ["3 loss.rises", "3 kl.rises"], []],
    ["It is hard for the reward to improve.", ["3 reward.constant"], []],
    ["奖励很难提升。", ["3 reward.constant"], []],
    ["Sudden val drop.", ["3 evaluation.falls"], []],
    ["The validation curve uses one fixed protocol.", [], []],
    ["The reward is fixed at one value.", ["3 reward.constant"], []],
    ["This bug is fixed.", [], []],
    ["All groups have zero std.", ["3 group_reward_std.zero"], []],
    ["rlhf ppo训练loss为nan。", ["3 loss.not_finite"], []],
    ["奖励从 0.9 降到 0.1，出现NaN情况。", ["3 reward.collapses", "3 reward.falls", "3 loss.not_finite"], [
      "3 reward course 0.9 0.1",
    ]],
    ["The experiment exploded.", ["3 training.explodes"], []],
    ["奖励函数是答案正确给 1 分，否则 0 分。", [], []],
    ["报酬函数答对奖励 1，其他情况为 0。", [], []],
    ["The reward is 1 if the answer is correct, otherwise 0 points.", [], []],
    ["Die Belohnung ist 1 für richtig, sonst 0 Punkte.", [], []],
    ["后来奖励是 0 分。", ["3 reward.zero"], []],
    ["推理结果重复。", ["3 completions.repeats"], []],
    ["所以正负也代表不了什么，奖励是负的没有意义。", [], []],
    ["The format_rate rises.", ["3 format_reward.rises"], []],
    ["Мусора в ответах нет.", [], []],
    ["Wirre Ausgaben gibt es keine.", [], []],
    ["文字化けも NaN もありません。", [], []],
    ["Reviewers will ask about reward hacking.", [], []],
    ["The adapters pass through unchanged.", [], []],
    ["В ответах мусор, нет сомнений.", ["3 completions.garbled"], []],
    ["A NaN loss from the start.", ["3 loss.not_finite"], []],
    ["The number of GPUs is 2, other parameters unchanged.", [], []],
    ["其他参数都没改，loss 是 0。", ["3 loss.zero"], ["3 loss is 0"]],
    ["The parameters are unchanged after training.", ["3 parameters.constant", "3 adapter.constant"], []],
  ] as const
) {
  Deno.test(`readClause() reads "${text}"`, async () => {
    const intake = await read(text);
    assert.deepEqual([claimsOf(intake), toldOf(intake)], [claims, told]);
  });
}

Deno.test("readClause() says of what follows what a pronoun goes on about, also in the next paragraph", async () => {
  assert.deepEqual(claimsOf(await read("I look at the completions.", "They are identical.")), [
    "4 completions.identical",
  ]);
  assert.deepEqual(claimsOf(await read("I look at the completions.", "", "They are identical.")), [
    "5 completions.identical",
  ]);
  assert.deepEqual(claimsOf(await read("I look at the completions.", "", "Identical, I fear.")), []);
});

Deno.test("readClause() keeps apart what is said of another run", async () => {
  const intake = await read("Without the flag the loss is NaN.", "", "换成别的模型以后奖励为零。");
  assert.deepEqual(claimsOf(intake), ["elsewhere 3 loss.not_finite", "elsewhere 5 reward.zero"]);
  assert.deepEqual(toldOf(intake), []);
  const past = await read(
    "With lr 0.5 the KL was 60, now with 1e-6 the reward is 0.3.",
    "",
    "Before I had lr 0.5 and a KL of 60.",
  );
  assert.deepEqual(toldOf(past), ["3 reward is 0.3"]);
  assert.deepEqual(claimsOf(await read("approx_kl keeps rising, now at 8.4.")), ["3 kl.rises"]);
});

for (
  const [text, span] of [
    ["From step 40 on the reward is 0.", { from: 40, to: null, throughout: true }],
    ["The reward is 0 at step 40.", { from: 40, to: null, throughout: false }],
    ["The reward is always 0.", { from: null, to: null, throughout: true }],
    ["The reward is 0 for 300 steps.", { from: null, to: 300, throughout: false }],
    ["In the first 20 steps the reward is 0.", { from: 1, to: 20, throughout: false }],
    ["In the last 20 steps the reward is 0.", { from: null, to: null, throughout: false, atEnd: true }],
    ["从第 40 步开始奖励一直是 0。", { from: 40, to: null, throughout: true }],
    ["À la fin la récompense est 0.", { from: null, to: null, throughout: false, atEnd: true }],
    ["С шага 40 награда всегда 0.", { from: 40, to: null, throughout: true }],
  ] as const
) {
  Deno.test(`readClause() knows for which train steps "${text}" speaks`, async () => {
    const [found] = (await read(text)).told;
    assert(found !== undefined);
    const { from, to, throughout, atEnd } = found;
    assert.deepEqual({ from, to, throughout, ...atEnd ? { atEnd } : {} }, span);
  });
}

const SINCE = { from: 100, to: null, throughout: true }, AFTER = SINCE;
for (
  const [text, span] of [
    ["The first 100 steps are fine, then the loss becomes NaN.", SINCE],
    ["Training is fine until step 100, then the loss is NaN.", SINCE],
    ["Erste 100 Schritte war alles gut, dann wird der Loss NaN.", SINCE],
    ["Les 100 premiers pas vont bien, puis la perte devient NaN.", SINCE],
    ["Los primeros 100 pasos van bien, luego la pérdida es NaN.", SINCE],
    ["Os primeiros 100 passos vão bem, depois a perda vira NaN.", SINCE],
    ["Первые 100 шагов всё хорошо, потом loss становится NaN.", SINCE],
    ["前100步都正常，之后loss变成nan。", SINCE],
    ["最初の100ステップは正常、その後lossがNaNになる。", SINCE],
    ["처음 100스텝은 정상이고, 이후 loss가 NaN이 됩니다.", SINCE],
    ["After the first 100 steps the loss becomes NaN.", AFTER],
    ["Nach den ersten 100 Schritten wird der Loss NaN.", AFTER],
    ["После первых 100 шагов loss становится NaN.", AFTER],
    ["前100步之后loss变成nan。", AFTER],
    ["最初の100ステップの後、lossがNaNになる。", AFTER],
    ["The loss is NaN in the first 100 steps, then it recovers.", { from: 1, to: 100, throughout: false }],
    ["The loss is NaN for 100 steps.", { from: null, to: 100, throughout: false }],
  ] as const
) {
  Deno.test(`readClause() knows when the NaN of "${text}" came`, async () => {
    const found = (await read(text)).claims.find(({ predicate }) => predicate === "not_finite")!;
    const { from, to, throughout } = found;
    assert.deepEqual({ from, to, throughout }, span);
  });
}

Deno.test("readClause() gives each claim the line on which its clause begins, in Markdown and in a page", async () => {
  assert.deepEqual(claimsOf(await read("The loss is NaN,", "and the outputs are", "gibberish.")), [
    "3 loss.not_finite",
    "4 completions.garbled",
  ]);
  const page = "<html><body>\n<p>Hi, why?</p>\n<p>The loss is NaN,\nand the outputs are gibberish.</p>\n</body></html>";
  assert.deepEqual(claimsOf(await readPost(page, "post.html")), ["3 loss.not_finite", "4 completions.garbled"]);
});

for (
  const text of [
    "grad_norm is 0 in step 1 only, which is warmup.",
    "grad_norm is 0 only in the first step.",
    "grad_norm ist nur im ersten Schritt 0.",
    "grad_norm est à 0 seulement au premier pas.",
    "grad_norm es 0 solo en el primer paso.",
    "grad_norm é 0 só no primeiro passo.",
    "grad_norm равен 0 только на первом шаге.",
    "grad_norm 只有第一步是 0。",
    "grad_norm は最初だけ 0 です。",
    "grad_norm은 첫 스텝에서만 0입니다.",
  ]
) {
  Deno.test(`what is so in the first step alone is said of no run: "${text}"`, async () => {
    assert.deepEqual(claimsOf(await read(text)), []);
  });
}

Deno.test("what is so from the first step on is said of the run, and a number that something moves to is no level", async () => {
  assert.deepEqual(claimsOf(await read("grad_norm is 0 from step 1 on.")), ["3 grad_norm.zero"]);
  const { told } = await read("It is always so: the reward climbs to 0.6.");
  assert.deepEqual(told.map(({ throughout }) => throughout), [false]);
});

for (
  const [text, ...told] of [
    ["logps/chosen −120.5 at step 10, −310.2 at step 400", "logps/chosen is -120.5", "logps/chosen is -310.2"],
    ["The reward is −1.5 at step 10 and is −3.2 at step 400.", "reward is -1.5", "reward is -3.2"],
    ["The reward goes from –4.2 at step 10 to –0.3 at step 400.", "reward is -4.2", "reward is -0.3"],
    ["The reward goes from minus 4.2 to minus 0.3.", "reward course -4.2 -0.3"],
    ["奖励从负4.2到负0.3。", "reward course -4.2 -0.3"],
    ["The reward lies between 0.1–0.5.", "reward between 0.1 0.5"],
    ["The KL is 10^-6.", "kl is 0.000001"],
    ["The KL goes from 0.1 to ~12.", "kl course 0.1 12"],
    ["The KL goes from 0.1 to > 12.", "kl course 0.1 12"],
    ["The KL goes from 0.1 to ∞."],
    ["The reward dropped by 0.1."],
    ["I have 0.1 reward and 9 nats of KL.", "reward is 0.1", "kl is 9"],
    ["The reward, KL and entropy are 0.1, 9 and 0.05 respectively.", "reward is 0.1", "kl is 9", "entropy is 0.05"],
    ["The within-group std of the reward is 0.25.", "group_reward_std is 0.25"],
    ["The accuracy is 20 percent.", "rewards/accuracy is 0.2"],
  ] as const
) {
  Deno.test(`readClause() reads signs and powers in "${text}"`, async () => {
    assert.deepEqual(toldOf(await read(text)), told.map((one) => `3 ${one}`));
  });
}

for (
  const text of [
    "The KL has never exceeded 12 in the whole run.",
    "KL stays below 0.05 throughout.",
    "The reward never fell below 0.3.",
    "La KL nunca superó 12.",
    "KL 从未超过 12。",
    "The clip range is 0.3.",
    "The entropy coefficient is 0.",
    "KL 系数是 0.04，熵系数为 0。",
    "The reward function returns 1.0 for correct and 0 for wrong answers.",
  ]
) {
  Deno.test(`readClause() takes a bound or a setting for no value: "${text}"`, async () => {
    const intake = await read(text);
    assert.deepEqual([claimsOf(intake), toldOf(intake)], [[], []]);
  });
}

Deno.test("readClause() takes a bound for what lies beyond it, and for no constant", async () => {
  const intake = await read("The accuracy is always below 0.2, and the KL is above 60 at step 40.");
  assert.deepEqual(claimsOf(intake), ["3 kl.high"]);
  assert.deepEqual(toldOf(intake), ["3 rewards/accuracy is 0.2", "3 kl is 60"]);
  assert(!intake.told[0]!.throughout);
});

Deno.test("readClause() takes no figure of what others say for the run's own", async () => {
  assert.deepEqual(toldOf(await read("The loss is 0.4.", "", "> my reward is 0.5 and my loss is 0")), [
    "3 loss is 0.4",
  ]);
});

Deno.test("readClause() hears no cheating in a shortcut connection, and hears it in a shortcut", async () => {
  const cheats = async (text: string) =>
    claimsOf(await readPost(`Hi, GRPO, a question?\n\n${text}\n`)).filter((claim) => claim.includes("cheats")).length;
  assert.equal(await cheats("The shortcut connection in our reward model made it cheaper."), 0);
  assert.equal(await cheats("The policy found a shortcut in our reward model."), 1);
});

Deno.test("a zero reward rate is a share of completions, and no reward", async () => {
  const read = await readPost(
    "Hi, why is it so? GRPO: reward mean 0.21, zero reward rate 0.78, perfect reward rate 0.21.",
  );
  assert(!claimsOf(read).includes("1 reward.zero"));
  assert.deepEqual(read.told.map(({ name, values }) => [name, ...values]), [["reward", 0.21]]);
});

Deno.test("a length in tokens is one where the clause speaks of lengths, and a LaTeX power a number", async () => {
  const of = async (text: string) =>
    (await readPost(`Hi, why is it so? GRPO: ${text}`)).told.map(({ name, values }) => [name, ...values]);
  assert.deepEqual(await of("completion length went from 500 to 20 tokens."), [["completion_length", 500, 20]]);
  assert.deepEqual(await of("the KL is $3\\times10^{-2}$."), [["kl", 0.03]]);
});
