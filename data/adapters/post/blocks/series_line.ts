/** Lines of a metric with its values in a row: `eval_loss：1.29 → 1.24 → 1.47`, `train loss per epoch: 2.1, 1.4, 0.9`. @module */
import type { Intake } from "../../intake/intake.ts";
import type { Line } from "../../source/lines.ts";
import { mentionsIn } from "../mentions.ts";
import { writtenNumber } from "../numbers/numbers.ts";

const NUMBER = "[-+−]?(?:\\d+[.,]\\d+|\\d+|\\.\\d+)(?:[eE][-+]?\\d+)?\\s?%?";
const ROW = new RegExp(
  `^(.{2,80}?)\\s*[:：=]?\\s*\\[?\\s*((?:${NUMBER})(?:(?:\\s*(?:→|->|=>|⇒|➜|,\\s|，|、|;|；|/|\\|)\\s*|\\s{1,3})(?:${NUMBER})){2,})\\s*\\]?\\s*((?:[.。;；](?!\\d)|[(（，,]|\\s[^\\d\\s]).{0,200})?$`,
  "u",
);
/** Three numbers. */
const SEVERAL = /\d\D+\d+\D+\d/;
const ARROW = /→|->|=>|⇒|➜/;
const LEAST = 3, LEAST_PLAIN = 4; // Values of a row with arrows, and of one without.

/** Numbers before the row: it is a sentence, and has a reader of its own. */
const SENTENCE = /\d\s*[%％(（]|[→⇒]|\d[.,]\d|[。;；]/;

/** The row is one of train steps. */
const OF_STEPS =
    /(?:(?<!\p{L})(?:steps?|iter(?:ation)?s?|updates?|étapes?|pas|pasos|passos|Schritte?n?|шаг\p{L}*)|第)\s*$/iu,
  STEPS_BEHIND =
    /^\s*(?:(?:steps?|iter(?:ation)?s?|updates?|étapes?|pasos?|passos?|Schritte?n?|шаг\p{L}*)(?!\p{L})|步|ステップ|스텝)/iu;

/** Takes such a line; what stands behind the row, and null where there is none. */
export function readSeriesLine(intake: Intake, { text, number: line }: Line): string | null {
  if (text.length > 400 || !SEVERAL.test(text)) return null;
  const found = ROW.exec(text.replace(/^\s*(?:[-*+•]|\d+[.)])\s+/, ""));
  if (found === null || SENTENCE.test(found[1]!) || OF_STEPS.test(found[1]!) || STEPS_BEHIND.test(found[3] ?? "")) {
    return null;
  }
  const head = found[1]!, row = found[2]!;
  const values = [...row.matchAll(new RegExp(NUMBER, "gu"))].map(([raw]) => writtenNumber(raw));
  if (values.length < (ARROW.test(row) ? LEAST : LEAST_PLAIN)) return null;
  const names = new Map(mentionsIn(head).flatMap((one) => one.name === null ? [] : [[one.name, one] as const]));
  const [mention] = [...names.values()];
  if (names.size !== 1 || mention === undefined) return null;
  intake.tell({
    printed: head.slice(mention.at, mention.end).trim(),
    name: mention.name!,
    values: values.map(({ value }) => value),
    relation: "series",
    decimals: Math.max(...values.map(({ decimals }) => decimals)),
    from: null,
    to: null,
    throughout: true,
    line,
    text: text.trim(),
  });
  return found[3] ?? "";
}
