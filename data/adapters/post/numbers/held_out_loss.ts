/** Held-out rows that a sentence names behind a loss: "loss 1.7 → 1.0, on validation 1.6 → 1.1" tells two losses. @module */
import { isLowerBetter } from "./lower_is_better.ts";
import { type Mention, mentionsIn } from "../mentions.ts";

/** A place alone, without a score: "on validation", 验证集, "на валидации". */
const PLACE =
  /^\s*(?:on |auf |sur |en |em |на |in )?(?:the |der |dem |den |la |le |el |o |a )?(?:validation|validación|validação|Validierung\p{L}*|Val|eval|test|dev|held[- ]?out|валидаци\p{L}+|тест\p{L}*|отложенн\p{L}+|验证集?|测试集?|検証|テスト|검증|평가)(?: ?(?:set|data|split|rows|выборк\p{L}+))?\s*$/iu;

/** The mentions of a clause, a place of held-out rows taken for their loss where its sentence speaks of a loss last. */
export function withHeldOutLoss(mentions: readonly Mention[], text: string, sentence: string): Mention[] {
  const at = Math.max(0, sentence.indexOf(text)), earlier = sentence.slice(0, at);
  return mentions.flatMap((mention, i) => {
    const said = text.slice(mention.at, mention.end);
    if (mention.subject !== "evaluation" || !PLACE.test(said)) return mention;
    if (isLowerBetter(mention.subject, said, earlier)) return [];
    const before = i > 0 ? mentions.slice(0, i) : mentionsIn(earlier);
    const last = before.findLast(({ name }) => name !== null)?.subject;
    return last === "loss" || last === "eval_loss" ? { ...mention, subject: "eval_loss", name: "eval_loss" } : mention;
  });
}
