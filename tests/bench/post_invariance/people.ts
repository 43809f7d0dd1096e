/** What people put around a post: greetings, thanks, quotations, answers of others, signatures, a chat's time stamps. @module */
import { changeLines, joined, postLines } from "./lines.ts";

/** Before and behind it, in the languages of forums; none says anything of a run. */
const POLITE = {
  en: [
    "Hi everyone, first of all thank you for this great project!",
    "Any help would be greatly appreciated. Have a nice day!",
  ],
  zh: ["大家好，感谢作者开源这么好的项目！", "麻烦各位大佬帮忙看看，谢谢！"],
  ja: [
    "いつもお世話になっております。素晴らしいプロジェクトをありがとうございます。",
    "お手数ですが、どうぞよろしくお願いいたします。",
  ],
  de: ["Hallo zusammen, erst einmal vielen Dank für das tolle Projekt!", "Vielen Dank im Voraus und viele Grüße!"],
} as const;

export const polite = (language: keyof typeof POLITE) => (text: string) =>
  `${POLITE[language][0]}\n\n${text.trimEnd()}\n\n${POLITE[language][1]}\n`;

export const withEmoji = (text: string) =>
  `👋 hey folks!! 🙏\n\n${changeLines(text, ["prose"], (line, at) => at % 2 === 0 ? `${line} 😭🔥` : line) ?? text}`;

export const signed = (text: string) => `${text.trimEnd()}\n\n-- \nMaxine\nML engineer, Some Lab\nSent from my phone\n`;

export const ofAuthor = (text: string) => /^\s*(?:\*\*|#+ |>|\[|【|`)/.test(text) ? null : `**Author**: ${text}`;

export const quotedAbove = (text: string) =>
  `> Our reward model got a new dashboard last week, and the loss there was nan for an hour\n> until somebody restarted the server.\n\n${text}`;

export const answerBelow = (text: string) =>
  `${text.trimEnd()}\n\n---\n\n**Another user**: it is your learning rate, far too high. Same here with fp16, the loss went to nan after 20 steps.\n`;

/** As a chat is copied: time and name before each line that is written or printed outside of a fence. */
export function chatTimes(text: string): string | null {
  let minute = 31;
  return changeLines(
    text,
    ["prose", "point", "heading", "printed"],
    (line) => /^\s/.test(line) ? line : `[10:${minute++ % 60}] mira: ${line}`,
  );
}
export const chatTimesBare = (text: string) =>
  changeLines(
    text,
    ["prose", "point", "heading"],
    (line, at) => `mira  10:${String(at % 60).padStart(2, "0")} AM\n${line}`,
  );

/** The whole as somebody passes it on. */
export const quotedWhole = (text: string) =>
  `mira wrote:\n\n${joined(postLines(text).map(({ text }) => text === "" ? ">" : `> ${text}`))}`;
