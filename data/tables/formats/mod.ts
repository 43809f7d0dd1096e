/** Formats that tables are exported to. @module */
export { toParquet } from "./parquet.ts";
export { toTensorboard } from "./tensorboard.ts";
export { toCsv, toJsonLines } from "./text.ts";
export { toTrainerState } from "./trainer_state.ts";
