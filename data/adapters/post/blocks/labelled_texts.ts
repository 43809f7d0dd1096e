/**
 * Completions behind a label: `output: …`, `Assistant: …`, `回答：…`, with what was asked before them, and the answer that
 * was wanted: `gold: …`, `标准答案：…`.
 *
 * A text goes on up to the next label or an empty line. @module
 */
import type { Intake } from "../../intake/intake.ts";
import type { Line } from "../../source/lines.ts";

const ASKED =
  "human|user|prompt|question|input|query|instruction|问题?|用户|提问|输入|指令|質問|入力|ユーザー|질문|입력|사용자|utilisateur|Nutzer|pregunta|usuario|вопрос|пользователь";
const TOLD =
  "(?![\\w ]{0,24}\\b(?:reward|value|critic|base|reference|teacher|judge) model)(?:[\\w ]{0,30}\\b)?(?:completions?|outputs?|responses?|generated(?: text)?|generations?|assistant|predicted(?: box)?|model(?: output| answer)?|answer|prediction|pred)|回答|输出|模型(?:输出|回答|回复)|回复|生成(?:结果|内容)?|助手|出力|応答|アシスタント|답변|출력|응답|réponse|sortie|Antwort|Ausgabe|respuesta|salida|resposta|saída|ответ|вывод";
const WANTED =
  "(?:gold(?:en)?|ground[ _-]?truths?|gt|reference|expected|correct|right|target|true)(?:[ _](?:answers?|box(?:es)?|label|bbox|output|solution|result))?|solution|(?:标准|正确|参考|真实)?答案|真值|标注(?:框)?|真实框|正解|模範解答|정답|référence|réponse (?:attendue|correcte|de référence)|(?:richtige|erwartete|korrekte) (?:Antwort|Lösung)|Referenzantwort|respuesta (?:correcta|esperada)|resposta (?:correta|esperada)|ожидаемый ответ|vérité terrain|Lösung|Referenz|solución|referencia|solução|gabarito|эталон|правильный ответ|разметка";
const label = (words: string) =>
  new RegExp(
    `^[-*#>\\d.)\\s]*\\[?(?:${words})[\\s\\d\\]*]{0,12}[:：]\\s*(.*)$`,
    "iu",
  );
const [asked, told, wanted] = [label(ASKED), label(TOLD), label(WANTED)];
/** What the text was paid. */
const PAID =
  /^[-*#>\s]*(?:total |final |accuracy |correctness )?(?:rewards?|scores?|奖励|得分|報酬|スコア|보상|점수|récompense|Belohnung|recompensa|награда)[*\s]{0,4}[:：=]\s*(-?\d+(?:[.,]\d+)?)\s*$/iu;
const FAR = 40; // Lines between a text and the answer that was wanted of it.
/** Without marks of quotation around the whole. */
const bare = (text: string) => text.trim().replace(/^(["'`“「])([^]*)["'`”」]$/u, "$2").trim();
const LEAST = 2; // Characters of a completion that is printed.

/** A completion that goes on, or whose answer does. */
interface Open {
  readonly text: string;
  readonly line: number;
  readonly prompt: string | null;
  readonly answer: string | null;
}

/** Takes the labelled completions of some lines; true where there was one. */
export function labelledTexts(intake: Intake, lines: readonly Line[]): boolean {
  let prompt: string | null = null,
    open: Open | null = null,
    ahead: string | null = null,
    taken = false;
  const close = () => {
    if (open !== null && open.text.trim().length >= LEAST && !/^[\d.]+%?$/.test(open.text.trim())) {
      const cut = /(?:\.\.\.|…)\s*$|\[\.\.\.\]/.test(open.text), answer = open.answer ?? ahead;
      intake.completion({ ...open, text: bare(open.text), answer: answer === null ? null : bare(answer), cut });
      [taken, ahead] = [true, null];
    }
    open = null;
  };
  /** The completion that a label behind it speaks of. */
  const spoken = (line: number) => {
    const last = intake.completions.at(-1);
    return last !== undefined && last.source === intake.source.path && line - last.line <= FAR ? last : null;
  };
  for (const [i, { text, number: line }] of lines.entries()) {
    const isLabel = !goesOn(lines[i - 1]?.text ?? "", text);
    const question = isLabel ? asked.exec(text) : null;
    const gold: RegExpExecArray | null = isLabel ? wanted.exec(text) : null, paid = PAID.exec(text);
    const answer: RegExpExecArray | null = isLabel && gold === null ? told.exec(text) : null;
    if (paid !== null && (open !== null || taken)) {
      close();
      const last = spoken(line);
      if (last !== null) last.reward ??= Number(paid[1]!.replace(",", "."));
    } else if (gold !== null && open === null) {
      const last = spoken(line), own = bare(gold[1]!);
      if (last !== null && last.answer === null && own !== "") [last.answer, taken] = [own, true];
      else ahead = own || null;
    } else if (question !== null) {
      close();
      prompt = question[1]!.trim() || null;
    } else if (answer !== null) {
      close();
      open = { text: answer[1]!, line, prompt, answer: null };
    } else if (gold !== null) open = { ...(open as unknown as Open), answer: gold[1]!.trim() };
    else if (text.trim() === "") close();
    else if (open !== null) open = goneOn(open, text);
  }
  close();
  return taken;
}

/** With another line: of the answer that was wanted, where that stands behind it. */
function goneOn(open: Open, text: string): Open {
  return open.answer === null
    ? { ...open, text: `${open.text}\n${text}` }
    : { ...open, answer: `${open.answer}\n${text}` };
}

/** True where a completion stands behind one of the lines. */
export const holdLabelled = (lines: readonly Line[]): boolean =>
  lines.some(({ text }, i) =>
    (told.test(text) || asked.test(text) || wanted.test(text)) && !goesOn(lines[i - 1]?.text ?? "", text)
  );

const ARTICLE = /(?<!\p{L})(?:the|an?|my|our|its|of|in|on|for|to|with|le|la|les|une?|der|die|das|el|los|o|os)\s*$/iu;
const LONG = 40; // Characters of a line that is broken at its width.

/** A sentence that goes on from the line before: "I put hooks on / the model: the first …". */
const goesOn = (before: string, text: string) =>
  before.length >= LONG &&
  (/[\p{L}\d,'")]\s*$/u.test(before) && /^\s*\p{Ll}+ \p{L}/u.test(text) ||
    ARTICLE.test(before) && /^\s*\p{Ll}/u.test(text));
