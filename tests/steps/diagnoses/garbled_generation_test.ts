/** The rule garbled_generation: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { flat, group, healthyBut, ramp, testRule, viewOf } from "./synthetic.ts";

/** A reward that one completion in a hundred gets on one record, and none on any other. */
const LUCKY = Array.from({ length: 30 }, (_, record) => record === 1 ? 0.008 : 0);

/** A log of detection without one box, format or gradient: no text. */
function boxless(more: object = {}) {
  return {
    system: "visual-rft" as const,
    columns: {
      loss: flat(0),
      grad_norm: flat(0),
      kl: flat(0),
      reward: flat(0),
      reward_std: flat(0),
      "reward.accuracy_reward_iou": flat(0),
      "reward.accuracy_reward_confidence": flat(0),
      "reward.format_reward": flat(0),
      ...more,
    },
  };
}

testRule("garbled_generation", {
  fires: {
    "detection without a box, a format and a gradient, where no text is printed": boxless(),
    "the same with texts that are a little less than noise": {
      ...boxless(),
      completions: group("", [
        "4220\ufffd820s\ufffdi\ufffd0.0\x10194040b\ufffd",
        "680660\ufffd620580420f0.8\ufffd",
        "\ufffd(\ufffd180\ufffd}, {'Position': []460\ufffd\ufffd520Rn900660",
        "p\ufffd360160900740], 'Confidence': ], 'Confidence': 60380], 'Confidence': \ufffds.520",
      ], [0, 0, 0, 0]),
    },
    "a format that noise met once, learned from: the KL grows, and no box is read": boxless({
      "reward.format_reward": LUCKY,
      reward: LUCKY,
      grad_norm: LUCKY.map((value) => 30 * value),
      kl: [0, 0, 0, ...ramp(0.1, 0.9).slice(3)],
    }),
    "a box that noise met once, in a log that pays for it": boxless({
      "reward.accuracy_reward_iou": LUCKY,
      "reward.accuracy_reward_confidence": LUCKY,
      reward: LUCKY.map((value) => 2 * value),
      grad_norm: LUCKY.map((value) => 30 * value),
    }),
    "a run of ours whose last texts have learned of the lucky one": {
      ...healthyBut({ entropy: ramp(5.4, 4.2), reward: LUCKY, zero_spread_fraction: flat(1) }, {
        completions: group("Find all 1s.", ["4807400300", "2407208"], [0, 0]).map((row) => ({ ...row, trainStep: 40 })),
      }),
      own: true,
    },
    "undated blocks that become plainer: the first ones are judged": {
      system: "visual-rft",
      columns: { loss: flat(0), reward: flat(0), reward_std: flat(0), grad_norm: flat(0) },
      completions: [
        ...Array.from({ length: 16 }, () => group("", ['"f;mzy(~nZ,6|6', "8fl=T%OnCh+ke+t"], [0, 0])).flat(),
        ...Array.from({ length: 80 }, () => group("", ["4807400300", "the answer"], [0, 0])).flat(),
      ].map((row) => ({ ...row, trainStep: null })),
    },
    "random characters at the entropy of noise": healthyBut({
      entropy: ramp(4, 4.1),
      reward: flat(0),
      "reward.accuracy_reward": flat(0),
      zero_spread_fraction: flat(1),
    }, {
      completions: ["9+2=", "1+1="].flatMap((prompt) =>
        group(prompt, ["5[fz5h]kcDz5]-", "+600Lm1I/TxyMp25", '"f;mzy(~nZ,6|6', "8fl=T%OnCh+ke+t"], flat(0, 4))
      ),
    }),
    "descriptions of static": {
      system: "vlm-r1",
      completions: [1, 2, 3].flatMap((i) =>
        group(`find ${i}`, ["The image appears to show static or a mix of visual artifacts [0, 0, 643, 476]"], [0])
      ),
    },
    "fragments of many scripts": healthyBut({
      entropy: ramp(9.8, 9.7),
      reward: flat(0),
      "reward.accuracy_reward": flat(0),
      zero_spread_fraction: flat(1),
    }, {
      completions: group("x", [
        "ertz龜_Stream Ń.Dequeue 砦ubles@@ipherals 뜰umatic{};",
        "/***/hrd ünd 堃_wf аль }}{{ .gt وکnie.pushViewController",
      ], [0, 0]),
    }),
    "a policy of random weights that is given labelled completions": {
      algorithm: "kto",
      own: true,
      columns: { loss: ramp(0.5, 0.49), entropy: ramp(11.8, 11.7), grad_norm: flat(0.3), learning_rate: flat(1e-5) },
    },
  },
  silent: {
    "boxes in another model's form, none of which is read": {
      ...boxless(),
      completions: group("", [
        '```json\n[{"bbox_2d": [341, 220, 820, 680], "label": "cat"}]\n```',
        "x1=12, y1=40; x2=100, y2=220 -> bbox",
        "<|box_start|>(341,220),(820,680)<|box_end|>",
      ], [0, 0, 0]),
    },
    "detection whose wrong boxes earn confidence": boxless({ "reward.accuracy_reward_confidence": flat(0.2) }),
    "detection without a right box, in the format": boxless({ "reward.format_reward": flat(0.4) }),
    "a gradient of the KL where nothing is paid: something is written": boxless({ grad_norm: flat(0.01) }),
    "a language model that is given pairs far from its own texts": {
      algorithm: "dpo",
      own: true,
      columns: { loss: ramp(0.69, 0.5), entropy: ramp(3.6, 3.2), grad_norm: flat(0.3), learning_rate: flat(1e-5) },
    },
    "a format that is paid now and then, before a box is read": boxless({ "reward.format_reward": flat(0.03) }),
    "a run of ours that a huge rate wrecks after its first record": {
      ...healthyBut({ entropy: [0.6, ...flat(5.4).slice(1)], reward: flat(0), zero_spread_fraction: flat(1) }, {
        completions: group("Find all 1s.", ["4807400300", "2407208"], [0, 0]).map((row) => ({ ...row, trainStep: 40 })),
      }),
      own: true,
    },
    "Chinese mathematics, all wrong": healthyBut({
      reward: flat(0),
      "reward.accuracy_reward": flat(0),
      zero_spread_fraction: flat(1),
    }, {
      completions: group("求x", [
        "设x为2，y为3，则x加y等于6，用Python验证x和y的值",
        "由题意a大于b，所以a减b为正，答案为C选项，即a等于7",
      ], [0, 0]),
    }),
    "random characters whose reward climbs: an untrained model": healthyBut({
      entropy: ramp(4.6, 4.2),
      reward: ramp(0.08, 0.4),
      "reward.accuracy_reward": ramp(0.08, 0.4),
    }, { completions: group("9+2=", ["5[fz5h]kcDz5]-+600L", "m1I/TxyMp25;mzy(~n"], [0.1, 0.2]) }),
    "readable wrong answers": healthyBut({ reward: flat(0), zero_spread_fraction: flat(1) }, {
      completions: group("What is the capital of France?", [
        "The capital is Lyon.",
        "I think that it is Nice.",
        "It must be Lille, or so.",
        "Marseille, of course!",
      ], flat(0, 4)),
    }),
    "formulas and code": {
      completions: group("x?", [
        "Let $x=5$, so \\boxed{169}. def add(a, b): return a+b  # O(1)",
        "x^2+y^2=169 with x=5, y=12 (see eq. 3)",
      ], [0, 1]),
    },
  },
});

Deno.test("garbled_generation cannot tell for a run of ours whose completions are not there", () => {
  const columns = { entropy: ramp(4, 4.1), reward: flat(0), "reward.accuracy_reward": flat(0) };
  const check = (more: object) => DIAGNOSES.garbled_generation.check(viewOf({ ...healthyBut(columns), ...more }));
  const answer = check({ own: true, lacks: ["completions", "settings"] });
  assert(answer !== null && "missing" in answer, JSON.stringify(answer));
  assert.deepEqual(answer.missing, ["the table completions"]);
  assert(answer.because.startsWith("the entropy is 4"), answer.because);
  const foreign = check({});
  assert(foreign !== null && "message" in foreign, "a foreign log keeps the finding, with what would confirm it");
});
