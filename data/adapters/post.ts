/** What people write about a run: issues, forum posts, chats, pages, with logs and options in them or without. @module */
import type { Adapter, Source } from "./adapter.ts";
import { textRole } from "./console.ts";
import { htmlLines, isHtml } from "./post/html.ts";
import { isProse } from "./post/is_prose.ts";
import { PostReader } from "./post/document.ts";
import { eachLine, textPieces } from "./source/lines.ts";
import { headText } from "./source/text.ts";
import type { Intake } from "./intake/intake.ts";

const MAX_LINE = 1 << 20; // What is longer is no sentence.
const MAX_PAGE = 8 << 20; // Bytes of a page that are read: its tags are looked at together.

export const POST: Adapter = {
  about: "posts in Markdown, HTML or plain text, in any language: prose, fences, tables, quoted replies, answers",
  sniff({ name }, text) {
    if (
      text === null || textRole(name) !== "log" ||
      /\.(?:json|jsonl|ya?ml|csv|tsv|py|sh|bash|toml|ini|cfg|log)$/.test(name)
    ) return 0;
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
