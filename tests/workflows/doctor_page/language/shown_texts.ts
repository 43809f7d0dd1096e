/** What the page shows of a run in the words of rules: what a reader of Chinese wants in Chinese. @module */
import type { Examined } from "../../../../workflows/doctor/examined.ts";
import { pageRun } from "../../../../workflows/doctor/page_run.ts";
import type { Evidence } from "../../../../steps/diagnoses/view/evidence.ts";

/** Every such text, by the place it stands in; with what only `--all` shows. */
export function shownTexts(examined: Examined): (readonly [place: string, text: string])[] {
  return [false, true].flatMap((all) => {
    const run = pageRun(examined, all);
    const { headline, reasons, missing, proof = "", byHand, follows, findings, possible, reading: [, ...reading] } =
      run;
    const places: Readonly<Record<string, readonly string[]>> = {
      headline: [headline],
      proof: [proof],
      reason: reasons,
      missing,
      message: findings.map(({ message }) => message),
      hint: findings.map(({ hint }) => hint),
      note: findings.flatMap(({ evidence = [] }) => (evidence as readonly Evidence[]).map(({ note = "" }) => note)),
      "ruled out": findings.flatMap(({ ruled_out = [] }) => ruled_out.map(({ why }) => why)),
      "by hand": [byHand ?? ""],
      follows,
      why: possible.map(({ why }) => why),
      look: possible.map(({ look }) => look ?? ""),
      reading,
    };
    return Object.entries(places).flatMap(([place, texts]) =>
      texts.filter((text) => text !== "").map((text) => [place, text] as const)
    );
  });
}
