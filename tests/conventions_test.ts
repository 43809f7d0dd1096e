/** The layout's own rules: one name everywhere, small files, a test for each; imports and declarations in conventions/. */
import assert from "node:assert/strict";
import { ADAPTERS } from "../data/adapters/mod.ts";
import { TASKS } from "../data/tasks/mod.ts";
import { OBJECTIVES } from "../gpu/losses/mod.ts";
import { CHARTS } from "../notebooks/charts/mod.ts";
import { ADVANTAGES } from "../steps/advantages/mod.ts";
import { DIAGNOSES } from "../steps/diagnoses/mod.ts";
import { STEPS } from "../steps/mod.ts";
import { REWARDS } from "../steps/rewards/mod.ts";
import { COMMANDS } from "../workflows/cli/mod.ts";
import { TARGETS } from "../workflows/cron/mod.ts";
import { exists, files, MAY_IMPORT, none, read, ROOT, SOURCES } from "./conventions/sources.ts";

/**
 * Tables of things that are one file each; `shared` are the folder's other files, null for those of commands: a file
 * there is a command where it defines one.
 */
const REGISTRIES: Record<string, { folder: string; names: readonly string[]; shared: readonly string[] | null }> = {
  OBJECTIVES: {
    folder: "gpu/losses",
    names: Object.keys(OBJECTIVES),
    shared: [
      "aggregations",
      "kl",
      "method",
      "covariance",
      "objective",
      "presets",
      "ratio",
      "rollout_objective",
      "tie_order",
    ],
  },
  STEPS: { folder: "steps", names: Object.keys(STEPS), shared: ["step"] },
  REWARDS: {
    folder: "steps/rewards",
    names: Object.keys(REWARDS),
    shared: ["entry", "reward", "user_code", "weighted_sum"],
  },
  ADVANTAGES: {
    folder: "steps/advantages",
    names: Object.keys(ADVANTAGES),
    shared: ["advantage", "batch", "estimate", "group_of_one", "groups", "presets", "token_kl", "token_rewards"],
  },
  DIAGNOSES: {
    folder: "steps/diagnoses",
    names: Object.keys(DIAGNOSES),
    shared: ["decide", "diagnose_run", "diagnosis", "explain"],
  },
  TASKS: { folder: "data/tasks", names: Object.keys(TASKS), shared: ["task"] },
  ADAPTERS: {
    folder: "data/adapters",
    names: Object.keys(ADAPTERS),
    shared: ["adapter", "live_run", "read_run", "read_sources"],
  },
  CHARTS: {
    folder: "notebooks/charts",
    names: Object.keys(CHARTS),
    shared: ["broken", "chart", "lines", "palette", "room", "spread", "step_rows"],
  },
  TARGETS: {
    folder: "workflows/cron",
    names: Object.keys(TARGETS),
    shared: [
      "due",
      "history",
      "job",
      "keep_runs",
      "next",
      "notify",
      "own_file",
      "program",
      "scheduled_run",
      "target",
      "webhook",
    ],
  },
  COMMANDS: {
    folder: "workflows/cli",
    names: Object.keys(COMMANDS).map((name) => name.replaceAll("-", "_")),
    shared: null,
  },
};

/** Files longer than 300 lines, with the reason. */
const LONG: Readonly<Record<string, string>> = {
  "data/columns.ts": "the one dictionary of columns: a line each",
};

/** Runs in a page alone. */
const IN_BROWSER = "what it draws in a browser is looked at by tests/browser/doctor_page_test.ts";

/** Files with values and without a test of their own, with the reason. Files of types alone need neither. */
const UNTESTED: Readonly<Record<string, string>> = {
  "notebooks/pages/style.ts": "a style sheet: a person looks at it",
  "workflows/doctor_page/look.ts": "a style sheet: a person looks at it",
  "workflows/doctor_page/app/ask.ts": IN_BROWSER,
  "workflows/doctor_page/app/chart.ts": IN_BROWSER,
  "workflows/doctor_page/app/decides.ts": IN_BROWSER,
  "workflows/doctor_page/app/element.ts": IN_BROWSER,
  "workflows/doctor_page/app/given.ts": IN_BROWSER,
  "workflows/doctor_page/app/intake.ts": IN_BROWSER,
  "workflows/doctor_page/app/table.ts": IN_BROWSER,
  "workflows/doctor_page/app/text_view.ts": IN_BROWSER,
};

/** Names that say nothing of what is inside. */
const EMPTY_NAMES = /(?:^|\/)(?:utils?|helpers?|common|types|misc|shared)\.ts$/;

for (const [table, { folder, names, shared }] of Object.entries(REGISTRIES)) {
  Deno.test(`${table} has one entry, one file and one test per name in ${folder}/`, async () => {
    // A name with a slash stands in a folder of entries alone.
    const rooms = new Set(["", ...names.flatMap((name) => /^\w+\//.exec(name)?.[0] ?? [])]), there: string[] = [];
    for (const room of rooms) {
      for await (const { name, isFile } of Deno.readDir(new URL(`${folder}/${room}`, ROOT))) {
        if (isFile && name.endsWith(".ts") && name !== "mod.ts") there.push(`${room}${name.slice(0, -3)}`);
      }
    }
    none(names.filter((name) => !there.includes(name)).map((name) => `${folder}/${name}.ts`), "No file for");
    const isShared = (name: string) =>
      shared?.includes(name) ??
        !/ = defineCommand\(/.test(SOURCES.find((s) => s.path === `${folder}/${name}.ts`)!.text);
    none(
      there.filter((name) => !names.includes(name) && !isShared(name)).map((name) => `${folder}/${name}.ts`),
      `Neither an entry of ${table} nor listed here as shared`,
    );
    none(shared?.filter((name) => !there.includes(name)) ?? [], "Listed here as shared and gone");
    const untested = await Promise.all(names.map(async (name) => {
      const test = `tests/${folder}/${name}_test.ts`;
      return await exists(test) ? [] : [test];
    }));
    none(untested.flat(), "Not written yet");
  });
}

Deno.test("every source file has its test at the same place, or a reason", async () => {
  const withValues = SOURCES.filter(({ path, text }) =>
    !path.endsWith("/mod.ts") && /^export (?:async )?(?:const|function|class|enum|let|\{(?! type))/m.test(text)
  );
  const missing: string[] = [];
  for (const { path } of withValues) {
    const test = `tests/${path.replace(/\.ts$/, "_test.ts")}`;
    if (!await exists(test) && !UNTESTED[path]) missing.push(test);
    else if (await exists(test) && UNTESTED[path]) missing.push(`${test} is there: take it off the list`);
  }
  for (const path of Object.keys(UNTESTED)) {
    if (!SOURCES.some((source) => source.path === path)) missing.push(`${path} is gone: take it off the list`);
  }
  none(missing, "Not written yet");
});

/** Shared code that may call a step by its name: it is about that step by nature. */
const MAY_NAME_STEPS = [
  /^workflows\/preflight\/\w+_(?:rules|facts)\.ts$/, // a rule about the settings of one step, and what it is decided by
  /^workflows\/preflight\/facts\.ts$/,
  /^workflows\/cli\/(?:diagnose|diagnose_follow|report)\.ts$/, // commands of these names
  /^workflows\/doctor_page\/in_browser\/command_line\.ts$/, // the same
  /^workflows\/cli\/sample\.ts$/, // draws from the stream of sample_groups
  /^workflows\/cli\/scaffold\//, // workflows and steps that it writes
  /^workflows\/cli\/method_sections\.ts$/, // which option of which step names a method
  /^workflows\/translate\//, // options of others as those of a step
  /^workflows\/goldens\/topics\//, // which formula of which step another system's is
];

/** Lines of shared code that call one of `names`; comments may. */
const calls = (shared: RegExp, names: RegExp, allowed: readonly RegExp[]) =>
  SOURCES.filter(({ path }) => shared.test(path) && !allowed.some((one) => one.test(path))).flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, i) =>
      names.test(line) && !/^\s*(?:\*|\/\/|\/\*\*)/.test(line) ? [`${path}:${i + 1}: ${line.trim()}`] : []
    )
  );

Deno.test("code that is shared by all steps knows none by its name: what it must know, the step declares", () => {
  const one = Object.keys(STEPS).join("|"), key = Object.keys(STEPS).filter((name) => name.includes("_")).join("|");
  const names = new RegExp(`(?<![.\\w])"(?:${one})"|\\buses: (?:${one})\\b|^\\s*(?:${key}):`);
  const shared =
    /^(?:workflows|notebooks|steps\/(?:metrics|training|options|cost|resources))\/|^steps\/(?:step|faults\/inject)\.ts$/;
  none(calls(shared, names, MAY_NAME_STEPS), "A step known by its name");
});

/** Where the name of an estimator or a task is another thing's as well, or a default. */
const MAY_NAME_ENTRIES = [
  /^steps\/diagnoses\/view\/(?:groups|plain_loss|table_view|tasks)\.ts$/, // names in foreign logs; what a run without settings was
  /^steps\/diagnoses\/(?:invalid_config_value|length_collapse)\.ts$|^workflows\/preflight\/told_settings\.ts$|^workflows\/preflight\/foreign\//, // other systems' options
  /^workflows\/goldens\/topics\//, // under which name a system has them
  /^workflows\/translate\//, // the same
  /^workflows\/cli\/scaffold\//,
];

for (const [what, table] of [["advantages", ADVANTAGES], ["tasks", TASKS]] as const) {
  Deno.test(`code that is shared by all ${what} knows none by its name: what it must know, the entry declares`, () => {
    const one = Object.keys(table).join("|"), shared = /^(?:workflows|notebooks|steps(?!\/(?:faults|advantages)\/))\//;
    const names = new RegExp(`(?<![.\\w])"(?:${one})"|/[^/"]*\\b(?:${one})\\b[^/"]*/[a-z]*[.\\],)]`);
    none(calls(shared, names, MAY_NAME_ENTRIES), `One of the ${what} known by its name`);
    assert(['"x"', "/x|y/.test(a)"].every((code) => names.test(code.replace("x", Object.keys(table)[0]!))));
  });
}

Deno.test("every test stands where its source file stands", async () => {
  const paths = new Set(SOURCES.map(({ path }) => path));
  const lost: string[] = [];
  for (const folder of Object.keys(MAY_IMPORT)) {
    for await (const test of files(`tests/${folder}`, /_test\.ts$/)) {
      const source = test.slice("tests/".length).replace(/_test\.ts$/, ".ts");
      if (!paths.has(source) && !MORE_TESTS.some((part) => test.startsWith(part))) lost.push(test);
    }
  }
  none(lost, "No source file for");
});

/** Tests of several files at once. */
const MORE_TESTS = [
  "tests/notebooks/cells/", // the notebooks
  "tests/data/adapters/cases_test.ts",
  "tests/data/adapters/hostile_test.ts",
  "tests/data/adapters/odd_logs_test.ts",
  "tests/data/adapters/post/hostile_test.ts",
  "tests/steps/apply_update_goldens_test.ts",
  "tests/steps/apply_update_losses_test.ts",
  "tests/steps/diagnose_schedule_test.ts",
  "tests/steps/apply_update_sampler_rows_test.ts",
  "tests/steps/apply_update_sampler_test.ts",
  "tests/steps/apply_update_terms_test.ts",
  "tests/steps/compute_advantages_goldens_test.ts",
  "tests/steps/load_model_lora_images_test.ts",
  "tests/steps/load_model_lora_test.ts",
  "tests/steps/load_model_weights_test.ts",
  "tests/steps/load_prompts_annotations_test.ts",
  "tests/steps/load_prompts_images_test.ts",
  "tests/steps/apply_update_images_test.ts",
  "tests/steps/image_combinations_test.ts",
  "tests/steps/export_model_images_test.ts",
  "tests/steps/bad_images_test.ts",
  "tests/gpu/models/forward_images_test.ts",
  "tests/gpu/models/vision/tower_gradients_test.ts",
  "tests/gpu/models/families_rounded_test.ts",
  "tests/gpu/weights/quantized_model_test.ts",
  "tests/steps/train_preferences_options_test.ts",
  "tests/steps/train_preferences_validation_test.ts",
  "tests/steps/diagnoses/cases_test.ts",
  "tests/workflows/cli/diagnose_texts_test.ts",
  "tests/workflows/end_to_end/",
  "tests/workflows/engine/run_plan_crash_test.ts",
  "tests/workflows/library/",
  "tests/workflows/language/mistakes_test.ts",
];

Deno.test("no source file is longer than 300 lines, apart from a list with reasons", () => {
  const long = SOURCES.filter(({ path, text }) => text.split("\n").length - 1 > 300 && !LONG[path]);
  none(long.map(({ path, text }) => `${path}: ${text.split("\n").length - 1} lines`), "Too long");
  none(
    Object.keys(LONG).filter((path) => !SOURCES.some((s) => s.path === path && s.text.split("\n").length > 300)),
    "On the list of long files and not long",
  );
});

Deno.test("every source file says what it is for, has a telling name and is finished", () => {
  none(SOURCES.filter(({ text }) => !/^\/\*\*[^]*?@module/.test(text)).map(({ path }) => path), "No @module docstring");
  none(SOURCES.map(({ path }) => path).filter((path) => EMPTY_NAMES.test(path)), "A name that says nothing");
  const later = new RegExp(["TO" + "DO", "FIX" + "ME", "XX" + "X"].map((word) => `\\b${word}\\b`).join("|"));
  none(SOURCES.filter(({ text }) => later.test(text)).map(({ path }) => path), "Left for later");
});

Deno.test("no file names a folder of the machine it was written on", async () => {
  // Built from parts, so that this file does not name them either.
  const places = new RegExp(["work", "root"].map((name) => `(?:^|[\\s"'\`(=:])/${name}/\\w`).join("|"), "m");
  const named: string[] = [];
  for (const folder of [...Object.keys(MAY_IMPORT), "tests"]) {
    for await (const path of files(folder, /\.(?:ts|md|yaml|json|ipynb)$/)) {
      if (/^tests\/(?:cases|goldens|models)\//.test(path)) continue;
      if (places.test(await read(path))) named.push(path);
    }
  }
  for (const path of ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "deno.json", ".ci/run"]) {
    if (places.test(await read(path))) named.push(path);
  }
  none(named, "A path of one machine in");
});
