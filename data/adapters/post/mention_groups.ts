/** Which mentions belong together: "loss and grad_norm", "the mean of the reward", "the logprobs of chosen". @module */
import type { Mention } from "./mentions.ts";
import type { SubjectName } from "./words/subjects.ts";

/** "The logits in the generation of step 2 are NaN": it is said of the logits. */
export const WITHIN =
  /^\s*(?:(?:of|in|on|over|during|for|from|de|du|des|dans|sur|pendant|der|des|von|auf|im|en|del|durante|do|da|em|na|no|nos|от|на|для)\s+(?:the |my |our |this |each |every |le |la |les |el |o |a |os |as |den |dem |der )?|d'|de l')$/iu;
/** "chosen 側の報酬": whose reward it is, is what it is said of. */
const WHOSE = /^\s*(?:侧|端|側|一侧|那边|쪽|样本|回答|応答|응답|답변|那个)?\s*(?:的|の|의)?\s*$/u,
  OWNERS: ReadonlySet<SubjectName | null> = new Set<SubjectName | null>(["chosen", "rejected", "eval_loss"]),
  OWNED: ReadonlySet<SubjectName | null> = new Set<SubjectName | null>(["reward", "logprobs", "completions"]);

export function headOf(text: string, mentions: readonly Mention[], last: number): number {
  let head = last;
  while (head > 0) {
    const [own, next] = [mentions[head - 1]!, mentions[head]!], between = text.slice(own.end, next.at);
    const isOwned = OWNERS.has(own.subject) && OWNED.has(next.subject) && WHOSE.test(between);
    if (!isOwned && !WITHIN.test(between)) break;
    head--;
  }
  return head;
}

/** What has metrics: its name before one says whose it is. */
const WHOLES: ReadonlySet<SubjectName | null> = new Set<SubjectName | null>(["reward_model", "training", "policy"]);

/** A mention and those that stand before it in one list: "loss and grad_norm". */
export function coordinated(text: string, mentions: readonly Mention[], last: number): readonly Mention[] {
  let first = last;
  while (first > 0) {
    // "The RM training loss": whose loss it is, and no second subject.
    if (
      text.slice(mentions[first - 1]!.end, mentions[first]!.at).trim() === "" &&
      WHOLES.has(mentions[first - 1]!.subject)
    ) break;
    const between = text.slice(mentions[first - 1]!.end, mentions[first]!.at);
    if (
      !/^\s*(?:,|、|\/|&|\+|和|与|及|以及|跟|and|or|und|et|y|e|и|と|や|과|와|及び)?\s*(?:the |also |même |die |la |le |el )?$/iu
        .test(between)
    ) break;
    first--;
  }
  return mentions.slice(first, last + 1);
}
