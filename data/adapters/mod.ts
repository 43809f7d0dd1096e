/** The file formats that can be read. @module */
import type { Adapter } from "./adapter.ts";
import { COMPLETIONS } from "./completions.ts";
import { CONFIGURATION } from "./configuration.ts";
import { CONSOLE } from "./console.ts";
import { CSV } from "./csv.ts";
import { MLFLOW } from "./mlflow.ts";
import { PARQUET } from "./parquet.ts";
import { POST } from "./post.ts";
import { RUN_FOLDER } from "./run_folder.ts";
import { SQLITE } from "./sqlite.ts";
import { TENSORBOARD } from "./tensorboard.ts";
import { TRAINER_STATE } from "./trainer_state.ts";
import { WANDB } from "./wandb.ts";

export const ADAPTERS = {
  run_folder: RUN_FOLDER,
  trainer_state: TRAINER_STATE,
  completions: COMPLETIONS,
  configuration: CONFIGURATION,
  csv: CSV,
  parquet: PARQUET,
  tensorboard: TENSORBOARD,
  wandb: WANDB,
  mlflow: MLFLOW,
  sqlite: SQLITE,
  post: POST,
  console: CONSOLE,
} satisfies Record<string, Adapter>;
