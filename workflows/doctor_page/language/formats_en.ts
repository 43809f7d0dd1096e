/** What files are read as, in English. @module */
import type { Spoken } from "./spoken.ts";

export const FORMATS_EN: Spoken["formats"] = {
  run_folder: "a run's folder",
  trainer_state: "trainer_state.json",
  completions: "completions",
  configuration: "a configuration",
  csv: "CSV",
  parquet: "Parquet",
  tensorboard: "TensorBoard",
  wandb: "W&B",
  mlflow: "MLflow",
  sqlite: "SQLite",
  post: "a person's post",
  console: "console output",
  unknown: "nothing known",
};
