import assert from "node:assert/strict";
import { doctorPage } from "../../../workflows/doctor/page.ts";
import { oneExamined } from "./one_examined.ts";

Deno.test("doctorPage() charts the metric that decides first, with the step marked, and shows evidence as a table", async () => {
  const html = await doctorPage([oneExamined()], false);
  const charts = [...html.matchAll(/<figcaption><b>([^<]+)/g)].map(([, title]) => title);
  assert.deepEqual(charts.slice(0, 2), ["entropy", "reward"]);
  assert.match(html, /<svg/);
  assert.match(html, /<td>log\.txt:3<\/td><td>actor\/entropy<\/td><td>0\.01<\/td><td>was 1\.5<\/td>/);
  assert.match(html, /<td>loss<\/td><td>NaN<\/td>/);
  assert.match(html, /temperature=1\.0/);
  assert.match(html, /<li>4 records<\/li>/);
});

Deno.test("doctorPage() of a healthy run says so and why", async () => {
  const diagnosis = {
    verdict: "benign",
    findings: [],
    afterEffects: [],
    differential: [],
    missing: [],
    reasons: ["reward rises"],
  } as const;
  const html = await doctorPage([oneExamined({ diagnosis })], false);
  assert.match(html, /status ok">healthy/);
  assert.match(html, /<li>reward rises<\/li>/);
});

Deno.test("doctorPage() of a log without train steps counts its records, also beside the mark", async () => {
  const html = await doctorPage([oneExamined({ counts: "records" })], false);
  assert.match(html, /<small>record 3 to 4/);
  assert.match(html, /dashed: since record 3/);
  assert.match(await doctorPage([oneExamined()], false), /dashed: since train step 3/);
});
