import assert from "node:assert/strict";
import { type ImagesFound, ImageSurvey, type Picture } from "../../../data/preview/image_survey.ts";
import { goldenImage } from "../images/image_goldens.ts";

const USE = {
  step: "load_prompts" as const,
  convention: "prompt, answer",
  options: { prompt_column: "prompt", answer_column: "answer", image_column: ["image"] },
};

Deno.test("ImageSurvey counts images, their sizes and rows that cannot be read, and keeps a sample by hash", () => {
  const survey = new ImageSurvey(2);
  const said = Array.from({ length: 6 }, (_, i) => {
    const image = i === 5 ? goldenImage("moving.gif") : goldenImage(i % 2 === 0 ? "rgb.png" : "turned_6.jpg");
    return survey.add({ image, prompt: `Which ${i}?`, answer: i }, USE, `row ${i + 1}`);
  });
  assert.deepEqual(said.slice(0, 5), [null, null, null, null, null]);
  assert.match(said[5]!, /it is a GIF/);
  const { width, ...found }: ImagesFound = survey.end()!;
  assert.deepEqual([found.images, found.rows, found.unreadable, width.least, width.most], [5, 5, 1, 7, 18]);
  const pictures: readonly Picture[] = survey.pictures;
  assert.equal(pictures.length, 2);
  for (const { place, prompt, answer, images } of pictures) {
    const row = Number(place.split(" ")[1]) - 1;
    assert.deepEqual([prompt, answer, images.length], [`Which ${row}?`, String(row), 1]);
  }
});

Deno.test("ImageSurvey looks into messages, and finds nothing where there is nothing", () => {
  const options = { messages_column: "messages" }, survey = new ImageSurvey();
  const use = { ...USE, options };
  const turn = (content: unknown) => [{ role: "user", content }, { role: "assistant", content: "B" }];
  assert.equal(survey.add({ messages: turn("A") }, use, "row 1"), null);
  assert.equal(survey.end(), null);
  const part = { type: "image_url", image_url: { url: "https://a.b/c.png" } };
  assert.match(survey.add({ messages: turn([part]) }, use, "row 2")!, /is an address, and a run fetches nothing/);
  assert.equal(survey.end()!.unreadable, 1);
});
