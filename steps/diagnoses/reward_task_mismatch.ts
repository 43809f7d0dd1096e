/** Cause `reward_task_mismatch`: the reward or the entry script belongs to another task than the data. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { settingEvidence } from "./view/settings.ts";
import { pairing } from "./view/tasks.ts";

const SHOWN = 3; // Settings that are shown.

export default defineDiagnosis({
  codes: ["R08", "R00"],
  wastes: "wrong",
  about: "The reward or the entry script belongs to another task than the data, so no completion can score.",
  reads: ["settings.dataset", "settings.reward_functions", "settings"],
  decision:
    "The configuration pairs a dataset whose name says one task (detection, grounding, classification, mathematics, code) with an entry script or a reward that says another.",
  hint: "Use the script and the reward functions written for this dataset's task.",
  byHand: "Visual-RFT: grpo.py for detection, grpo_classification.py for classification, grpo_lisa.py for grounding.",
  lookAlikes: { coordinates_mismatch: "there the task is right and the units differ" },
  taughtBy: "Visual-RFT: detection data trained with grpo_classification.py",
  check(view): Found | null {
    const { data, script, reward } = pairing(view);
    if (data === null) return null;
    const boxes = (task: string) => task === "detection" || task === "grounding";
    const clash = (other: typeof script) =>
      other !== null && other.task !== data.task && !(boxes(other.task) && boxes(data.task) && other === reward);
    const wrong = clash(script) ? script : clash(reward) ? reward : null;
    if (wrong === null) return null;
    if (wrong === script && data.task === "math") return null;
    const hits = view.settings.filter((entry) =>
      String(entry.value).includes(data.word) || String(entry.value).includes(wrong.word)
    );
    return {
      trainSteps: [],
      message: `The data are for ${data.task} ("${data.word}"), the ${
        wrong === script ? "script" : "reward"
      } is for ${wrong.task} ("${wrong.word}")`,
      evidence: hits.slice(0, SHOWN).map((entry) => settingEvidence(entry)),
    };
  },
});
