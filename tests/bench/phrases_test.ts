/** The benchmark of statements against hand counts; and the level that words reach as a floor. */
import assert from "node:assert/strict";
import { halfOf, hear, type Heard, type Phrase, phrases, reportPhrases, shareOf } from "./phrases.ts";

const phrase = (symptom: string, text: string, lang = "en"): Phrase => ({ symptom, lang, text });

Deno.test("hear() takes a statement for its symptom or one that says the same, and for no other", () => {
  const taken = (symptom: string, text: string) => hear(phrase(symptom, text)).taken;
  assert.equal(taken("loss_not_finite", "the loss is nan from step 3 on"), true);
  assert.equal(taken("kl_zero", "the loss is nan from step 3 on"), false);
  assert.equal(taken("not_loss_not_finite", "the loss is never nan"), false);
  assert.equal(taken("goal_rises", "the reward rises steadily"), true, "of the same causes");
  assert.equal(taken("not_goal_rises", "the reward rises steadily"), false, "it is that symptom alone that is false");
  assert.throws(() => hear(phrase("mood_low", "x")), /Cannot judge a statement of "mood_low": it is no symptom/);
});

Deno.test("shareOf() and reportPhrases() count what tells a symptom apart from what seems to", () => {
  const one = (symptom: "loss_zero" | "kl_zero", lang: string, tells: boolean, taken: boolean): Heard => ({
    phrase: phrase(symptom, "", lang),
    symptom,
    tells,
    taken,
  });
  const heard = [
    one("loss_zero", "en", true, true),
    one("loss_zero", "zh", true, true),
    one("kl_zero", "en", true, false),
    one("kl_zero", "en", false, true),
  ];
  assert.deepEqual(shareOf(heard, true), { taken: 2, of: 3 });
  assert.deepEqual(shareOf(heard, false), { taken: 1, of: 1 });
  assert.deepEqual(reportPhrases(heard).split("\n").map((line) => line.trimEnd().replace(/ {2,}/g, " | ")), [
    "symptom | recall | false",
    "kl_zero | 0/1 0 % | 1/1 100 %",
    "loss_zero | 2/2 100 % | -",
    "language",
    "en | 1/2 50 % | 1/1 100 %",
    "zh | 1/1 100 % | -",
    "all | 2/3 67 % | 1/1 100 %",
  ]);
});

/** What is reached, less one or two percent; recall of symptoms and the false share, in percent. */
const FLOORS = { train: { recall: 94, false: 5 }, test: { recall: 75, false: 18 } } as const;
/** Recall of each language over both halves, in percent. */
const LANGUAGES = { en: 81, zh: 85, ja: 86, ko: 87, fr: 84, de: 85, es: 90, pt: 86, ru: 87 } as const;

Deno.test("as many statements are understood as before, and no more are taken for what they do not tell", () => {
  const heard = phrases().map(hear), text = reportPhrases(heard);
  const percent = (of: readonly Heard[], tells: boolean) => {
    const share = shareOf(of, tells);
    return 100 * share.taken / share.of;
  };
  for (const half of ["train", "test"] as const) {
    const own = heard.filter(({ phrase }) => halfOf(phrase) === half);
    assert(own.length > 1500 && own.length < 2100, `${half}: ${own.length}`);
    assert(percent(own, true) >= FLOORS[half].recall, `${half}\n${text}`);
    assert(percent(own, false) <= FLOORS[half].false, `${half}\n${text}`);
  }
  for (const [lang, floor] of Object.entries(LANGUAGES)) {
    assert(percent(heard.filter(({ phrase }) => phrase.lang === lang), true) >= floor, `${lang}\n${text}`);
  }
});
