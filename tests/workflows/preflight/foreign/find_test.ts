/** The table of rules as a whole: every rule has its two files, and what it finds is said once, in the file's own spelling. */
import assert from "node:assert/strict";
import { checkConfiguration } from "../../../../workflows/preflight/configuration.ts";
import { findForeign } from "../../../../workflows/preflight/foreign/find.ts";
import { launchesOf } from "../../../../workflows/preflight/foreign/read_launch.ts";
import { FOREIGN_RULES, RULE_GROUPS } from "../../../../workflows/preflight/foreign/mod.ts";
import { filesOf } from "./cases.ts";

/** What was wanted of the table. */
const LEAST_RULES = 60;

Deno.test("every rule has a file in which it fires and a silent one, and no folder is without its rule", () => {
  const names = Object.keys(FOREIGN_RULES), folder = new URL("cases/", import.meta.url);
  assert(names.length >= LEAST_RULES);
  assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), names.toSorted());
  for (const rule of names) {
    const { fires, silent } = filesOf(rule);
    assert(
      fires !== null && silent !== null,
      `Cannot test "${rule}": want cases/${rule}/{fires,silent}.{sh,yaml,py,json}`,
    );
  }
});

Deno.test("no two groups have a rule of one name, and every rule says what, which option and from where", () => {
  const all = Object.values(RULE_GROUPS).flatMap((group) => Object.entries(group));
  assert.equal(all.length, Object.keys(FOREIGN_RULES).length);
  for (const [rule, { about, change, source }] of all) {
    assert(/^[a-z][a-z0-9_]*$/.test(rule), rule);
    assert(/^[A-Z0-9a-z].*\.$/.test(about) && about.length < 140, `${rule}: ${about}`);
    assert(change.length > 2 && source.length > 4, rule);
    assert(![about, change, source].some((text) => text.includes("|")), rule);
  }
});

Deno.test("findForeign() says a thing once, also where two commands of a script have it", async () => {
  const [{ run, launches }] = await checkConfiguration([filesOf("spaces_around_equals").fires!]) as [
    Awaited<ReturnType<typeof checkConfiguration>>[0],
  ];
  const found = findForeign(run, [...launches, ...launches]);
  assert.deepEqual(found.map(({ rule }) => rule), ["spaces_around_equals"]);
});

const SPELLED: Readonly<Record<string, RegExp>> = {
  groups_not_whole: /^--num_generations 8$/,
  clip_ratio_alone: /^actor_rollout_ref\.actor\.clip_ratio_low=0\.3$/,
  cispo_cap: /^epsilon_high: 5$/,
  clip_range_inverted: /^epsilon_high=0\.28$/,
};

for (const [rule, spelled] of Object.entries(SPELLED)) {
  Deno.test(`findForeign() writes the change of ${rule} as the file writes its options`, async () => {
    const [{ examined }] = await checkConfiguration([filesOf(rule).fires!]) as [
      Awaited<ReturnType<typeof checkConfiguration>>[0],
    ];
    const options = examined.diagnosis.findings.flatMap(({ remedy }) => remedy.options);
    assert(options.some((option) => spelled.test(option)), options.join("\n"));
  });
}

Deno.test("a rule that rests on what is not written is silent where a configuration that is not at hand may have it", () => {
  const silent = (text: string, rule: string) => {
    const launches = launchesOf("run.sh", text), run = { settings: [], system: "trl", algorithm: "grpo" } as never;
    assert(!findForeign(run, launches).some((one) => one.rule === rule), rule);
    return launches[0]!.isWhole;
  };
  const text = Deno.readTextFileSync(filesOf("engine_idle").fires!);
  assert.equal(silent(text.replace("--bf16", "--config absent.yaml --bf16"), "engine_idle"), false);
  const verl = Deno.readTextFileSync(filesOf("critic_missing").fires!);
  assert.equal(silent(verl.replace("main_ppo", "main_ppo --config-name=mine"), "critic_missing"), false);
});

/** Places at which a file is cut off. */
const CUTS = 12;

Deno.test("no rule throws on a file that is cut off anywhere, nor on its characters in disorder", () => {
  const paths = Object.keys(FOREIGN_RULES).flatMap((rule) => Object.values(filesOf(rule)) as string[]);
  for (const path of paths) {
    const text = Deno.readTextFileSync(path), half = text.length >> 1;
    const cuts = Array.from({ length: CUTS }, (_, i) => text.slice(0, Math.floor(text.length * i / CUTS)));
    const texts = [
      ...cuts,
      text.slice(half) + text.slice(0, half),
      text.replaceAll("=", " "),
      text.replaceAll(/\d/g, "-"),
      text.replaceAll(" ", "\n"),
    ];
    for (const launch of texts.flatMap((one) => launchesOf(path, one))) {
      for (const entry of Object.values(FOREIGN_RULES)) if ("check" in entry) entry.check(launch);
    }
  }
});

/** Examples that systems publish, retyped and shortened: each trains as it stands. */
const SANE = new URL("sane/", import.meta.url);
/** The same, for translations; what is said of two of them is true. */
const TRANSLATED = new URL("../../translate/examples/", import.meta.url);
const TRUE: Readonly<Record<string, readonly string[]>> = {
  "verl_grpo.sh": ["clip_ratio_alone"],
  "trl_dpo.yaml": ["number_as_text"],
};

for (const folder of [SANE, TRANSLATED]) {
  for (const { name } of Deno.readDirSync(folder)) {
    Deno.test(`findForeign() warns of nothing in the published ${name}`, async () => {
      const [{ problems, launches }] = await checkConfiguration([
        decodeURIComponent(new URL(name, folder).pathname),
      ]) as [
        Awaited<ReturnType<typeof checkConfiguration>>[0],
      ];
      assert(launches.length > 0 && launches[0]!.options.length > 0 && launches[0]!.trainer !== null, "it is not read");
      const alarms = problems.filter(({ severity }) => severity !== "info");
      assert.deepEqual(
        alarms.map((one) => one.rule ?? one.cause),
        TRUE[name] ?? [],
        alarms.map(({ message }) => message).join("\n"),
      );
    });
  }
}
