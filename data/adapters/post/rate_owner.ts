/** Whose learning rate a sentence tells: the policy's, the critic's, or that of another part. @module */

const CRITIC =
  "critic|value (?:head|function|network|net|model)|v-?head|价值(?:网络|模型|函数|头)|评论家|評論家|クリティック|価値(?:関数|モデル|ネットワーク)|크리틱|가치\\s?(?:모델|함수|네트워크)|critique|crítico|kritiker|wertfunktion|критик[аеу]?";
/** Parts that have a rate of their own, which says nothing of the policy's. */
const OTHERS =
  "reward[ -]model|rm|discriminator|vision (?:tower|encoder)|vit|projector|aligner|embeddings?|奖励模型|報酬モデル|보상\\s?모델|视觉(?:塔|编码器)";
const POLICY = "actor|policy|策略|ポリシー|정책|акт[её]р";
const word = (list: string) => `(?<![\\p{L}\\d])(?:${list})(?![\\p{Ll}\\d])`;

/** "critic's ", "critic 的", "value head (" right before the words for a rate. */
const before = (list: string) =>
  new RegExp(`(?<![\\p{L}\\d])(?:${list})(?:['’]s)?[\\s_(（:：-]{0,2}(?:的|の|의|the |initial |peak )?$`, "iu");
/** "for the critic", "(critic)", of the words behind a value; or between rate and value: "learning rate of the critic is". */
const behind = (list: string) =>
  new RegExp(
    `^\\s?[(（]?\\s?(?:for|of|on|in|für|pour|para|de|для)?\\s?(?:the|our|my|den|le|la|el|o)?\\s?${word(list)}`,
    "iu",
  );
const BEFORE = { critic: before(CRITIC), other: before(OTHERS) };
const BEHIND = { critic: behind(CRITIC), other: behind(OTHERS) };
/** Both in one breath: "actor/critic lr 1e-6/5e-6". */
const BOTH = new RegExp(`${word(POLICY)}\\s?(?:/|&|,|and|和|、)\\s?${word(CRITIC)}[\\s_:：-]{0,2}(?:的|の)?$`, "iu");

type RateOwner = "policy" | "critic" | "both" | "other";
const NEAR = 40; // Characters before the words.

/** Whose a rate is, by what stands before its words and behind its value. */
export function rateOwner(text: string, words: number, end: number): RateOwner {
  const left = text.slice(Math.max(0, words - NEAR), words), right = text.slice(end, end + NEAR);
  if (BOTH.test(left)) return "both";
  for (const owner of ["critic", "other"] as const) {
    if (BEFORE[owner].test(left) || BEHIND[owner].test(right)) return owner;
  }
  return "policy";
}
