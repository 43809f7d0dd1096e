/** What files are read as, in Chinese. @module */
import type { Spoken } from "./spoken.ts";

export const FORMATS_ZH: Spoken["formats"] = {
  run_folder: "训练文件夹",
  trainer_state: "trainer_state.json",
  completions: "补全",
  configuration: "配置文件",
  csv: "CSV",
  parquet: "Parquet",
  tensorboard: "TensorBoard",
  wandb: "W&B",
  mlflow: "MLflow",
  sqlite: "SQLite",
  post: "帖子",
  console: "控制台输出",
  unknown: "未知格式",
};
