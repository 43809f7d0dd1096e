/** What nobody sees of a run, but takes for its reason: asked, it is a guess. @module */
import type { PredicateName } from "../words/predicates.ts";

const REASONS: ReadonlySet<PredicateName> = new Set<PredicateName>(["cheats", "wrong", "memorised"]);
/** "Why does it cheat?": that it does is said. */
const ASKS_WHY =
  /(?<![\p{L}])(?:why|how (?:can|do|to)|what (?:can|should|to)|warum|wieso|pourquoi|por qu[eéê]|почему)(?![\p{L}])|为什么|为何|怎么|なぜ|どう(?:し|す)|왜|어떻게/iu;

/** True of what a question guesses: "labels flipped?". */
export const isGuess = (predicate: PredicateName, question: string): boolean =>
  REASONS.has(predicate) && !ASKS_WHY.test(question);
