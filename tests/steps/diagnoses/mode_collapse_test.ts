/** The rule mode_collapse: its fault and its look-alikes. */
import { flat, group, ramp, testRule } from "./synthetic.ts";

testRule("mode_collapse", {
  fires: {
    "one text for every prompt": {
      columns: { loss: ramp(0.1, 0.2), reward: ramp(0.5, 0.6) },
      completions: ["a?", "b?", "c?", "d?", "e?"].flatMap((prompt) =>
        group(prompt, ["I am sorry.", "I am sorry."], [0.5, 0.5])
      ),
    },
    "one reward and one length on all batches": {
      algorithm: "ppo",
      columns: {
        loss: ramp(0.1, 0.2),
        reward: flat(0.537),
        completion_length: flat(64),
        completion_length_min: flat(64),
        completion_length_max: flat(64),
        truncated_fraction: flat(0),
      },
    },
  },
  silent: {
    "the same text inside each group only": {
      completions: ["a?", "b?", "c?", "d?"].flatMap((prompt) =>
        group(prompt, Array(4).fill(`to ${prompt}`), flat(1, 4))
      ),
    },
    "a constant reward at free lengths": {
      columns: {
        reward: flat(0.5),
        completion_length: ramp(20, 30),
        completion_length_min: ramp(5, 9),
        completion_length_max: ramp(40, 60),
      },
    },
  },
});
