/** Kubernetes: a CronJob for each entry of the schedule, its runs in a volume that one claims once. @module */
import { relative } from "node:path";
import { stringify } from "yaml";
import { plainCron } from "../language/cron_expression.ts";
import { shownPath } from "../terminal/caller.ts";
import { commandLine } from "../terminal/command_line.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { type Job, type JobEntry, mark, runArguments } from "./job.ts";
import { nextTimes } from "./next.ts";
import { call, complaint } from "./program.ts";
import type { Change, Target } from "./target.ts";

const ON_TIME_SECONDS = 300; // Without catch_up: the controller looks every 10 s, a busy cluster may be late.
const WEEK_SECONDS = 604800;
const LONGEST_NAME = 52; // Of a CronJob: its jobs' names have 11 characters more.
const HOME = "/nonzero";
const DENO = "/usr/bin/deno";
/** Where a workflow lies that the image does not hold. */
const MOUNT = "/workflow";

export const kubernetes: Target = {
  about: "CronJobs, by kubectl",
  show: (job) => manifests(job),
  async install(job) {
    await requireCluster("install", job.file);
    return {
      first: [],
      changes: [applied("apply", manifests(job))],
      then: [],
      notes: ["The image nonzero:latest has to be there: the lines at the head say how it is made"],
    };
  },
  async remove(file) {
    const label = `nonzero/file=${labelOf(file)}`;
    await requireCluster("remove", file);
    const said = await call(["kubectl", "get", "cronjobs,configmaps", "-l", label, "-o", "name"]);
    const names = said?.code === 0 ? said.out.trim().split("\n").filter((name) => name !== "") : [];
    return { first: names.length ? [["kubectl", "delete", ...names]] : [], changes: [], then: [], notes: [] };
  },
};

function applied(verb: string, text: string): Change {
  return {
    what: "the cluster that kubectl speaks to",
    before: null,
    after: text,
    async apply() {
      const said = await call(["kubectl", verb, "-f", "-"], text);
      if (said?.code === 0) return said.out.trim().split("\n");
      throw new UsageError(`Cannot write the CronJob: ${said === null ? "kubectl is gone" : complaint(said)}`);
    },
  };
}

async function requireCluster(action: string, file: string): Promise<void> {
  const said = await call(["kubectl", "version", "--request-timeout=10s"]);
  if (said?.code === 0) return;
  const what = said === null ? "there is no kubectl here" : `kubectl reaches no cluster: ${complaint(said)}`;
  const shown = commandLine(["cron", "show", shownPath(file), "--target", "kubernetes"]);
  throw new UsageError(`Cannot ${action} a CronJob: ${what}; write it into a file: ${shown} >cronjob.yaml`);
}

/** The manifests of a job: what it needs as comments, a ConfigMap where the image lacks the file, the CronJobs. */
export function manifests(job: Job): string {
  const inProject = relative(job.project, job.file), isInImage = !inProject.startsWith("..");
  const name = `nonzero-${job.name.replaceAll("_", "-")}`,
    labels = { app: "nonzero", "nonzero/file": labelOf(job.file) };
  if (!isInImage && job.text === null) {
    throw new UsageError(
      `Cannot write a CronJob for ${job.file}: a workflow in TypeScript outside of ${job.project} cannot be taken along; ` +
        "move it into the project, or write it as YAML",
    );
  }
  const key = `${job.name}.yaml`, file = isInImage ? `${HOME}/${inProject}` : `${MOUNT}/${key}`;
  const config = isInImage ? [] : [{
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, labels },
    data: { [key]: job.text },
  }];
  const inImage = (word: string) => word.startsWith("/") ? `${HOME}/${relative(job.project, word)}` : word;
  const denoArguments = job.denoArguments.map(inImage);
  const there = { ...job, file, denoArguments, project: HOME, runs: `${HOME}/runs` };
  const jobs = job.entries.map((entry, index) => {
    const own = job.entries.length === 1 ? name : `${name}-${index + 1}`;
    if (own.length > LONGEST_NAME) {
      throw new UsageError(
        `Cannot write a CronJob for "${job.name}": its name would have ${own.length} characters, want at most ` +
          `${LONGEST_NAME}; shorten the workflow's name`,
      );
    }
    return cronJob(there, entry, { name: own, labels, config: isInImage ? null : name });
  });
  const documents = [CLAIM, ...config, ...jobs].map((one) =>
    stringify(one, { lineWidth: 0, aliasDuplicateObjects: false })
  );
  return `${head(job, isInImage)}${documents.join("---\n")}`;
}

/** Where all runs lie. */
const CLAIM = {
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name: "nonzero-runs" },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "20Gi" } } },
};

function head(job: Job, isInImage: boolean): string {
  const lines = [
    mark(job, "kubernetes"),
    "Wants an image nonzero:latest with this project, made in its folder by:",
    "  printf 'FROM denoland/deno:debian-2.9.6\\nWORKDIR /nonzero\\nCOPY . .\\nRUN deno install --frozen\\n' |",
    "    docker build -t nonzero:latest -f - .",
    "What the runs leave stays in the claim nonzero-runs; cron remove leaves it there.",
    ...(isInImage ? [] : ["Files that the workflow names by relative paths have to be in the image, too."]),
  ];
  return lines.map((line) => `# ${line}\n`).join("");
}

interface Named {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The ConfigMap with the workflow, or null. */
  readonly config: string | null;
}

function cronJob(job: Job, entry: JobEntry, { name, labels, config }: Named) {
  const args = [...runArguments(job, "now"), ...(job.asksTrust ? ["--trust"] : [])];
  const mounts = [
    { name: "runs", mountPath: `${HOME}/runs` },
    ...(config === null ? [] : [{ name: "workflow", mountPath: MOUNT, readOnly: true }]),
  ];
  return {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: { name, labels },
    spec: {
      schedule: plainCron(entry.cron),
      timeZone: entry.timezone,
      concurrencyPolicy: "Forbid",
      startingDeadlineSeconds: entry.catch_up === "one" ? longestGap(entry) : ON_TIME_SECONDS,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 3,
      jobTemplate: {
        metadata: { labels },
        spec: {
          backoffLimit: 0,
          template: {
            metadata: { labels },
            spec: {
              restartPolicy: "Never",
              terminationGracePeriodSeconds: 30,
              containers: [{
                name: "run",
                image: "nonzero:latest",
                imagePullPolicy: "IfNotPresent",
                workingDir: HOME,
                command: [DENO],
                args,
                env: ["NO_COLOR", "DENO_NO_UPDATE_CHECK"].map((name) => ({ name, value: "1" })),
                volumeMounts: mounts,
              }],
              volumes: [
                { name: "runs", persistentVolumeClaim: { claimName: "nonzero-runs" } },
                ...(config === null ? [] : [{ name: "workflow", configMap: { name: config } }]),
              ],
            },
          },
        },
      },
    },
  };
}

/** A run that was missed starts until the next one is due; at most a week. */
function longestGap(entry: JobEntry): number {
  const times = nextTimes(entry, Temporal.Now.instant(), 8).map(({ epochMilliseconds }) => epochMilliseconds / 1000);
  const gaps = times.slice(1).map((time, i) => time - times[i]!);
  return Math.min(WEEK_SECONDS, Math.max(ON_TIME_SECONDS, ...gaps));
}

/** A path as the value of a label: its letters and digits, the end of it where it is long. */
function labelOf(file: string): string {
  return file.replaceAll(/[^A-Za-z0-9]+/g, "-").slice(-63).replaceAll(/^-+|-+$/g, "");
}
