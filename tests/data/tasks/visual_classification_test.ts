import assert from "node:assert/strict";
import { visualClassification } from "../../../data/tasks/visual_classification.ts";
import { allDigits } from "../../../data/tasks/visual/digits.ts";
import { pictureFile, zoomed } from "../../../data/tasks/visual/zoom.ts";
import { testsOfEveryTask } from "./every_task.ts";

const rows = testsOfEveryTask("visual_classification", 10 * 10 * 32 + 130 + 510);
const made = (given: Record<string, unknown>) => visualClassification.rows(visualClassification.params.parse(given));
const of = (split: string, all = rows) => all.filter((row) => row.split === split);
const files = (all: typeof rows) => all.map(({ images }) => images![0]!.join());

Deno.test("visual_classification asks the same of every picture and wants the digit in answer tags, after a thought", () => {
  for (const { prompt, answer, columns, images } of rows) {
    assert.equal(prompt, "What digit is this?");
    assert.equal(answer, `<think>look</think><answer>${columns!["label"]}</answer>`);
    assert.equal(images!.length, 1);
  }
});

Deno.test("visual_classification trains on so many digits of each class, of other writers than those held out", () => {
  for (const split of ["train", "validation", "held_out"]) {
    const writers = new Set(of(split).map(({ columns }) => Number(columns!["writer"])));
    const [low, high] = { train: [0, 8], validation: [9, 9], held_out: [10, 13] }[split]!;
    for (const writer of writers) assert(writer >= low! && writer <= high!, `${split} ${writer}`);
    assert.equal(new Set(of(split).map(({ columns }) => columns!["label"])).size, 10);
  }
  const plain = of("train", made({ shots: 3, augmentations: 0 }));
  assert.deepEqual(
    plain.map(({ columns }) => columns!["label"]),
    [..."0123456789"].flatMap((name) => [name, name, name]),
  );
  assert.equal(new Set(files(plain)).size, 30);
  assert.equal(of("train", made({ shots: 200, augmentations: 0 })).length, 1157, "all that there are");
});

Deno.test("visual_classification shows held-out digits as they are: every one, enlarged seven times", () => {
  const want = allDigits().filter(({ writer }) => writer >= 10);
  assert.deepEqual(of("held_out").map(({ columns }) => columns!["label"]), want.map(({ label }) => label));
  of("held_out").forEach(({ images }, i) => {
    if (i % 50 === 0) assert.deepEqual(images![0], pictureFile(zoomed(want[i]!.ink, 7, 0, 0)));
  });
});

Deno.test("visual_classification scales and shifts: of one digit all 324 pictures, each one that the recipe has", () => {
  const all = of("train", made({ shots: 1, augmentations: 324 })).filter(({ columns }) => columns!["label"] === "4");
  const [plain] = of("train", made({ shots: 1, augmentations: 0 })).filter(({ columns }) => columns!["label"] === "4");
  const digit = allDigits().find(({ ink }) => pictureFile(zoomed(ink, 7, 0, 0)).join() === plain!.images![0]!.join())!;
  const want = new Set<string>();
  for (const part of [0.85, 0.92, 1, 1.08]) {
    for (let down = -4; down <= 4; down++) {
      for (let right = -4; right <= 4; right++) {
        const border = (56 - 8 * 7 * part) / 2;
        want.add(pictureFile(zoomed(digit.ink, 7 * part, border + down, border + right)).join());
      }
    }
  }
  assert.equal(want.size, 324);
  assert.deepEqual(new Set(files(all)), want);
});

Deno.test("visual_classification draws by its seed alone: other digits and jitters for another, held-out ones the same", () => {
  const given = { shots: 2, augmentations: 3 }, [one, other] = [made(given), made({ ...given, seed: 1 })];
  assert.deepEqual(files(made(given)), files(one));
  const [a, b] = [one, other].map((all) => new Set(files(of("train", all))));
  assert([...a!].filter((file) => b!.has(file)).length < 10);
  assert.deepEqual(files(of("held_out", other)), files(of("held_out", one)));
  const few = files(of("train", made({ ...given, augmentations: 2 })));
  assert(few.every((file) => a!.has(file)), "fewer are some of them");
});

Deno.test("visual_classification's difficulty is above a half where a digit looks like another's mean", () => {
  const held = of("held_out"), wrong = held.filter(({ difficulty }) => difficulty > 0.5).length / held.length;
  // The nearest class mean is wrong for some 10 to 20 % of new writers' digits.
  assert(wrong > 0.05 && wrong < 0.25, `${wrong}`);
});

Deno.test("visual_classification wants the digit alone in the last answer tags, or as the whole text", () => {
  const row = { answer: "<think>look</think><answer>7</answer>", label: "7" };
  for (const right of ["<answer>7</answer>", "<think>1</think><answer> 7\n</answer>", "7", " 7 "]) {
    assert.equal(visualClassification.verify(right, row), true, right);
  }
  for (
    const wrong of ["<answer>1</answer>", "<answer></answer>", "<answer>77</answer>", "<answer>7 or 1</answer>", "7."]
  ) {
    assert.equal(visualClassification.verify(wrong, row), false, wrong);
  }
  assert.equal(visualClassification.verify("<answer>7</answer><answer>1</answer>", row), false);
});
