/**
 * Lets rewards misbehave and measures the sandbox: what is contained, what is said of it, what stays behind.
 *
 *     deno task bench sandbox [--only reads,time,…,orphans] [--json]
 *
 * Files go to temporary folders. A misbehaviour is one line in tests/bench/sandbox.
 * @module
 */
import { among, benchArguments, typed } from "./arguments.ts";
import { MISBEHAVIOURS } from "./sandbox/mod.ts";
import { BUSY, tryOrphan } from "./sandbox/orphans.ts";
import { type Trial, tryMisbehaviour } from "./sandbox/trial.ts";

/** Trials of the groups that are chosen, one after another; `each` hears them as they come. */
export async function trials(groups: readonly string[], each: (trial: Trial) => void = () => {}): Promise<Trial[]> {
  const done: Trial[] = [];
  const take = (trial: Trial) => (done.push(trial), each(trial));
  for (const [group, misbehaviours] of Object.entries(MISBEHAVIOURS)) {
    if (!groups.includes(group)) continue;
    for (const [name, misbehaviour] of Object.entries(misbehaviours)) {
      take(await tryMisbehaviour(`${group}/${name}`, misbehaviour));
    }
  }
  if (groups.includes("orphans") && Deno.build.os === "linux") {
    for (const [name, code] of Object.entries(BUSY)) take(await tryOrphan(`orphans/${name}`, code));
  }
  return done;
}

/** The share that is contained, the time it took, and what is not. */
export function report(done: readonly Trial[]): string[] {
  const bad = done.filter(({ problems }) => problems.length > 0);
  const times = done.map(({ ms }) => ms).sort((a, b) => a - b);
  return [
    ...bad.map(({ name, problems }) => `NOT CONTAINED  ${name}: ${problems.join("; ")}`),
    `${done.length - bad.length} of ${done.length} contained; median ${times[times.length >> 1]} ms, longest ${
      times.at(-1)
    } ms`,
  ];
}

if (import.meta.main) {
  const known = [...Object.keys(MISBEHAVIOURS), "orphans"];
  const { only, json } = typed(() => benchArguments(Deno.args, { only: known.join(","), json: false }));
  const groups = typed(() => among("--only", only, known));
  const done = await trials(groups, (trial) => {
    if (json) console.log(JSON.stringify(trial));
    else console.log(`${trial.problems.length ? "✗" : "✓"} ${trial.name}  ${trial.ms} ms  ${trial.said.slice(0, 110)}`);
  });
  if (!json) { for (const line of report(done)) console.log(line); }
  Deno.exit(done.some(({ problems }) => problems.length > 0) ? 1 : 0);
}
