/**
 * Puts small deliberate faults into a copy of the project, one by one, and counts those that a test notices.
 *
 *     deno task bench mutations [--folder gpu,steps,…] [--only PART_OF_AN_ID,…] [--limit SECONDS] [--jobs N] [--list]
 *
 * Tests of the changed file run first, then those of files that import it, until one fails or the limit of a fault
 * (60 s) is over. N copies (one) are tried at once. A test that hangs does not count as one that notices; nor does one that fails without the fault.
 * @module
 */
import { benchArguments, typed } from "./arguments.ts";
import { mutate, type Mutation } from "./mutations/mutation.ts";
import { MUTATIONS } from "./mutations/mod.ts";
import { ProjectCopy, type TestRun } from "./mutations/project_copy.ts";
import { importers, relatedTests } from "./mutations/related_tests.ts";

/** The share of faults that tests must notice. */
export const WANTED = 0.95;
/** Test files of one process: the file's own first, then more at once, since a process takes half a second to start. */
const BATCHES = [1, 3, 8, 16, 32, Infinity];

export interface Outcome {
  readonly mutation: Mutation;
  readonly ended: "caught" | "survived" | "hangs" | "does not compile";
  /** The test that failed, or what there is to say. */
  readonly by: string;
  /** Until a test failed or nothing was left to run; that the test passes without the fault is seen afterwards. */
  readonly seconds: number;
}

const shown = ([first, ...others]: readonly string[]) =>
  `${first}${others.length > 0 ? ` and ${others.length} more` : ""}`;

/** What is needed of a copy: tests see what was written last. */
export type Project = Pick<ProjectCopy, "read" | "write" | "test">;

/** Applies one mutation, runs its tests, takes it back. `sound`: by test file, whether it passes without a fault. */
export async function tryMutation(
  mutation: Mutation,
  tests: readonly string[],
  project: Project,
  limitMs: number,
  sound: Map<string, boolean> = new Map(),
): Promise<Outcome> {
  const before = project.read(mutation.file), started = performance.now();
  const end = (ended: Outcome["ended"], by: string, at = performance.now()): Outcome => {
    return { mutation, ended, by, seconds: (at - started) / 1000 };
  };
  const mutated = mutate(before, mutation), doubtful: string[] = [];
  try {
    let left = tests.filter((test) => sound.get(test) !== false);
    for (let round = 0; left.length > 0;) {
      const batch = left.slice(0, BATCHES[round]), more = limitMs - (performance.now() - started);
      if (more <= 0) return end("survived", `out of time with ${left.length} test files left`);
      project.write(mutation.file, mutated);
      const run: TestRun = await project.test(batch, more);
      project.write(mutation.file, before);
      if (run.ended === "hangs" || run.ended === "does not compile") return end(run.ended, shown(batch));
      if (run.ended === "out of time") return end("survived", `out of time in ${shown(batch)}`);
      if (run.ended === "failed") {
        const suspects = run.file === null ? batch : [run.file], at = performance.now();
        for (const file of suspects) {
          if (!sound.has(file)) sound.set(file, (await project.test([file], limitMs)).ended === "passed");
        }
        const wrong = suspects.filter((file) => sound.get(file) === false);
        if (wrong.length === 0) {
          return end("caught", `${run.test ?? "a failure at import"} (${suspects.join(", ")})`, at);
        }
        doubtful.push(...wrong);
        left = left.filter((test) => !wrong.includes(test));
        continue;
      }
      left = left.slice(batch.length);
      round = Math.min(round + 1, BATCHES.length - 1);
    }
    return end(
      "survived",
      doubtful.length > 0 ? `red without it: ${doubtful.join(", ")}` : "every related test passed",
    );
  } finally {
    project.write(mutation.file, before);
  }
}

/** Tries mutations one after another in each of the projects, which share the work; `each` hears how one ended. */
export async function tryAll(
  mutations: readonly Mutation[],
  projects: readonly Project[],
  testsOf: (file: string) => readonly string[],
  limitMs: number,
  each: (outcome: Outcome) => void,
): Promise<Outcome[]> {
  const sound = new Map<string, boolean>(), outcomes: Outcome[] = [], left = [...mutations];
  await Promise.all(projects.map(async (project) => {
    for (let mutation = left.shift(); mutation !== undefined; mutation = left.shift()) {
      const outcome = await tryMutation(mutation, testsOf(mutation.file), project, limitMs, sound);
      outcomes.push(outcome);
      each(outcome);
    }
  }));
  return outcomes;
}

/** The figures, and what was not caught with why. */
export function report(outcomes: readonly Outcome[]): string {
  const caught = outcomes.filter(({ ended }) => ended === "caught");
  const percent = (100 * caught.length / Math.max(1, outcomes.length)).toFixed(1);
  const seconds = outcomes.map((outcome) => outcome.seconds).sort((a, b) => a - b);
  const lines = [
    `faults ${outcomes.length}, caught ${caught.length}: ${percent} % (want ${100 * WANTED} %)`,
    `seconds each: median ${seconds[seconds.length >> 1]?.toFixed(1) ?? "-"}, most ${
      seconds.at(-1)?.toFixed(1) ?? "-"
    }`,
  ];
  for (const { mutation, ended, by } of outcomes.filter(({ ended }) => ended !== "caught")) {
    const { id, find, replace, survives } = mutation;
    lines.push(`  ${ended}: ${id}: ${find} -> ${replace}`, `    ${survives ?? by}`);
  }
  return lines.join("\n");
}

/** The mutations that the options choose; an empty list chooses all. */
export function chosen(
  mutations: readonly Mutation[],
  given: { readonly folder: string; readonly only: string },
): Mutation[] {
  const [folders, only] = [given.folder, given.only].map((list) => list === "" ? null : list.split(","));
  return mutations.filter(({ id, file }) =>
    (folders?.some((folder) => file.startsWith(`${folder!.replace(/\/$/, "")}/`)) ?? true) &&
    (only?.some((part) => id.includes(part)) ?? true)
  );
}

if (import.meta.main) {
  const given = typed(() => benchArguments(Deno.args, { folder: "", only: "", limit: "60", jobs: "1", list: false }));
  const mutations = chosen(MUTATIONS, given), limit = Number(given.limit), jobs = Number(given.jobs);
  if (mutations.length === 0 || !(limit > 0) || !(jobs >= 1)) {
    console.error(
      mutations.length === 0
        ? "Cannot run the mutations: none is chosen; see them with --list"
        : limit > 0
        ? `Cannot run the mutations: --jobs is ${given.jobs}, want a number from 1 on`
        : `Cannot run the mutations: --limit is ${given.limit}, want seconds above 0`,
    );
    Deno.exit(2);
  }
  if (given.list) {
    for (const { id, find, replace } of mutations) console.log(`${id}: ${find} -> ${replace}`);
    Deno.exit(0);
  }
  for (const mutation of mutations) {
    mutate(Deno.readTextFileSync(new URL(`../../${mutation.file}`, import.meta.url)), mutation);
  }
  const projects: ProjectCopy[] = [], outcomes: Outcome[] = [];
  try {
    for (let job = 0; job < jobs; job++) projects.push(await ProjectCopy.create());
    const by = importers(projects[0]!.sources());
    const all = tryAll(mutations, projects, (file) => relatedTests(file, by), limit * 1000, (outcome) =>
      console.log(
        `${outcome.ended} ${outcome.mutation.id} ${outcome.seconds.toFixed(1)} s: ${outcome.by}`,
      ));
    outcomes.push(...await all);
  } finally {
    for (const project of projects) await project.remove();
  }
  console.log(report(outcomes));
  const share = outcomes.filter(({ ended }) => ended === "caught").length / outcomes.length;
  Deno.exit(share >= WANTED ? 0 : 1);
}
