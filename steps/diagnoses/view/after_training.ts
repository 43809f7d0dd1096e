/** Whether a line is of what comes after training: what saves, merges or serves a model trains nothing. @module */

const AFTER =
  /(?<![\p{L}])(?:export\w*|merg\w+|inference|infer(?:ring)?|serving|saving|convert\w*|Inferenz|inférence|inferencia|inferência|инференс\w*)(?![\p{L}])|导出|合并|推理|エクスポート|推論|추론|내보내/iu;

/** True of a line that says so. */
export const isAfterTraining = (text: string): boolean => AFTER.test(text);
