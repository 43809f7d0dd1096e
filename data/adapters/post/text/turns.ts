/** Who speaks in a thread that was copied from a page: the author of the report, or somebody who answers. @module */
import type { Speaker } from "../said.ts";

const AUTHOR =
  "author|op|original poster|me|reporter|asker|question|楼主|作者|提问者|题主|問|質問者|投稿者|글쓴이|작성자|질문|auteur|Autor|autor|автор";
const OTHER =
  "(?:another|other) (?:user|person|commenter)|user ?\\d*|commenter|maintainer|contributor|collaborator|member|reply|answer|response from [\\w ]+|helper|dev(?:eloper)?|moderator|答主|维护者|其他用户|网友|回复|回答者|層主|回答|返信|メンテナ|답변|유지보수자|réponse|mainteneur|Antwort|respuesta|resposta|ответ|мейнтейнер";
/** Bullets and blanks before a name. They are cut off first: a pattern that tries them in parts is slow on deep lists. */
const LEAD = /^[-*#>\s]+/;
const head = (words: string) =>
  new RegExp(
    `^(?:__|\\[|【)?\\s*(?:${words})(?: \\d+)?\\s*(?:(?:\\([^)]{0,40}\\)|（[^）]{0,40}）)\\s*)?(?:(?:\\*\\*|__|\\]|】)\\s*)?(?:(?:commented|wrote|said|replied|asked|answered|写道|回复|说)[^:：]{0,40}\\s*)?[:：]\\s*(?:\\*\\*|__)?(.*)$`,
    "iu",
  );
const [author, other] = [head(AUTHOR), head(OTHER)];
/** "somebody commented on 3 May", a line of its own. */
const COMMENTED = /^\W*([\w.-]{2,40})\W*(?<=\s)(?:commented|replied|answered)(?:\s+(?:on|\d).{0,40})?\s*:?\s*$/i;
const ASKED = /^\W*([\w.-]{2,40})\W*(?<=\s)(?:opened this issue|asked|wrote)(?:\s+(?:on|\d).{0,40})?\s*:?\s*$/i;

interface Turn {
  readonly speaker: Speaker;
  readonly rest: string;
  /** Who it is, where the line says that. */
  readonly name?: string;
}

/** Who answers as 作者 is the project's author. */
const OF_PROJECT = /^\W*作者\W{0,4}\s*(?:回复|答复|回答|replied|answered)/iu;

/** A line that hands the word over: who speaks from here on, and what stands behind it on the line; null for no such line. */
export function turnOf(text: string): Turn | null {
  if (text.length > 400) return null;
  const isMarked = /[:：]/.test(text), said = text.replace(LEAD, ""), own = isMarked ? author.exec(said) : null;
  // "Question: …" may be a prompt of the data; a turn is marked, or has a name.
  if (own !== null && /\*\*|__|【|\[|楼主|作者|题主|^\s*(?:author|op)\b/iu.test(text)) {
    return { speaker: OF_PROJECT.test(text) ? "other" : "author", rest: own[1]! };
  }
  const reply = isMarked ? other.exec(said) : null;
  if (reply !== null && /\*\*|__|【|\[|^\s*(?:another|other|maintainer|collaborator|答主|网友|维护者)/iu.test(text)) {
    return { speaker: "other", rest: reply[1]! };
  }
  const asks = ASKED.exec(text), comments = COMMENTED.exec(text);
  if (asks !== null) return { speaker: "author", rest: "", name: asks[1]! };
  return comments === null ? null : { speaker: "other", rest: "", name: comments[1]! };
}

/** A heading, or a title without an end: nothing is reported in it. */
const TITLE = /^\s*#|^[^.!?。！？:：]{0,160}$/u;
/** Whoever has such a name answers. */
const ANSWERS = /^(?:maintainer|collaborator|member|contributor|moderator|bot|admin|\w+-?bot|github-actions)$/i;

/** Who speaks in a thread, line by line; where it begins with somebody's comment, that is the report. */
export class Turns {
  #author: string | null = null;
  #hasBegun = false;
  #speaker: Speaker = "author";

  /** Something was reported before anybody was named. */
  begin(): void {
    this.#hasBegun ||= this.#speaker === "author";
  }

  take(text: string): Turn | null {
    const turn = turnOf(text);
    if (turn === null) {
      this.#hasBegun ||= this.#speaker === "author" && text.trim() !== "" && !TITLE.test(text);
      return null;
    }
    const { name } = turn;
    this.#speaker = turn.speaker;
    if (name === undefined) return turn;
    const opens = turn.speaker === "author" || !this.#hasBegun && !ANSWERS.test(name);
    if (this.#author === null && opens) this.#author = name;
    // What a maintainer asks first is no report either: the next one is.
    if (opens) this.#hasBegun = true;
    if (name === this.#author) this.#speaker = "author";
    return { ...turn, speaker: this.#speaker };
  }
}
