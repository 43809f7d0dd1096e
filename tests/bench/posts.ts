/**
 * Scores the doctor on labelled posts: what it detects, names, holds back and takes for something else.
 *
 *     deno task bench posts [PATH...] [--json]
 *
 * PATH is a folder of posts, each in a folder with its label.json, or a packed `.jsonl.gz` with one post a line
 * (`name`, `file`, `text`, `label`); without one, the three of tests/posts. "Accepted" is a cause that the label accepts;
 * "the first two" are of the findings and the differential behind them. Labels never reach the doctor.
 * @module
 */
import { basename } from "node:path";
import { pathArgument } from "../../workflows/terminal/paths.ts";
import { UsageError } from "../../workflows/terminal/usage_error.ts";
import { benchArguments, typed } from "./arguments.ts";
import { answerPost } from "./posts/answer_post.ts";
import { labelledPosts } from "./posts/labelled_posts.ts";
import { type AnsweredPost, reportPosts, tallyPosts } from "./posts/report.ts";

export const FOLDERS: readonly string[] = ["real", "further", "written"].map((name) =>
  new URL(`../posts/${name}`, import.meta.url).pathname
);

/** What the doctor says to each post of a folder or a packed file. Throws UsageError where it holds none. */
export async function answeredPosts(path: string): Promise<AnsweredPost[]> {
  const answered: AnsweredPost[] = [];
  for (const post of await labelledPosts(path)) answered.push({ post, answer: await answerPost(post.file, post.text) });
  return answered;
}

if (import.meta.main) {
  const { json, words } = typed(() => benchArguments(Deno.args, { json: false }, [0, Infinity]));
  const tallies: Record<string, unknown> = {};
  for (const path of words.length > 0 ? words.map(pathArgument) : FOLDERS) {
    try {
      const answered = await answeredPosts(path), title = basename(path);
      if (json) tallies[title] = tallyPosts(answered);
      else console.log(`${reportPosts(title, answered)}\n`);
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof Deno.errors.NotFound)) throw error;
      console.error(error.message);
      Deno.exit(2);
    }
  }
  if (json) console.log(JSON.stringify(tallies));
}
