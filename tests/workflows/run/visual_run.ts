/** A run of digits in scenes as its folder would be left: images, completions whose boxes get better, two evaluations. @module */
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import { imageId } from "../../../data/images/image_id.ts";
import { promptWithImages } from "../../../data/datasets/prompt_images.ts";
import type { TableName } from "../../../data/columns.ts";
import { isFolder } from "../../../data/file_system.ts";
import { uniform } from "../../../data/random.ts";
import { segmentPath } from "../../../data/run_folder.ts";
import { encodeTable, tableOfRows } from "../../../data/tables/mod.ts";
import { pictureOf } from "../../../notebooks/pictures/picture.ts";
import { fabricateRun, RUN_A } from "../cli/fabricated_run.ts";

type Row = Record<string, unknown>;

/** A written digit of each kind, 8 × 8 pixels from 0 to g (16): optdigits of E. Alpaydin and C. Kaynak, CC BY 4.0. */
const DIGITS = [
  "005d910000dfaf5003f20b8004c008800580098004b01c7002e5ac00006da000",
  "000cd500000bg900003fg60007fgg200001gg300001gg600001gg600000bga00",
  "0004fc00003gfe00008d8g000016fb00018df10009gg500003dggb500003bg90",
  "007fd10008d6f400021dd000002fb1000001cc1000001a8000845e90007dd900",
  "0001b00000078000001d6220007f098005ga0g6004fgdg100003fa000002g400",
  "00ca000000egge0000dgfa1000bgg70000047g7000004g900054cg40009gga00",
  "000cd000005g800000dg300000ed000000fc720000dgdg30007gbf800019fb30",
  "0078dgf100774bc000008d100488ff6002bff400000g5000009f100000d50000",
  "009e810000ceec00009a0f40003gce20004gg20003g8ad2001f13g8000bgfb10",
  "00bc000002gggd0003gcae0001g1cf0000dg9f20000309b000009f40009cd300",
];

/** A grey PNG, 8 bits a pixel. */
export function greyPng(width: number, height: number, pixel: (x: number, y: number) => number): Uint8Array {
  const rows = Uint8Array.from(
    { length: height * (width + 1) },
    (_, i) => i % (width + 1) === 0 ? 0 : pixel(i % (width + 1) - 1, Math.floor(i / (width + 1))),
  );
  const header = new Uint8Array(13), view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header[8] = 8;
  const chunk = (name: string, data: Uint8Array) => {
    const out = new Uint8Array(data.length + 12), at = new DataView(out.buffer);
    at.setUint32(0, data.length);
    out.set(new TextEncoder().encode(name), 4);
    out.set(data, 8);
    at.setUint32(8 + data.length, crc32(out.subarray(4, 8 + data.length)));
    return out;
  };
  const parts = [chunk("IHDR", header), chunk("IDAT", deflateSync(rows)), chunk("IEND", new Uint8Array())];
  return Uint8Array.from([137, 80, 78, 71, 13, 10, 26, 10, ...parts.flatMap((part) => [...part])]);
}

interface Scene {
  readonly png: Uint8Array;
  readonly id: string;
  readonly digit: number;
  /** Thousandths. */
  readonly boxes: readonly (readonly number[])[];
}

/** Pixels of a scene's side, of a digit's, and thousandths of a pixel. */
const SIDE = 56, WIDE = 20, THOUSANDTHS = 1000 / SIDE;

/** A scene of one digit, or of two that are alike side by side. */
export function scene(number: number): Scene {
  const draw = (index: number) => uniform(7, "scenes", 0, number, index);
  const digit = number % 10,
    places = draw(0) < 0.7 ? [[draw(1) * 36, draw(2) * 36]] : [[draw(1) * 14, draw(2) * 36], [
      34 + draw(3) * 2,
      draw(4) * 36,
    ]];
  const corners = places.map((at) => at.map(Math.floor) as [number, number]);
  const pixel = (x: number, y: number) =>
    Math.max(
      ...corners.map(([left, top]) => {
        const [u, v] = [Math.floor((x - left) * 8 / WIDE), Math.floor((y - top) * 8 / WIDE)];
        return u < 0 || v < 0 || u > 7 || v > 7 ? 0 : 255 * parseInt(DIGITS[digit]![8 * v + u]!, 17) / 16;
      }),
    );
  const png = greyPng(SIDE, SIDE, pixel);
  const boxes = corners.map(([left, top]) =>
    [left + 2, top, left + WIDE - 2, top + WIDE].map((value) => Math.round(value * THOUSANDTHS / 20) * 20)
  );
  return { png, id: imageId(png, { width: SIDE, height: SIDE, format: "png" }), digit, boxes };
}

/** An answer in the form of Visual-RFT. */
export const said = (boxes: readonly (readonly number[])[], confidence: (i: number) => number = () => 1) =>
  `<answer>[${
    boxes.map((box, i) => `{'Position': [${box.join(", ")}], 'Confidence': ${confidence(i)}}`).join(", ")
  }]</answer>`;

/** What a policy answers that misses by `error` thousandths; sometimes nothing that can be read. */
function guess({ boxes }: Scene, error: number, row: number): string {
  const draw = (i: number) => uniform(9, "guesses", error, row, i);
  if (draw(0) < error / 2000) return "<answer>[{'Position': [380, 40, ";
  const near = boxes.map((box, b) =>
    box.map((value, i) =>
      Math.max(0, Math.min(1000, Math.round((value + (draw(1 + 4 * b + i) - 0.5) * 2 * error) / 20) * 20))
    )
  );
  return said(near, (i) => Math.round(10 * (1 - error / 600 * draw(20 + i))) / 10);
}

/** Writes `<runs>/<id>` with `steps` train steps. Returns its path. */
export function visualRun(runs: string, id = RUN_A, steps = 12): string {
  const folder = fabricateRun(runs, id, {
    name: "visual_detection",
    about: "Finds digits in scenes.",
    train_step: steps,
  });
  const scenes = Array.from({ length: 40 }, (_, i) => scene(i));
  Deno.mkdirSync(join(folder, "images"), { recursive: true });
  for (const { id, png } of scenes) Deno.writeFileSync(join(folder, "images", id), png);
  const asked = ({ id, digit, boxes }: Scene) => ({
    prompt: promptWithImages(`Find all ${digit}s.`, [id]),
    answer: said(boxes),
  });
  const judged = (row: Row): Row => {
    const { boxes } = pictureOf(row, "thousandths")!, iou = boxes!.iou;
    return { ...row, correct: iou > 0.5 && boxes!.said.every((one) => one.iou > 0.5), iou };
  };
  const completions = Array.from({ length: steps }, (_, step) =>
    Array.from({ length: 32 }, (_, i) => {
      const prompt_id = (4 * step + Math.floor(i / 8)) % scenes.length, of = scenes[prompt_id]!;
      const text = guess(of, 360 - 280 * step / steps, 1000 * step + i);
      const { iou, ...row } = judged({ train_step: step + 1, prompt_id, sample: i % 8, ...asked(of), text });
      const reward = Number(iou) + 0.5;
      return {
        ...row,
        truncated: !text.endsWith("</answer>"),
        completion_tokens: 14,
        "reward.visual/iou": iou,
        "reward.visual/confidence": 0.5,
        reward,
        advantage: reward - 1,
      };
    })).flat();
  const evaluations = [["before", 1, 320], ["after", steps, 90]].flatMap(([step_id, train_step, error]) =>
    scenes.map((of, i) => {
      const { iou: _, ...row } = judged({
        train_step,
        step_id,
        mode: "greedy",
        prompt_id: i,
        ...asked(of),
        text: guess(of, Number(error), i),
      });
      return { ...row, truncated: false };
    })
  );
  const metrics = Array.from(
    { length: steps },
    (_, i) => ({
      train_step: i + 1,
      phase: "rollout",
      step_id: "update",
      reward: i / steps,
      entropy: 1 - i / 20,
      loss: 0.1,
    }),
  );
  const tables = { metrics, completions, evaluations } satisfies Partial<Record<TableName, readonly Row[]>>;
  for (const name of Object.keys(tables) as (keyof typeof tables)[]) {
    const path = join(folder, segmentPath(name, 1, 2), "..");
    if (isFolder(path)) Deno.removeSync(path, { recursive: true }); // rows of another run
  }
  for (const [name, rows] of Object.entries(tables) as [TableName, Row[]][]) {
    const path = join(folder, segmentPath(name, 1, steps));
    Deno.mkdirSync(join(path, ".."), { recursive: true });
    Deno.writeFileSync(path, encodeTable(name, tableOfRows(name, rows)));
  }
  return folder;
}
