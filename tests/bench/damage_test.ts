/** A fixed sample of the damage benchmark, over fake runs: every file, bitwise or refused with a way back. @module */
import assert from "node:assert/strict";
import { join } from "node:path";
import { uniform } from "../../data/random.ts";
import { sha256 } from "../../data/digest.ts";
import { fakeRun, withFolder } from "../workflows/engine/fake_runs.ts";
import { DAMAGE, type DamageKind, damageOne, type Outcome, type Subject, summary } from "./damage.ts";

const TEXT = `
name: damaged
checkpoint: { every: 2, keep: 100 }
steps:
  - uses: load_prompts
  - uses: load_model
  - repeat: 6
    steps:
      - uses: sample_groups
      - uses: apply_update
      - uses: evaluate
`;

const bytesOf = (weights: Float32Array) => new Uint8Array(weights.buffer.slice(0));

function fakeSubject(): Subject {
  let end = "";
  return {
    async stopped(runs, id) {
      await fakeRun(TEXT, { runs, runId: id, stopAt: 25 });
    },
    async resume(runs, id) {
      const { status, reason, hooks, events } = await fakeRun(TEXT, { runs, resume: id });
      end = sha256(bytesOf(hooks.policy!.weights));
      const from = events.map(({ text }) => /^Resumed from checkpoint (\d+)/.exec(String(text ?? ""))?.[1]).find(
        Boolean,
      );
      return { status, reason, from: Number(from ?? 0) };
    },
    trace: () => end,
  };
}

const COUNTS = { flips: 4, deletions: 2, unreadable: 2 } as const;

Deno.test("8 flips, deletions and read errors over all files of a run end bitwise the same, and nothing is deleted", () =>
  withFolder(async (runs) => {
    const subject = fakeSubject();
    const whole = await fakeRun(TEXT, { runs, runId: "whole" });
    const want = sha256(bytesOf(whole.hooks.policy!.weights));
    await subject.stopped(runs, "stopped");
    const outcomes: Outcome[] = [];
    for (const kind of Object.keys(DAMAGE) as DamageKind[]) {
      for (let i = 0; i < COUNTS[kind]; i++) {
        const draws = [uniform(7, kind, 0, i, 0), uniform(7, kind, 0, i, 1)] as const;
        outcomes.push(await damageOne(subject, runs, kind, draws, want));
      }
    }
    assert.deepEqual(outcomes.filter(({ outcome }) => outcome !== "bitwise"), []);
    const hurt = new Set(outcomes.map(({ where }) => where.split("/")[0]));
    for (const part of ["checkpoints", "tables"]) assert.ok(hurt.has(part), `no damage in ${part}`);
  }));

Deno.test("damageOne() calls lost what ends elsewhere, what fails, and what is deleted", () =>
  withFolder(async (runs) => {
    const subject = fakeSubject();
    await subject.stopped(runs, "stopped");
    const tried = async (own: Partial<Subject>) =>
      await damageOne({ ...subject, ...own }, runs, "flips", [0.5, 0.5], "another end");
    assert.deepEqual([(await tried({})).outcome, (await tried({})).said], ["lost", "another end"]);
    const refusing = await tried({ resume: () => Promise.reject(new Error("Cannot resume: no way back")) });
    assert.deepEqual([refusing.outcome, refusing.said], ["lost", "Cannot resume: no way back"]);
    const deleting = await tried({
      trace: () => "another end",
      resume: (runs, id) => {
        Deno.removeSync(join(runs, id, "checkpoints"), { recursive: true });
        return Promise.resolve({ status: "ok", reason: null, from: 5 });
      },
    });
    assert.match(deleting.said, /^deleted: checkpoints\//);
    assert.match(summary([refusing, deleting])[1]!, /^flips +2 +0 +0 +0 +2$/);
  }));
