/**
 * Quotation marks around what somebody else says: the title of a post, a question of the boss, a prompt.
 *
 * What the author quotes of a console or of a completion is their own observation, and stays. @module
 */

/** Quotation marks by their kind; single ones stand around several words. */
const QUOTED =
  /"([^"\n]{3,400})"|“([^“”\n]{3,400})”|„([^„“”"\n]{3,400})[“”"]|«([^«»\n]{3,400})»|「([^「」\n]{3,400})」|『([^『』\n]{3,400})』|(?<![\p{L}\d])['‘]([^'’\n]{2,40} [^'‘’\n]{2,300})['’](?![\p{L}\d])/gu;
const NEAR = 60; // Characters around a quotation that are looked at.

/** Right before a quotation: whose words they are. */
const OF_OTHERS = new RegExp(
  "(?:(?<![\\p{L}])(?:" + [
    "titled?|titles?|headlines?|entitled|(?:posts|issues|threads|articles|reports|questions|videos|tickets)(?: (?:like|such as|about|on|saying|titled|named|called|that say))?",
    "(?:asked|asks|asking|prompted|prompts?|questions?|prompting)(?: (?:me|us|it|him|her|the model|them))?(?: (?:with|was|is|like|about|why))?",
    "(?<!\\b(?:log|logs|console|output|it|trainer|terminal|wandb|error|which|that|script) )(?:said|says|wrote|writes|told me|told us|claims|claimed)(?: (?:that|like))?",
    "(?:mit dem )?Titel|Beiträge|fragte\\p{L}*|gefragt|mit der Frage|Prompt|namens|überschrieben",
    "intitulée?s?|titre|demand(?:é|ait|e)|l'invite|question",
    "titulad\\p{L}+|intitulad\\p{L}+|t[ií]tulo|pregunt(?:ó|a|aba)|pergunt(?:ou|a|ava)|publicaciones|publicações",
    "под названием|с заголовком|заголов\\p{L}+|спросил\\p{L}*|спрашива\\p{L}+|посты|промпт\\p{L}*|вопрос\\p{L}*",
  ].join("|") +
    ")|(?<![\\p{L}])(?:issue |PR )?#\\d{1,6}|标题(?:是|为|叫|写着)?|题为|名为|问(?:我|道|了|说)?|帖子|提示词(?:是|为)?|提问|タイトル(?:は|が)?|プロンプト(?:は|が)?|質問(?:は|が)?|제목(?:이|은)?|프롬프트(?:는|가)?|질문(?:은|이)?)[\\s:：,，(（-]*$",
  "iu",
);
/** Right behind one. */
const SAID_BY = new RegExp(
  "^[\\s,，)）]*(?:(?:said|says|asked|wrote|asks) (?!the (?:log|console|output|trainer))\\p{L}|(?:posts|issues|threads|questions|articles|titles|reports)(?![\\p{L}])|(?:sagte|fragte|demande|dit|dijo|preguntó|disse|perguntou|сказал\\p{L}*|спросил\\p{L}*)(?![\\p{L}])" +
    "|(?:这样的|之类的|的)(?:帖子|标题|文章|讨论)|(?:という|との|と題する|といった)(?:タイトル|投稿|記事|質問|スレッド|スレ|Issue)|이?라(?:는|고)\\s?(?:제목|글|게시|질문|물))",
  "iu",
);
/** It is so here too. */
const SAME =
  /(?<![\p{L}])(?:same|also have|exactly|likewise|my (?:title|headline|question|posts?|issue|thread)|mein\p{L}* (?:Titel|Frage)|m[ao] (?:titre|question)|mi (?:título|pregunta)|(?:o )?meu título|gleiche\p{L}*|dasselbe|même|mismo|mesmo|так(?:ая|ое) же|то же|мой (?:вопрос|заголовок))(?![\p{L}])|同样|一样|同じ|같은|我的(?:标题|问题)/iu;
/** A second quotation goes on about the first one. */
const AND = /^[\s,，、]*(?:and|or|und|oder|et|ou|y|o|e|и|или|和|或|と|や|와|과)?[\s,，、]*$/iu;

/** The text with spaces in place of what others say, each character where it stood. */
export function withoutReported(text: string): string {
  let kept = "", from = 0, last = -1;
  for (const { index, 0: whole } of text.matchAll(QUOTED)) {
    const end = index + whole.length, before = text.slice(Math.max(0, index - NEAR), index);
    const goesOn = last >= 0 && AND.test(text.slice(last, index));
    const isOfOthers = !SAME.test(before) && (OF_OTHERS.test(before) || SAID_BY.test(text.slice(end, end + NEAR)));
    if (!goesOn && !isOfOthers) continue;
    kept += text.slice(from, index) + " ".repeat(whole.length);
    from = last = end;
  }
  return kept + text.slice(from);
}
