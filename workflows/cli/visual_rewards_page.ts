/** The page docs/visual_rewards.md: what the rewards of pictures read, and each difference from Visual-RFT's. @module */
import { MOST_BOXES } from "../../data/boxes/read_boxes.ts";
import { REWARDS } from "../../steps/rewards/mod.ts";
import { VISUAL_REWARD_CASES, type VisualRewardCase } from "./visual_reward_cases.ts";

/** Characters of a completion in a cell. */
const SHOWN = 110;

const INTRODUCTION = `# Rewards of pictures

\`\`\`yaml
rewards: # of score_rewards
  - { uses: visual/iou, with: { matching: hungarian } }
  - { uses: visual/confidence, weight: 0.5 }
  - { uses: visual/format }
\`\`\`

Each has two forms. The sound one is the default; \`compat: true\` computes what Visual-RFT's program computes, mistakes included, and reads no other option. Rewards of a run of that program are comparable with the second only.

## What is judged

What stands in the last \`<answer>…</answer>\`, line ends and all; without such tags what follows \`</think>\`, or the whole completion. An answer that is opened and not closed is none. Boxes are read in these forms, in either quotes, as JSON or as Python prints it, in a fence or with words around the list:

| form | of |
| --- | --- |
| \`[{'Position': [x1, y1, x2, y2], 'Confidence': 0.9}]\` | Visual-RFT; also \`bbox\`, \`box\`, \`box_2d\`, \`score\` |
| \`[{"bbox_2d": [x1, y1, x2, y2], "label": "cat"}]\` | Qwen2.5-VL |
| \`<\\|box_start\\|>(x1,y1),(x2,y2)<\\|box_end\\|>\`, \`(x1,y1),(x2,y2)\` | Qwen2-VL |
| \`[x1, y1, x2, y2]\`, \`[[x1, y1, x2, y2], …]\` | plain lists |
| \`No Objects\`, \`[]\` | none |

A completion that is none of these earns 0 from rewards that read boxes: malformed JSON, a coordinate that is missing, NaN or infinite, lists more than 8 deep, more than ${MOST_BOXES} boxes, digits of other scripts. A box outside the image is compared as it stands. One with swapped or equal corners covers nothing: it is a wrong box. Time grows in proportion to the completion's length; 10⁶ characters or 10⁵ boxes take less than a second. With \`compat: true\` Math-Verify's shortcut is off for texts of more than 10,000 characters, where that program gives up by its clock. Two more differences from the program remain there: Math-Verify parses formulas and compares their values, also of those with letters (\`x + 1\` is \`1 + x\`), where formulas with letters are compared as texts here; and 64 boxes or more of which one has the confidence NaN may choose their true boxes in another order than Python's sort leaves them in.

Coordinates are thousandths of the image's width and height, in completions and in answers, unless \`box_unit: pixels\` (completions) or \`answer_unit: pixels\` says otherwise; where they differ, boxes of completions are converted by the size in the id of the prompt's image. Pixels are those of the image as it is seen, its orientation applied. Qwen2.5-VL counts those of the resized one: the same where both sides are multiples of 28 and their product lies within the processor's limits.

An answer in the column \`answer\` that cannot be read, or has a box that covers nothing, stops the run with its prompt's number: it would be a reward that is 0 for ever. An empty one gives no reward (null).

**In both forms a wrong box with confidence 0 earns 1 from \`visual/confidence\`**: give it less weight than \`visual/iou\`, or none where boxes are rare. Its best confidence is 0 or 1, never in between: it is linear.

`;

/** The page as Markdown. */
export function visualRewardsPage(): string {
  const names = [...new Set(VISUAL_REWARD_CASES.map(({ reward }) => reward))];
  return INTRODUCTION + ["## Case by case", "", ...names.flatMap((name) => sectionOf(name))].join("\n");
}

function sectionOf(name: VisualRewardCase["reward"]): string[] {
  const cases = VISUAL_REWARD_CASES.filter(({ reward }) => reward === name);
  const [{ answer }] = cases as [VisualRewardCase];
  const rows = cases.map(({ what, completion, answer: own, sound, compat, why }) =>
    `| ${what}${own === answer ? "" : ` (answer ${code(own)})`} | ${code(completion)} | ${sound} | ${compat} | ${why} |`
  );
  return [
    `### \`${name}\``,
    "",
    `${REWARDS[name].about}.`,
    ...(answer === "" ? [] : ["", `Answer, unless another is named: ${code(answer)}`]),
    "",
    "| case | completion | reward | with `compat: true` | why |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
    "",
  ];
}

/** A text in one line of code; line ends as ⏎, what is long cut in the middle. */
function code(text: string): string {
  const line = text.replaceAll("\n", "⏎").replaceAll("|", "\\|");
  const shown = line.length > SHOWN ? `${line.slice(0, SHOWN / 2)} … ${line.slice(-SHOWN / 2)}` : line;
  return shown.includes("`") ? `\`\`\`\` ${shown} \`\`\`\`` : `\`${shown}\``;
}
