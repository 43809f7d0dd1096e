import assert from "node:assert/strict";
import { asksInInterview, isOfGenre } from "../../../../../data/adapters/post/stance/genre.ts";
import { claimsOf, readPost, settingsOf, toldOf } from "../read_post.ts";

const OF_NO_RUN = [
  "Release notes 2.3.0:\n\n- Fixed a bug where the GRPO loss turned NaN after step 100 with fp16.\n- Fixed reward being stuck at 0 when the parser failed.\n- Added vLLM support.",
  "# Changelog\n\n## 0.15.1\n\n- Fix: the GRPO loss turned NaN on MPS\n- Fix: the KL exploded when ref model was not synced\n- New: early stopping",
  "Versionshinweise 2.3.0: Ein Fehler wurde behoben, durch den der GRPO-Loss NaN wurde. Ein Fehler wurde behoben, bei dem der Reward immer 0 war.",
  "Notes de version 2.3.0 : correction d'un bug où la loss GRPO devenait NaN après l'étape 100. Correction d'un bug où la récompense restait à 0.",
  "Notas de la versión 2.3.0: se corrigió un error por el que la loss de GRPO se volvía NaN. Se corrigió un error por el que la recompensa se quedaba en 0.",
  "Notas da versão 2.3.0: corrigido um bug em que a loss do GRPO virava NaN. Corrigido um bug em que a recompensa ficava em 0.",
  "Список изменений 2.3.0: исправлена ошибка, из-за которой GRPO loss становился NaN. Исправлена ошибка, из-за которой награда всегда была 0.",
  "更新日志 2.3.0：修复了 GRPO 训练中 loss 变成 NaN 的问题。修复了奖励一直为 0 的问题。",
  "リリースノート 2.3.0：GRPO の loss が NaN になる不具合を修正。報酬が常に 0 になる不具合を修正。",
  "릴리스 노트 2.3.0: GRPO loss가 NaN이 되는 버그를 수정했습니다. 보상이 항상 0이던 버그를 수정했습니다.",
  "Feature request: early stopping on entropy collapse. In GRPO the entropy falls to 0 and the reward collapses to 0 a few hundred steps later. It would be nice to have a callback.",
  "[Feature Request] Stop the training when the loss is NaN\n\nWhen the GRPO loss turns NaN, the trainer goes on for hours. A callback that stops it would save GPU time.",
  "Funktionswunsch: GRPO früh anhalten. Die Entropie fällt auf 0 und der Reward bricht ein paar hundert Schritte später auf 0 ein.",
  "Demande de fonctionnalité : arrêt anticipé de GRPO. L'entropie tombe à 0 et la récompense s'effondre à 0 quelques centaines d'étapes plus tard.",
  "Solicitud de funcionalidad: parada temprana en GRPO. La entropía cae a 0 y la recompensa se desploma a 0 unos cientos de pasos después.",
  "Pedido de funcionalidade: parada antecipada no GRPO. A entropia cai a 0 e a recompensa desaba para 0 algumas centenas de passos depois.",
  "Запрос функции: ранняя остановка в GRPO. Энтропия падает до 0, и награда обваливается до 0 через несколько сотен шагов.",
  "功能请求：GRPO 熵坍缩时早停。熵降到 0，几百步之后 reward 崩到 0。",
  "機能要望：GRPO の早期終了。エントロピーが 0 に落ち、数百ステップ後に報酬が 0 に崩壊します。",
  "기능 요청: GRPO 조기 종료. 엔트로피가 0으로 떨어지고 수백 스텝 뒤 보상이 0으로 붕괴합니다.",
  "教程：如何排查 GRPO 训练中的 NaN\n\n很多新手会遇到 loss 突然变成 NaN 的情况。第一步先看 grad_norm，如果在 NaN 之前 grad_norm 爆炸，就是学习率的问题。",
  "Nouveau billet de blog sur GRPO ! J'y explique pourquoi la loss devient NaN, pourquoi la récompense reste à 0 et comment lire la KL.",
  "GRPO 스터디 발표 자료입니다.\n\n학습이 망가지는 방식:\n1. loss가 NaN이 된다\n2. 보상이 0에서 움직이지 않는다\n3. KL이 폭발한다",
  "New blog post: debugging GRPO. In it I explain why the loss turns NaN, why the reward stays at 0 and how to read the KL.",
  "Neuer Blogartikel zu GRPO: Darin erkläre ich, warum der Loss NaN wird und warum der Reward bei 0 bleibt.",
  "Nueva charla sobre GRPO: explico por qué la loss se vuelve NaN y por qué la recompensa se queda en 0.",
  "Nova palestra sobre GRPO: explico por que a loss vira NaN e por que a recompensa fica em 0.",
  "Новая статья о GRPO: рассказываю, почему loss становится NaN и почему награда остаётся 0.",
  "GRPO 入門スライドを公開しました。loss が NaN になる理由と、報酬が 0 のままになる理由を解説しています。",
  "We are hiring an RL engineer! You know GRPO and PPO. You enjoy finding out why the loss turns NaN and why the reward collapses to 0.",
  "Stellenanzeige: Wir suchen RL-Ingenieure für GRPO. Du findest gern heraus, warum der Loss NaN wird.",
  "Offre d'emploi : nous recrutons un ingénieur GRPO. Vous aimez comprendre pourquoi la loss devient NaN.",
  "Oferta de empleo: buscamos ingeniero de GRPO. Te gusta averiguar por qué la loss se vuelve NaN.",
  "Vaga: procuramos engenheiro de GRPO. Você gosta de descobrir por que a loss vira NaN.",
  "Вакансия: ищем инженера по GRPO. Вам нравится выяснять, почему loss становится NaN.",
  "招聘：GRPO 强化学习工程师。你喜欢研究 loss 为什么变成 NaN。",
  "求人：GRPO の強化学習エンジニアを募集しています。loss が NaN になる原因を調べるのが好きな方。",
  "채용 공고: GRPO 강화학습 엔지니어. loss가 NaN이 되는 이유를 찾는 것을 즐기는 분.",
  "PSA: don't use fp16=True with Gemma. The loss turns NaN in GRPO after a few steps.",
  "Warning to everyone: do NOT set beta=10 in GRPO. The KL term eats everything and the reward collapses to 0.",
  "Warnung an alle: Nehmt kein fp16=True mit Gemma. Der GRPO-Loss wird NaN.",
  "Avis à tous : n'utilisez pas fp16=True avec Gemma. La loss GRPO devient NaN.",
  "Aviso a todos: no usen fp16=True con Gemma. La loss de GRPO se vuelve NaN.",
  "Aviso a todos: não usem fp16=True com o Gemma. A loss do GRPO vira NaN.",
  "Предупреждение всем: не используйте fp16=True с Gemma. GRPO loss становится NaN.",
  "提醒大家：Gemma 不要用 fp16=True。GRPO 的 loss 会变成 NaN。",
  "注意喚起：Gemma で fp16=True を使わないでください。GRPO の loss が NaN になります。",
  "모두에게 경고: Gemma에 fp16=True를 쓰지 마세요. GRPO loss가 NaN이 됩니다.",
  'Unpopular opinion: "my loss is NaN" posts should be banned. Half of the GRPO threads say that the reward is stuck at 0 and never show a log.',
  '暴论：GRPO 群里天天有人发"loss 是 NaN"，奖励一直是 0，从来不贴日志。',
  "Unpopuläre Meinung: Bei GRPO ist der Loss NaN und alle geben der Library die Schuld.",
  "面试题分享：GRPO 训练到第 500 步 loss 突然变成 NaN，reward 掉到 0，你会怎么排查？",
  "La loss de GRPO se vuelve NaN en el paso 500 y la recompensa cae a 0. ¿Qué revisas primero? Es una pregunta de entrevista.",
  "Interview question: the GRPO loss turns NaN at step 500 and the reward drops to 0. What do you check first?",
  "Interviewfrage: Der GRPO-Loss wird bei Schritt 500 NaN. Was prüfst du zuerst?",
  "Question d'entretien : la loss GRPO devient NaN à l'étape 500. Que vérifiez-vous en premier ?",
  "Pergunta de entrevista: a loss do GRPO vira NaN no passo 500. O que você verifica primeiro?",
  "Вопрос с собеседования: loss в GRPO становится NaN на шаге 500. Что проверите первым?",
  "面接の質問：GRPO の loss がステップ 500 で NaN になりました。最初に何を確認しますか？",
  "면접 질문: GRPO loss가 500스텝에서 NaN이 됩니다. 무엇을 먼저 확인하겠습니까?",
  "POV: it's 3 am, your GRPO loss turns NaN and the reward is 0 😂",
  "[FR] Detect dead runs\n\nThe reward collapses to 0 after step 400 and nobody notices. Please add an alarm.",
  "### Feature request\n\nStop GRPO when entropy collapses.\n\n### Motivation\n\nThe entropy falls to 0 after step 100 and the reward collapses to 0 after step 400.\n\n### Your contribution\n\nI can send a PR.",
  "Slides: what can go wrong with GRPO\n\n- loss turns NaN after step 40\n- reward stuck at 0\n- KL explodes",
  "Senior RL engineer (m/f/d)\n\nYour tasks: keep GRPO runs alive. When the loss turns NaN after step 40, you know what to do.",
  "Heads up everyone: with Gemma and fp16=True the GRPO loss turns NaN after step 40.",
  "Hot take: half of the GRPO papers hide that the reward collapses to 0 after step 400.",
  "Got this in an interview: the GRPO loss turns NaN after step 500, what do you check first?",
  "昨天面试被问到：GRPO 第 500 步 loss 变成 NaN，怎么排查？",
  "Nobody:\nMy boss: why is the GRPO loss NaN after step 40? 😂",
  "Reading notes on the DAPO paper: the entropy collapses after step 100 and the reward is stuck at 0.",
];
for (const text of OF_NO_RUN) {
  Deno.test(`a text of such a kind reports of no run: "${text}"`, async () => {
    const intake = await readPost(text), own = claimsOf(intake).filter((claim) => /^\d/.test(claim));
    assert.deepEqual([own, toldOf(intake), settingsOf(intake)], [[], [], []]);
  });
}

const OF_A_RUN = [
  "Tutorial code: my GRPO loss turns NaN after step 40.",
  "[Bug] GRPO loss is NaN\n\nThe loss is NaN since step 10.",
  "I followed the tutorial and the GRPO loss turns NaN after step 40.",
  "Warning: GRPO loss is NaN after step 40. What can I do?",
  "PSA aside, my GRPO loss turns NaN after 40 steps.",
  "Release 2.3.0 breaks GRPO: the loss turns NaN after step 100.",
  "按照教程训练 GRPO，第 40 步 loss 变成 NaN 了，怎么办？",
  "面试前想跑通一个 GRPO，结果第 40 步 loss 变成 NaN，怎么办？",
  "チュートリアルの通りに GRPO を実行したら 40 ステップで loss が NaN になりました。",
  "튜토리얼대로 GRPO를 돌렸는데 40스텝 이후 loss가 NaN이 됩니다.",
  "Seguí el tutorial y la loss de GRPO se vuelve NaN en el paso 40.",
  "Segui o tutorial e a loss do GRPO vira NaN no passo 40.",
  "По туториалу loss в GRPO становится NaN на шаге 40, что делать?",
  "GRPO loss is NaN after step 40 😂 please help, what is wrong?",
  "Changelog says NaN was fixed in 0.15, but the GRPO loss turns NaN after step 40.",
  "The job on the cluster fails: the GRPO loss turns NaN after step 40.",
  "Feature request or bug? The GRPO loss turns NaN after step 40 in my run.",
  "## Release\ntrl 0.15\n\n## Bug\nThe GRPO loss turns NaN after step 40.",
  "What's new with me: my GRPO loss turns NaN after step 40.",
  "The talk said it is easy. The GRPO loss turns NaN after step 40.",
  "We are hiring help: our GRPO loss turns NaN after step 40.",
  "Reminder to self aside: GRPO loss turns NaN after step 40.",
  "GRPO 学习笔记里没写这个：第 40 步 loss 变成 NaN。",
  "У меня вакансия не при чём: loss в GRPO становится NaN после шага 40.",
  "Release notes say nothing. GRPO loss turns NaN after step 40.",
];
for (const text of OF_A_RUN) {
  Deno.test(`who only speaks of such a text reports of a run: "${text}"`, async () => {
    assert(claimsOf(await readPost(text)).some((claim) => /^\d+ loss\.not_finite$/.test(claim)));
  });
}

Deno.test("isOfGenre() knows a head at the beginning, asksInInterview() the question anywhere", () => {
  assert(isOfGenre("Release notes 1.2") && isOfGenre("PSA: no") && isOfGenre("更新日志") && !isOfGenre("[Bug] loss"));
  assert(!isOfGenre("I read the release notes") && !isOfGenre("Warning: loss is NaN"));
  assert(asksInInterview("is an interview question") && !asksInInterview("my interview is over"));
});

Deno.test("what a run of the writer shows is read below such a head", async () => {
  const intake = await readPost(
    "PSA: don't use fp16=True. The loss turns NaN.\n\nMy GRPO run in bf16: the KL explodes.\n",
  );
  assert.deepEqual(claimsOf(intake), ["3 kl.explodes"]);
  const logged = await readPost("Release notes 1.2: fixed a NaN loss.\n\n```\n{'loss': 0.5, 'step': 1}\n```\n");
  assert.equal(logged.records.segments.length, 1);
});

Deno.test("isOfGenre() reads long sentences in time that grows with them", () => {
  for (const part of ["release notes ", "notes on ", "hi ", "- ", "wir suchen ", "面试", "got "]) {
    isOfGenre(part.repeat(20_000));
  }
});
