/** The CPU class is what kernels choose by, nothing else. @module */
import assert from "node:assert/strict";
import { cpuClass, findEnvironment } from "../../../workflows/engine/environment.ts";
import { ENVIRONMENT } from "./fake_runs.ts";
import { fakePlan } from "./fake_steps.ts";

Deno.test("cpuClass() reads the extensions of x86 and ARM and ignores the rest", () => {
  const { arch } = Deno.build;
  assert.equal(cpuClass("model name : X\nflags\t\t: fpu fma avx sse avx2\n"), `${arch} avx avx2 fma`);
  assert.equal(cpuClass("Features\t: fp asimd sve\n"), `${arch} asimd sve`);
  assert.equal(cpuClass(null), arch);
});

const settingsOf = (head: string) => fakePlan(`name: e\n${head}steps: [{ uses: act }]`, { log: [] }).settings;

Deno.test("findEnvironment() takes what is given, and finds what the machine has with a line for what it lacks", () => {
  assert.deepEqual(findEnvironment(settingsOf(""), ENVIRONMENT), { environment: ENVIRONMENT, notes: [] });
  const { environment, notes } = findEnvironment(settingsOf(""));
  assert.equal(environment.backend, "ffi");
  assert.match(environment.versions.onnxruntime!, /^\d+\.\d+\.\d+$/);
  // Without CUDA there is a line, with it there is none.
  assert.equal(notes.length, environment.device === "cuda" ? 0 : 1);
  for (const note of notes) assert.match(note, /^device: cpu \(cuda not used: [^\n]+\)$/);
});

Deno.test("findEnvironment() takes one thread when deterministic, and what is asked for over what is found", () => {
  const found = (head: string) => findEnvironment(settingsOf(`device: cpu\n${head}`)).environment;
  assert.equal(found("deterministic: true\n").threads, 1);
  assert.equal(found("threads: 3\n").threads, 3);
  const { device, backend } = found("backend: napi\n");
  assert.deepEqual({ device, backend }, { device: "cpu", backend: "napi" });
});
