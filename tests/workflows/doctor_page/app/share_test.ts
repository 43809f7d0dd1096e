/// <reference lib="dom" />
/** What the page gives to be copied: the report without what is private, until a person wants it whole. */
import assert from "node:assert/strict";
import { sharing } from "../../../../workflows/doctor_page/app/share.ts";
import { EN } from "../../../../workflows/doctor_page/language/mod.ts";
import { GivenRun } from "../../../../workflows/doctor_page/reading/diagnose_given.ts";
import { smallDocument, type SmallElement } from "./small_document.ts";

const LOG = "{'loss': 0.5, 'grad_norm': 1.0, 'reward': 0.25, 'learning_rate': 1e-06, 'epoch': 0.1}\n".repeat(20);
const STAGE = { language: "en", say: EN, goTo: () => {}, hasText: () => false } as const;
const ADA = /ada@example\.org/;

/** The part of the page on a log in a file of somebody's name, and its parts. */
async function shared() {
  const { copied } = smallDocument();
  const { runs: [run] } = await new GivenRun().diagnose({ kind: "file", file: new File([LOG], "ada@example.org.log") });
  const card = sharing(run!.markdown, STAGE) as unknown as SmallElement;
  const [strip] = card.of("input"), [button] = card.of("button"), [preview] = card.of("pre");
  const taken = () => card.all().find(({ className }) => className.startsWith("taken"))!;
  const copy = async () => {
    await button!.say("click");
    return copied.at(-1)!;
  };
  return { strip: strip!, preview: preview!, taken, copy };
}

Deno.test({
  name: "sharing() copies what is stripped unless a person switches that off, and shows what it copies",
  sanitizeOps: false, // the button's name comes back after a second
  sanitizeResources: false,
  fn: async () => {
    const { strip, preview, taken, copy } = await shared();
    assert.equal(strip.checked, true);
    const stripped = await copy();
    assert.doesNotMatch(stripped, ADA);
    assert.match(stripped, /e-mail>/);
    assert.equal(preview.textContent, stripped);
    assert.match(taken().textContent, /ada@example\.org\S* → <e-mail>/);
    assert.equal(taken().className, "taken");

    strip.checked = false;
    await strip.say("change");
    const whole = await copy();
    assert.match(whole, ADA);
    assert.equal(preview.textContent, whole);
    assert.match(taken().textContent, ADA);
    assert.equal(taken().className, "taken careful");
  },
});
