/** Pages of the rules. */
import assert from "node:assert/strict";
import { explain, page, rulesPage } from "../../../steps/diagnoses/explain.ts";
import type { Diagnosis } from "../../../steps/diagnoses/diagnosis.ts";
import { type Cause, DIAGNOSES } from "../../../steps/diagnoses/mod.ts";

Deno.test("explain() gives the page of a cause: decision, remedy, other systems, look-alikes", () => {
  const text = explain("greedy_sampling");
  for (
    const part of [
      "## greedy_sampling",
      "E03, C04",
      "temperature",
      "**Look-alikes**",
      "entropy_collapse",
      "verl:",
      "Taught by",
    ]
  ) {
    assert(text.includes(part), `${part} is not in\n${text}`);
  }
});

Deno.test("explain() finds every cause that a code decides, in either case", () => {
  const text = explain("n09");
  assert(text.includes("## kl_nan_isolated") && text.includes("## kto_vanilla_loss_nan"));
});

Deno.test("explain() suggests the nearest name", () => {
  assert.throws(() => explain("gredy_sampling"), /did you mean "greedy_sampling"/);
});

Deno.test("rulesPage() holds every page and no rule lacks its parts", () => {
  const all = rulesPage();
  for (const [cause, rule] of Object.entries(DIAGNOSES)) {
    assert(all.includes(page(cause as Cause)), cause);
    assert(
      rule.codes.length > 0 && Object.keys(rule.lookAlikes).length > 0 && rule.reads.length > 0,
      `${cause} lacks codes, look-alikes or reads`,
    );
    assert(rule.codes.every((code) => /^[A-Z]\d\d$/.test(code)), `${cause}: ${rule.codes}`);
    assert(
      [rule.about, ...[rule.decision].flat(), rule.hint].every((text) => text.endsWith(".")),
      `${cause}: sentences end with a period`,
    );
  }
});

Deno.test("every catalogue code of rules.md is decided by a rule", () => {
  const known = new Set(Object.values(DIAGNOSES).flatMap((rule) => rule.codes as readonly string[]));
  const catalogue =
    "C01 C02 C03 C04 C05 D01 D02 D03 D04 D05 D06 R00 N01 N02 N03 N04 N05 N06 N07 N08 N09 N10 R01 R02 R03 R04 R05 R06 R07 R08 R09 H01 G00 G01 G02 G03 G04 G05 M01 M02 E01 E02 E03 K01 K02 L01 L02 T01 P01 P02 P03 P04 P05 S01 S02 X01 X02";
  assert.deepEqual(catalogue.split(" ").filter((code) => !known.has(code)), []);
});

/** Words of a text of a decision; two that are longer and wait for their list. */
const LONGEST = 140, LONGER = ["reward_collapse", "kl_explosion"];

Deno.test("page() writes a decision of several branches as a list, each short enough to be read at once", () => {
  const lines = page("flipped_preference_labels").split("\n"), at = lines.indexOf("**Decision**");
  assert(lines[at + 1]!.startsWith("- Held out: an accuracy below 0.3"), lines[at + 1]);
  assert.match(page("nan_loss"), /^\*\*Decision\.\*\* \w/m);
  const long = Object.entries(DIAGNOSES as Record<string, Diagnosis>).flatMap(([cause, { decision }]) =>
    [decision].flat().some((text) => text.split(" ").length > LONGEST) ? [cause] : []
  );
  assert.deepEqual(long.filter((cause) => !LONGER.includes(cause)), []);
});

Deno.test("page() says from which number on a post shows a symptom, and rulesPage() says all of them once more", () => {
  const kl = page("kl_explosion");
  assert(kl.includes("\n\nNumbers show it from here on:\n"), kl);
  assert(kl.includes("\n- the KL grows without end: it ends above 0.2 nats per token, and above 20 times"), kl);
  assert(!page("resource_stall").includes("grows without end:"));
  assert(!page("kto_single_class").includes("Numbers show it"));
  const all = rulesPage(), told = all.slice(all.indexOf("## In a post"));
  for (
    const line of [
      "- the KL grows without end: it ends above 0.2 nats per token, and above 20 times its first value",
      "- the held-out score falls: it ends more than 10 % below its first value, or below 70 % of its best",
      "- loss: 1.3 times what it was; or a fall to 1/1.3",
      "- kl: 4 times what it was, to 0.2 or more; a fall says nothing",
      "- any other metric: 5 % more or less than it was",
    ]
  ) {
    assert(told.includes(`\n${line}`), line);
  }
});

Deno.test("page() says which complaint names a cause", () => {
  assert(page("entropy_collapse").includes("the author complains firmly: the entropy collapses (unless"));
  assert(!page("kto_single_class").includes("complains firmly"));
});
