/** Formats that tables are exported to. @module */
export { completionTexts } from "./completion_texts.ts";
export { gradientNorms } from "./gradient_norms.ts";
export { mlflowExperiment, mlflowFolder, toMlflow } from "./mlflow.ts";
export { toParquet } from "./parquet.ts";
export { toTensorboard } from "./tensorboard.ts";
export { toCsv, toJsonLines } from "./text.ts";
export { evaluationSteps, inOrder, rewardMeans, trackedSteps } from "./tracked_steps.ts";
export { trackerRun } from "./tracker_run.ts";
export { toTrainerState } from "./trainer_state.ts";
export { visualRftBlocks, visualRftConsole } from "./visual_rft_log.ts";
export { toWandb, wandbFolder, wandbId } from "./wandb.ts";
