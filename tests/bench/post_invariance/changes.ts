/** Changes of a post's text that must not change the doctor's answer. @module */
import * as letters from "./letters.ts";
import * as people from "./people.ts";
import * as texts from "./texts.ts";

/** A post as it lies in a file. */
export interface PostText {
  readonly file: string;
  readonly text: string;
}

/** Another form of the same post; null where there is nothing of it to change. */
export type PostChange = (post: PostText) => PostText | null;

/** A page, or a post that is written in the tags of one. */
const isPage = ({ file, text }: PostText) =>
  file.endsWith(".html") || /<(?:p|pre|h\d|table|div|ul)\b[^>]*>/i.test(text);

/** A change of Markdown or plain text, not of a page's source. */
const ofText = (change: (text: string) => string | null, file?: string): PostChange => (post) => {
  const text = isPage(post) ? null : change(post.text);
  return text === null || text === post.text ? null : { file: file ?? post.file, text };
};

export const CHANGES = {
  // ***** the same print *****
  as_plain: ofText(texts.asPlain, "post.txt"),
  as_html: ofText(texts.asHtml, "post.html"),
  from_html: (post) => post.file.endsWith(".html") ? { file: "post.md", text: texts.asMarkdown(post.text) } : null,
  as_txt: (post) => post.file.endsWith(".md") ? { ...post, file: "post.txt" } : null,
  fences_bare: ofText(texts.fencesBare),
  fences_indented: ofText(texts.fencesIndented),
  crlf: (post) => ({ ...post, text: post.text.replace(/\r?\n/g, "\r\n") }),
  wrapped_60: ofText((text) => texts.wrappedProse(text, 60)),
  wrapped_68: ofText((text) => texts.wrappedProse(text, 68)),
  wrapped_76: ofText((text) => texts.wrappedProse(text, 76)),
  tabs: ofText(texts.tabbed),
  unbroken_spaces: ofText(texts.unbroken),
  zero_width: ofText(texts.zeroWidth),
  // ***** the same words *****
  full_width_marks: ofText(letters.fullWidthMarks),
  half_width_marks: ofText(letters.halfWidthMarks),
  full_width_digits: ofText(letters.fullWidthDigits),
  tight_scripts: ofText(letters.tightScripts),
  curly_quotes: ofText(letters.curlyQuotes),
  decimal_commas: ofText(letters.decimalCommas),
  misread_letters: ofText(letters.misreadLetters),
  split_names: ofText(letters.splitNames),
  lost_underscores: ofText(letters.lostUnderscores),
  upper_title: ofText(letters.upperTitle),
  // ***** other marks *****
  bullets_added: ofText(letters.bulletsAdded),
  bullets_dropped: ofText(letters.bulletsDropped),
  heading_added: ofText(letters.headingAdded),
  headings_dropped: ofText(letters.headingsDropped),
  bold_names: ofText(letters.boldNames),
  code_names: ofText(letters.codeNames),
  names_bare: ofText(letters.namesBare),
  // ***** what people put around it *****
  emoji: ofText(people.withEmoji),
  polite_en: ofText(people.polite("en")),
  polite_zh: ofText(people.polite("zh")),
  polite_ja: ofText(people.polite("ja")),
  polite_de: ofText(people.polite("de")),
  of_author: ofText(people.ofAuthor),
  quoted_above: ofText(people.quotedAbove),
  answer_below: ofText(people.answerBelow),
  signed: ofText(people.signed),
  chat_times: ofText(people.chatTimes),
  chat_names: ofText(people.chatTimesBare),
  quoted_whole: ofText(people.quotedWhole),
} satisfies Record<string, PostChange>;
