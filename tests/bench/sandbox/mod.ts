/** Every misbehaviour that `bench sandbox` tries, by group. @module */
import { ANSWERS, ENDS, MEMORY, TIME } from "./inside.ts";
import type { Misbehaviours } from "./misbehaviour.ts";
import { NETWORK, PROGRAMS, READS, WRITES } from "./outside.ts";

export const MISBEHAVIOURS: Readonly<Record<string, Misbehaviours>> = {
  reads: READS,
  writes: WRITES,
  programs: PROGRAMS,
  network: NETWORK,
  time: TIME,
  memory: MEMORY,
  ends: ENDS,
  answers: ANSWERS,
};
