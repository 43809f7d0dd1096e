/** What people write about a run: issues, forum posts, chats, pages, with logs and options in them or without. @module */
import type { Adapter, Source } from "./adapter.ts";
import { textRole } from "./console.ts";
import { separatorOf } from "./csv.ts";
import { htmlLines, isHtml } from "./post/text/html.ts";
import { isProse } from "./post/text/is_prose.ts";
import { PostReader } from "./post/document.ts";
import { eachLine, textPieces } from "./source/lines.ts";
import { headText } from "./source/text.ts";
import type { Intake } from "./intake/intake.ts";

/** Surer than a table without the name of one. */
const SURE = 0.65, LEAST_CELLS = 3;
const MAX_LINE = 1 << 20; // What is longer is no sentence.
const MAX_PAGE = 8 << 20; // Bytes of a page that are read: its tags are looked at together.

export const POST: Adapter = {
  about: "posts in Markdown, HTML or plain text, in any language: prose, fences, tables, quoted replies, answers",
  sniff({ name }, text) {
    if (
      text === null || textRole(name) !== "log" ||
      /\.(?:json|jsonl|ya?ml|csv|tsv|py|sh|bash|toml|ini|cfg|log)$/.test(name)
    ) return 0;
    if (isProse(behindTable(text))) return SURE;
    if (/\.(?:md|markdown|mdx|html?)$/.test(name)) {
      return /^(?:completions?|samples?|generations?|rollouts?)\b/.test(name) ? 0.05 : 0.5;
    }
    return isHtml(text) || isProse(text) ? 0.3 : 0;
  },
  async read(source: Source, intake: Intake) {
    const reader = new PostReader(intake);
    if (isHtml(headText(source.head) ?? "")) {
      for (const line of htmlLines(await page(source, intake))) reader.take(line);
    } else await eachLine(source, intake, (line) => void reader.take(line), { longest: MAX_LINE, bars: true });
    reader.end();
  },
};

/** What stands behind a table that a text begins with, by commas or tabs: somebody writes of it, or it goes on to its end. */
function behindTable(text: string): string {
  const lines = text.split("\n"), separator = separatorOf(lines[0]!);
  if (separator === null) return "";
  const cells = (line: string) => line.split(separator).length, wanted = cells(lines[0]!);
  const last = wanted < LEAST_CELLS ? -1 : lines.findLastIndex((line) => cells(line) >= wanted);
  return last < 1 ? "" : lines.slice(last + 1).join("\n");
}

/** The text of a page, up to what is read of one. */
async function page(source: Source, intake: Intake): Promise<string> {
  let text = "";
  for await (const piece of textPieces(source, intake)) {
    text += piece;
    if (text.length <= MAX_PAGE) continue;
    intake.source.partial = `of a page the first ${MAX_PAGE >> 20} MiB are read`;
    break;
  }
  return text.slice(0, MAX_PAGE);
}
