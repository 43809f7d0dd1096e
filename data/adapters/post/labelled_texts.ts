/**
 * Completions behind a label: `output: …`, `Assistant: …`, `回答：…`, with what was asked before them.
 *
 * A text goes on up to the next label or an empty line. @module
 */
import type { Intake } from "../intake/intake.ts";
import type { Line } from "../source/lines.ts";

const ASKED =
  "human|user|prompt|question|input|query|instruction|问题?|用户|提问|输入|指令|質問|入力|ユーザー|질문|입력|사용자|utilisateur|Nutzer|pregunta|usuario|вопрос|пользователь";
const TOLD =
  "(?![\\w ]{0,24}\\b(?:reward|value|critic|base|reference|teacher|judge) model)(?:[\\w ]{0,30}\\b)?(?:completions?|outputs?|responses?|generated(?: text)?|generations?|assistant|model(?: output| answer)?|answer|prediction|pred)|回答|输出|模型(?:输出|回答|回复)|回复|生成(?:结果|内容)?|助手|出力|応答|アシスタント|답변|출력|응답|réponse|sortie|Antwort|Ausgabe|respuesta|salida|resposta|saída|ответ|вывод";
/** The answer that is wanted, printed beside what was written. */
const GOLD =
  "ground[ _-]?truths?(?: answers?)?|gold(?:en)?(?: (?:answer|label))?|(?:expected|reference|correct|true|right|target)(?: (?:answer|output|solution|result))|expected|reference|标准答案|参考答案|正确答案|真值|正解|模範解答|정답|réponse (?:attendue|correcte|de référence)|vérité terrain|(?:richtige|erwartete|korrekte) (?:Antwort|Lösung)|Referenzantwort|respuesta (?:correcta|esperada)|resposta (?:correta|esperada)|gabarito|правильный ответ|ожидаемый ответ|эталон(?:ный ответ)?";
const label = (words: string) =>
  new RegExp(
    `^[-*#>\\d.)\\s]*\\[?(?:${words})[\\s\\d\\]*]{0,12}[:：]\\s*(.*)$`,
    "iu",
  );
const [asked, told, wanted] = [label(ASKED), label(TOLD), label(GOLD)];
/** What the text was paid. */
const PAID =
  /^[-*#>\s]*(?:total |final |accuracy |correctness )?(?:rewards?|scores?|奖励|得分|報酬|スコア|보상|점수|récompense|Belohnung|recompensa|награда)[*\s]{0,4}[:：=]\s*(-?\d+(?:[.,]\d+)?)\s*$/iu;
const FAR = 40; // Lines between a text and the answer that was wanted of it.
/** Marks around a text as a whole. */
const bare = (text: string) => text.trim().replace(/^(["'`“「])([^]*)["'`”」]$/u, "$2").trim();
const LEAST = 2; // Characters of a completion that is printed.

/** Takes the labelled completions of some lines; true where there was one. */
export function labelledTexts(intake: Intake, lines: readonly Line[]): boolean {
  let prompt: string | null = null,
    open: { text: string; readonly line: number; readonly prompt: string | null } | null = null,
    gold: string | null = null,
    taken = false;
  const close = () => {
    if (open !== null && open.text.trim().length >= LEAST && !/^[\d.]+%?$/.test(open.text.trim())) {
      const cut = /(?:\.\.\.|…)\s*$|\[\.\.\.\]/.test(open.text);
      intake.completion({ ...open, text: bare(open.text), answer: gold, cut });
      [taken, gold] = [true, null];
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
    const right = isLabel ? wanted.exec(text) : null, paid = PAID.exec(text);
    const question = isLabel ? asked.exec(text) : null, answer = isLabel ? told.exec(text) : null;
    if (right !== null && bare(right[1]!) !== "" || paid !== null && (open !== null || taken)) {
      close();
      const last = spoken(line);
      if (paid !== null && last !== null) last.reward ??= Number(paid[1]!.replace(",", "."));
      else if (last !== null && last.answer === null) [last.answer, taken] = [bare(right![1]!), true];
      else if (right !== null) gold = bare(right[1]!);
    } else if (question !== null) {
      close();
      prompt = question[1]!.trim() || null;
    } else if (answer !== null) {
      close();
      open = { text: answer[1]!, line, prompt };
    } else if (text.trim() === "") close();
    else if (open !== null) {
      open = {
        ...(open as { text: string; line: number; prompt: string | null }),
        text: `${(open as { text: string }).text}\n${text}`,
      };
    }
  }
  close();
  return taken;
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
