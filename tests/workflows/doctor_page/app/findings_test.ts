/// <reference lib="dom" />
/** A card of what was found: whatever a log or a post holds stands there as text. */
import assert from "node:assert/strict";
import { findingCard } from "../../../../workflows/doctor_page/app/findings.ts";
import { EN } from "../../../../workflows/doctor_page/language/mod.ts";
import { GivenRun } from "../../../../workflows/doctor_page/reading/diagnose_given.ts";
import { smallDocument, type SmallElement } from "./small_document.ts";

const PICTURE = "<img src=x onerror=alert(1)>";
const POST =
  `I train with GRPO in TRL.\nThe completions are garbled ${PICTURE} noise from the first step,\nand the reward is 0.\n`;

Deno.test("findingCard() shows what a post holds as text, each row of evidence with its line", async () => {
  smallDocument();
  const { runs: [run] } = await new GivenRun().diagnose({ kind: "text", text: POST });
  const gone: [string, number][] = [];
  const stage = {
    language: "en",
    say: EN,
    goTo: (source: string, line: number) => void gone.push([source, line]),
    hasText: (source: string) => source === "-",
  } as const;
  const cards = run!.run.findings.map((finding) =>
    findingCard(finding, { about: "", isSaid: false, isFirst: true }, stage) as unknown as SmallElement
  );
  assert(cards.length > 0);
  const [first] = cards, text = cards.map(({ textContent }) => textContent).join("\n");
  assert(text.includes(PICTURE), text);
  assert.deepEqual(cards.flatMap((card) => card.of("img")), []);
  const places = first!.of("button");
  assert(places.length > 0);
  for (const place of places) await place.say("click");
  assert(gone.every(([source, line]) => source === "-" && line > 1), JSON.stringify(gone));
});
