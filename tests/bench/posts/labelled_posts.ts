/** Labelled posts: folders with a post and its label each, or a packed file with one post a line. @module */
import { basename, join } from "node:path";
import { UsageError } from "../../../workflows/terminal/usage_error.ts";
import { type Label, labelledCases } from "../labelled/cases.ts";

export interface PostLabel extends Label {
  readonly language?: string;
  readonly form?: string;
  /** People who labelled it; one where it is not said. */
  readonly readers?: number;
}

export interface LabelledPost {
  readonly name: string;
  /** The post's file, whose ending says how it is read. */
  readonly file: string;
  readonly text: string;
  readonly label: PostLabel;
}

/** In order of their names. Throws UsageError where a path holds none, or a line of a packed file is no post. */
export async function labelledPosts(path: string): Promise<LabelledPost[]> {
  if (path.endsWith(".jsonl.gz") || path.endsWith(".jsonl")) return await packedPosts(path);
  return labelledCases(path).map(({ name, path, label }) => {
    const [file, ...others] = [...Deno.readDirSync(path)].map(({ name }) => name).filter((name) =>
      /^post\./.test(name)
    );
    if (file !== undefined && others.length === 0) {
      return { name, file, text: Deno.readTextFileSync(join(path, file)), label };
    }
    throw new UsageError(
      `Cannot read the post "${path}": it holds ${
        others.length === 0 ? "none" : "several"
      }, want one file post.md, post.txt or post.html`,
    );
  });
}

async function packedPosts(path: string): Promise<LabelledPost[]> {
  const { body } = new Response((await Deno.open(path)).readable);
  const bytes = path.endsWith(".gz") ? body!.pipeThrough(new DecompressionStream("gzip")) : body!;
  const lines = (await new Response(bytes).text()).split("\n");
  const posts = lines.flatMap((line, i) => line.trim() === "" ? [] : [postOf(line, `${basename(path)}:${i + 1}`)]);
  if (posts.length === 0) throw new UsageError(`Cannot read posts of "${path}": it holds none`);
  return posts.sort((a, b) => a.name < b.name ? -1 : 1);
}

function postOf(line: string, at: string): LabelledPost {
  let post: Partial<LabelledPost> | null = null;
  try {
    post = JSON.parse(line);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
  }
  const { name, file, text, label } = post ?? {};
  if (typeof name === "string" && typeof file === "string" && typeof text === "string" && label?.causes !== undefined) {
    return { name, file, text, label };
  }
  throw new UsageError(`Cannot read ${at} as a post: want an object with "name", "file", "text" and "label"`);
}

/** A post's form in one word: of those in its label the first that says more than that it has a title. */
export function formOf({ label }: LabelledPost): string {
  return (label.form ?? "").split(", ").find((form) => form !== "title" && form !== "") ?? "not said";
}
