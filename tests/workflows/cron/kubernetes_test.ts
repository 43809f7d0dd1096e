import assert from "node:assert/strict";
import { parseAllDocuments } from "yaml";
import { manifests } from "../../../workflows/cron/kubernetes.ts";
import { AWKWARD, scheduled, someJob } from "./some_job.ts";
import { schemaProblems } from "./schema_problems.ts";

const ENTRIES = ['cron: "30 3 * * sun", timezone: Europe/Berlin, catch_up: one', 'cron: "0 12 * * *"'];
const problems = (text: string) => schemaProblems(text, "kubernetes", ({ kind }) => String(kind));
// deno-lint-ignore no-explicit-any
const documents = (text: string) => parseAllDocuments(text).map((one) => one.toJS()) as any[];

Deno.test("manifests() are what Kubernetes' published schemas accept", async () => {
  assert.deepEqual(
    await problems(manifests(someJob(ENTRIES, { file: "/opt/nonzero/workflows/library/nightly.yaml" }))),
    [],
  );
  assert.deepEqual(await problems(manifests(someJob(ENTRIES, { file: `${AWKWARD}/a.yaml`, asksTrust: true }))), []);
});

for (
  const [what, from, to] of [
    ["an unknown key", "timeZone:", "timezone:"],
    ["a number as a text", "backoffLimit: 0", 'backoffLimit: "0"'],
    ["a CronJob without a schedule", "  schedule: 30 3 * * 0\n", ""],
    ["a container without a name", "- name: run\n              image", "- image"],
    ["another version", "batch/v1", "batch/v1beta1"],
  ] as const
) {
  Deno.test(`the schema of the test refuses ${what}`, async () => {
    const text = manifests(someJob(ENTRIES));
    assert(text.includes(from), from);
    assert.notDeepEqual(await problems(text.replace(from, to)), []);
  });
}

Deno.test("manifests(): one CronJob per entry, never two at once, never again by itself, late as catch_up says", () => {
  const [claim, config, first, second] = documents(manifests(someJob(ENTRIES, { name: "nightly_add" })));
  assert.deepEqual([claim.kind, config.kind], ["PersistentVolumeClaim", "ConfigMap"]);
  assert.equal(config.data["nightly_add.yaml"], scheduled(ENTRIES, "nightly_add"));
  assert.deepEqual([first.metadata.name, second.metadata.name], ["nonzero-nightly-add-1", "nonzero-nightly-add-2"]);
  assert.deepEqual([first.spec.schedule, first.spec.timeZone], ["30 3 * * 0", "Europe/Berlin"]);
  assert.equal(first.spec.concurrencyPolicy, "Forbid");
  assert.equal(first.spec.jobTemplate.spec.backoffLimit, 0);
  // A week, or five minutes; a week with a clock change has an hour more or less.
  assert(Math.abs(first.spec.startingDeadlineSeconds - 604800) <= 3600, first.spec.startingDeadlineSeconds);
  assert.equal(second.spec.startingDeadlineSeconds, 300);
  const [container] = first.spec.jobTemplate.spec.template.spec.containers;
  assert.deepEqual(container.args.slice(-4), ["run", "/workflow/nightly_add.yaml", "--scheduled", "now"]);
  assert(container.args.includes("/nonzero/main.ts"), container.args.join(" "));
});

Deno.test("manifests() takes a file of the project from the image, and refuses TypeScript from elsewhere", () => {
  const job = someJob(['cron: "0 3 * * *"'], { file: "/opt/nonzero/mine/a.ts", text: null });
  const all = documents(manifests(job)), [container] = all.at(-1).spec.jobTemplate.spec.template.spec.containers;
  assert.equal(all.length, 2);
  assert(container.args.includes("/nonzero/mine/a.ts"));
  assert.throws(() => manifests({ ...job, file: "/mine/a.ts" }), /in TypeScript outside of .* cannot be taken along/);
  assert.throws(() => manifests(someJob(['cron: "0 3 * * *"'], { name: "a".repeat(60) })), /want at most 52/);
});
