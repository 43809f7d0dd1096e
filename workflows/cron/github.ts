/** GitHub Actions: a workflow of the repository that runs ours; what it trained goes from run to run in the cache. @module */
import { dirname, join, relative } from "node:path";
import { stringify } from "yaml";
import { isThere } from "../../data/file_system.ts";
import { plainCron } from "../language/cron_expression.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { shownPath } from "../terminal/caller.ts";
import { commandLine, quoted } from "../terminal/command_line.ts";
import { type Job, mark } from "./job.ts";
import { nextTimes } from "./next.ts";
import { removing, writing } from "./own_file.ts";
import type { Target } from "./target.ts";

const SHORTEST_MINUTES = 5; // "once every 5 minutes": GitHub's documentation of on.schedule.

export const github: Target = {
  about: "a workflow of GitHub Actions in the repository that holds the file",
  show: (job) => actionsWorkflow(job, repositoryOf(job.file) ?? dirname(job.file)),
  install(job) {
    const root = requireRepository(job.file), path = join(root, pathOf(job.name));
    const notes = [
      `GitHub starts it from the default branch: git add ${pathOf(job.name)}, commit and push`,
      "GitHub is late by minutes to hours at times, may leave one out, and stops after 60 days without a commit",
      ...tooOften(job),
    ];
    return Promise.resolve({
      first: [],
      changes: [writing(path, actionsWorkflow(job, root), { ...job, file: relative(root, job.file) }, root)],
      then: [],
      notes,
    });
  },
  remove(file) {
    const root = requireRepository(file), folder = join(root, ".github/workflows");
    const names = isThere(folder) ? [...Deno.readDirSync(folder)].map(({ name }) => name).sort() : [];
    const changes = names.filter((name) => /^nonzero_.*\.yml$/.test(name))
      .flatMap((name) => removing(join(folder, name), relative(root, file)));
    return Promise.resolve({
      first: [],
      changes,
      then: [],
      notes: changes.length ? ["Commit and push that it is gone"] : [],
    });
  },
};

const pathOf = (name: string) => `.github/workflows/nonzero_${name}.yml`;

/** The text of the workflow; `root` is the folder of the repository. */
export function actionsWorkflow(job: Job, root: string): string {
  const { name, about, entries, asksTrust } = job, file = relative(root, job.file);
  const isOurs = !relative(root, job.project).startsWith("..");
  // What is called lies in the same repository, or is fetched beside it.
  const project = join("$GITHUB_WORKSPACE", isOurs ? relative(root, job.project) : ".nonzero");
  const permissions = job.denoArguments.filter((word) => word.startsWith("--allow-")).join(" ");
  const words = [
    `run -q --no-prompt ${permissions} --config "${project}/deno.json" "${project}/workflows/cli/main.ts" run`,
    `"$GITHUB_WORKSPACE"/${quoted(file)} --scheduled now --runs "$GITHUB_WORKSPACE/runs"${asksTrust ? " --trust" : ""}`,
  ];
  const saved = { path: "runs", key: `nonzero-${name}-\${{ github.run_id }}` };
  const document = {
    name,
    on: {
      schedule: entries.map(({ cron, timezone }) => ({ cron: plainCron(cron), timezone })),
      workflow_dispatch: {},
    },
    permissions: { contents: "read" },
    concurrency: { group: `nonzero-${name}`, "cancel-in-progress": false },
    jobs: {
      run: {
        "runs-on": "ubuntu-latest",
        "timeout-minutes": 360,
        env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1", MALLOC_ARENA_MAX: "2" },
        steps: [
          { uses: "actions/checkout@v4" },
          ...(isOurs
            ? []
            : [{ uses: "actions/checkout@v4", with: { repository: "nonzero/nonzero", path: ".nonzero" } }]),
          { uses: "denoland/setup-deno@v2", with: { "deno-version": "v2.9.6" } },
          { uses: "actions/cache/restore@v4", with: { ...saved, "restore-keys": `nonzero-${name}-` } },
          {
            name: about || name,
            // 75: another run holds the lock.
            run: `"$(command -v deno)" ${words.join(" \\\n  ")} || [ $? -eq 75 ]\n`,
          },
          { if: "always()", uses: "actions/cache/save@v4", with: saved },
          {
            if: "always()",
            uses: "actions/upload-artifact@v4",
            with: { name: "reports", path: "runs/*/report.html", "if-no-files-found": "ignore" },
          },
        ],
      },
    },
  };
  return `# ${mark({ name, file }, "github")}\n${stringify(document, { lineWidth: 0, aliasDuplicateObjects: false })}`;
}

function tooOften({ entries }: Job): string[] {
  return entries.flatMap((entry) => {
    const [first, second] = nextTimes(entry, Temporal.Now.instant(), 2);
    const isClose = first !== undefined && second !== undefined &&
      second.epochMilliseconds - first.epochMilliseconds < SHORTEST_MINUTES * 60e3;
    return isClose
      ? [`"${entry.cron}" is oftener than every ${SHORTEST_MINUTES} minutes, which GitHub does not start`]
      : [];
  });
}

/** The folder of the repository that a file lies in, also one that is gone; null outside of any. */
export function repositoryOf(file: string): string | null {
  for (let folder = dirname(file);; folder = dirname(folder)) {
    if (isThere(join(folder, ".git"))) return folder;
    if (folder === dirname(folder)) return null;
  }
}

function requireRepository(file: string): string {
  const root = repositoryOf(file);
  if (root !== null) return root;
  const shown = commandLine(["cron", "show", shownPath(file), "--target", "github"]);
  throw new UsageError(
    `Cannot use GitHub Actions for ${file}: it lies in no git repository; put it into one, or write it elsewhere: ${shown}`,
  );
}
