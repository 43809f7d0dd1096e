/**
 * Changes labelled posts in ways that must not change the doctor's answer, and takes out one piece of them after another.
 *
 *     deno task bench post_invariance [PATH...] [--only NAME,...] [--json]
 *
 * PATH is a folder of posts or a packed file, as for `bench posts`; of its posts those take part that are answered right as
 * they are. Changes (other marks, breaks, characters, what people put around a post) keep verdict and first cause, at least
 * 98 %. Ablations (without one sentence or line that proves the answer) may end in the same cause, one that the label accepts
 * or that was named before, or "insufficient"; at most 2 % in another cause, or in a healthy run where it was none.
 * @module
 */
import { pathArgument } from "../../workflows/terminal/paths.ts";
import { UsageError } from "../../workflows/terminal/usage_error.ts";
import { among, benchArguments, typed } from "./arguments.ts";
import { type Outcome, report, tableOf } from "./invariance/report.ts";
import { ablations, spokenLines } from "./post_invariance/ablations.ts";
import { CHANGES, type PostChange, type PostText } from "./post_invariance/changes.ts";
import { FOLDERS } from "./posts.ts";
import { answerPost, type PostAnswer } from "./posts/answer_post.ts";
import { type LabelledPost, labelledPosts } from "./posts/labelled_posts.ts";

const ABLATIONS = "ablations";
export const NAMES: readonly string[] = [...Object.keys(CHANGES), ABLATIONS];

/** True of an answer that the label agrees with; a healthy run may be one that cannot be told. */
export function isRight({ label }: LabelledPost, { verdict, causes }: PostAnswer): boolean {
  if (label.verdict === "faulty") return verdict === "faulty" && label.causes.includes(causes[0] ?? "");
  return label.verdict === "benign" ? verdict !== "faulty" : verdict === "insufficient";
}

export const isSame = (before: PostAnswer, after: PostAnswer): boolean =>
  before.verdict === after.verdict && before.causes[0] === after.causes[0];

/** True where less of a post leads to another cause, or makes a run healthy. */
export function leadsAstray(before: PostAnswer, after: PostAnswer, { label }: LabelledPost): boolean {
  if (after.verdict === "insufficient") return false;
  if (after.verdict === "benign") return before.verdict !== "benign" && label.verdict !== "benign";
  const [first] = after.causes;
  return first === undefined || label.verdict !== "faulty" ||
    !label.causes.includes(first) && !before.causes.includes(first);
}

const shown = ({ verdict, causes }: PostAnswer) => causes[0] ?? verdict;

/** What becomes of a post under each change; nothing of one that is answered wrong as it is. */
export async function tryPost(post: LabelledPost, only: readonly string[] = NAMES): Promise<Outcome[]> {
  const answer = ({ file, text }: PostText) => answerPost(file, text);
  const before = await answer(post), outcomes: Outcome[] = [];
  if (!isRight(post, before)) return [];
  for (const [change, apply] of Object.entries(CHANGES) as [string, PostChange][]) {
    const changed = only.includes(change) ? apply(post) : null;
    if (changed === null) continue;
    const after = await answer(changed);
    outcomes.push(outcomeOf("transformations", change, post, before, after, isSame(before, after)));
  }
  if (!only.includes(ABLATIONS)) return outcomes;
  const lines = post.label.verdict === "faulty" ? before.lines : spokenLines(post.text);
  for (const one of ablations(post, lines)) {
    const after = await answer(one), kept = !leadsAstray(before, after, post);
    const outcome = outcomeOf("ablations", post.label.verdict, post, before, after, kept);
    outcomes.push({ ...outcome, said: `${outcome.said} without "${one.without.slice(0, 80)}"` });
  }
  return outcomes;
}

const outcomeOf = (
  kind: string,
  change: string,
  { name }: LabelledPost,
  before: PostAnswer,
  after: PostAnswer,
  kept: boolean,
): Outcome => ({ kind, change, of: name, kept, said: `${shown(before)} -> ${shown(after)}`, unproven: after.unproven });

if (import.meta.main) {
  const given = typed(() => {
    const given = benchArguments(Deno.args, { only: "", json: false }, [0, Infinity]);
    return { ...given, only: given.only === "" ? NAMES : among("--only", given.only, NAMES) };
  });
  const outcomes: Outcome[] = [];
  for (const path of given.words.length > 0 ? given.words.map(pathArgument) : FOLDERS) {
    try {
      for (const post of await labelledPosts(path)) outcomes.push(...await tryPost(post, given.only));
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof Deno.errors.NotFound)) throw error;
      console.error(error.message);
      Deno.exit(2);
    }
  }
  console.log(given.json ? JSON.stringify({ tables: tableOf(outcomes), outcomes }) : report(outcomes));
}
