/**
 * Lines that begin with a train step and tell its figures: `step 20  reward 0.30  kl 0.002`, `第 10 步：entropy 0.63`,
 * `шаг 100: reward 0,41`.
 * @module
 */
import type { Intake } from "../../intake/intake.ts";
import { ALL_DIGITS } from "../../intake/stage.ts";
import type { Line } from "../../source/lines.ts";
import { type Mention, mentionsIn } from "../mentions.ts";
import { type ClauseNumber, numbersIn, STEP_THOUSANDS, stepNumber, writtenNumber } from "../numbers/numbers.ts";

const WORD =
  "(?:global |train(?:ing)? )?(?:steps?|iter(?:ation)?|update|étape|mises? à jour|pas|paso|actualización|passo|atualização|Schritt|Aktualisierung|шаг|итерация|обновление|ステップ|스텝|업데이트)";
/** A number, of which not each is a step, or what a program prints for none: "update: NaN" is of something else. */
const NUMBER = `${STEP_THOUSANDS}|[-+−]?\\d[\\d,]*(?:\\.\\d+)?(?:e[-+]?\\d+)?|` +
  "[-+−]?(?:nan|inf(?:inity)?)\\b(?<=(?:step|iter|iteration)[ =]{1,3}[-+−]?[a-z]+)";
const HEAD = new RegExp(
  `^(?:\\s*\\[[\\w .-]{1,24}\\])?[\\s\\-*•>\\[(]*(?:${WORD}\\s*[=:#]?\\s*~?(${NUMBER})(?:\\s*/\\s*\\d+)?(?:\\s*steps?)?|(?:(?:第|前)\\s*)?(${NUMBER})\\s*(?:步|steps?|ステップ|스텝)(?:时|後|后)?)\\s*[\\])]?\\s*(?:[:：,，.…·|→=—–-]+|\\s)\\s*(\\S.*)$`,
  "iu",
);
/** `12: …`: a number alone is a step where the lines around it are such lines too. */
const BARE = /^\s*(\d{1,6})\s*[:：]\s*(\S.*)$/;
const GAP = 24; // Characters between a name and its number.
const MAX_STEP_LINE = 4000; // Characters.

/** The same by epochs: `epoch 3: train loss 0.9, eval loss 1.2`, `第 3 轮：…`. */
const EPOCH =
  /^[\s\-*•>\[(]*(?:(?:epochs?|ep|époque|Epoche|época|эпоха|エポック|에폭|에포크)\s*[=:#]?\s*(\d+(?:\.\d+)?)(?:\s*\/\s*\d+)?|第\s*(\d+(?:\.\d+)?)\s*(?:轮|个?\s?epoch|エポック)|(\d+(?:\.\d+)?)\.?\s*(?:epochs?|Epoche|époque|época|эпоха|エポック|에폭|에포크|轮))\s*[\])]?\s*(?:[:：,，.·|→=—–-]+|\s)\s*(\S.*)$/iu;

interface StepLine {
  /** NaN where what stands there is no train step. */
  readonly step: number;
  /** In place of a train step. */
  readonly epoch?: number;
  readonly rest: string;
}

const THOUSANDS = new RegExp(`^(?:${STEP_THOUSANDS})$`, "iu");

/** The train step that is written; NaN for a number that is none. */
function stepOf(raw: string): number {
  const step = THOUSANDS.test(raw) ? stepNumber(raw) : Number(raw.replaceAll(",", ""));
  return Number.isSafeInteger(step) && step >= 0 ? step : NaN;
}

export function stepLine(text: string, isOpen: boolean): StepLine | null {
  if (text.length > MAX_STEP_LINE) return null;
  const found = HEAD.exec(text.trim());
  if (found !== null) {
    return { step: stepOf((found[1] ?? found[2])!), rest: found[3]! };
  }
  const epoch = EPOCH.exec(text);
  if (
    epoch !== null && !/\bsteps?\s*[:=]/i.test(epoch[4]!) && mentionsIn(epoch[4]!).some(({ name }) => name !== null)
  ) {
    return { step: NaN, epoch: Number(epoch[1] ?? epoch[2] ?? epoch[3]!), rest: epoch[4]! };
  }
  const bare = BARE.exec(text);
  if (bare === null || !isOpen && mentionsIn(bare[2]!).filter(({ name }) => name !== null).length < 2) return null;
  return { step: Number(bare[1]), rest: bare[2]! };
}

/** Takes the staged record: figures of training, and those of an evaluation beside them, as two. */
export function commitCourse(intake: Intake, line: number, step: number, epoch?: number): boolean {
  const { stage } = intake,
    all = stage.infos.slice(0, stage.count).map((info, i) => ({
      info,
      value: stage.values[i]!,
      decimals: stage.decimals[i]!,
    }));
  let taken = false;
  for (const isEval of [false, true]) {
    stage.reset();
    for (const { info, value, decimals } of all) if (info.isEval === isEval) stage.add(info, value, decimals);
    if (stage.count > 0 && epoch !== undefined) stage.add(stage.info("epoch"), epoch, ALL_DIGITS);
    if (stage.count > 0) taken = intake.commit({ line, step, metrics: true, evaluation: isEval }) || taken;
  }
  return taken;
}

/**
 * Takes the figures of such a line; `asked` are metrics that the sentence before spoke of, which a number alone is of.
 * False where it holds none.
 */
export function readStepLine(
  intake: Intake,
  { number: line }: Line,
  { step, epoch, rest }: StepLine,
  asked: readonly Mention[],
): boolean {
  const { stage } = intake, mentions = mentionsIn(rest).filter(({ name }) => name !== null);
  const numbers = numbersIn(rest).filter(({ kind }) => kind === "value" || kind === "other");
  const taken = new Set<ClauseNumber>();
  stage.reset();
  mentions.forEach((mention, i) => {
    const next = mentions[i + 1]?.at ?? rest.length;
    const after = numbers.find(({ at }) => at >= mention.end && at < next && at - mention.end <= GAP);
    const nan = /^\s*(?:[=:：]|is|为|是)?\s*(nan|inf)\b/i.exec(rest.slice(mention.end));
    const before = numbers.find(({ end }) =>
        end <= mention.at && mention.at - end <= 2 && end > (mentions[i - 1]?.end ?? 0)
      ),
      found = after ?? (before === undefined || taken.has(before) ? undefined : before);
    if (nan !== null) {
      stage.add(stage.info(mention.name!), nan[1]!.toLowerCase() === "nan" ? NaN : Infinity, ALL_DIGITS);
    } else if (found !== undefined) {
      const { value, decimals } = found;
      taken.add(found);
      stage.add(stage.info(mention.name!), value, decimals === 0 ? ALL_DIGITS : decimals);
    }
  });
  const tokens = /(?<![\d.,])(\d[\d,]*)\s*(?:tok(?:en)?s?(?![\p{L}])|トークン|토큰|токен\p{L}*)/iu.exec(rest);
  const length = stage.info("completion_length");
  if (tokens !== null && !stage.infos.slice(0, stage.count).includes(length)) {
    stage.add(length, Number(tokens[1]!.replaceAll(",", "")), ALL_DIGITS);
  }
  const alone = /^(?:~|≈)?\s*([-+]?\d[\d.,]*(?:[eE][-+]?\d+)?\s*%?)\s*(?:[(,;].*)?$/.exec(rest);
  const name = asked.findLast((one) => one.name !== null)?.name ?? null;
  if (
    alone !== null && !stage.infos.slice(0, stage.count).some(({ printed }) => printed !== "completion_length") &&
    name !== null
  ) {
    const { value, decimals } = writtenNumber(alone[1]!.replace(/[.,]$/, ""));
    stage.add(stage.info(name), value, decimals === 0 ? ALL_DIGITS : decimals);
  }
  return commitCourse(intake, line, step, epoch);
}
