/** Repair: what is done with the remedy of a finding that stopped a run. @module */
export { describeEdit, repairLine } from "./advice.ts";
export { readRepairs, type RepairRecord, REPAIRS_FILE } from "./record.ts";
export { type RepairedRun, runWithRepair } from "./run_with_repair.ts";
export { replayRepair } from "./replay.ts";
