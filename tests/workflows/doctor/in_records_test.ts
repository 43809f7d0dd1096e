import assert from "node:assert/strict";
import { diagnosisInRecords, inRecords } from "../../../workflows/doctor/in_records.ts";
import { examine } from "../../../workflows/doctor/examine.ts";
import { headline } from "../../../workflows/doctor/headline.ts";
import { terminalReport } from "../../../workflows/doctor/terminal_report.ts";
import { oneExamined, oneFinding } from "./one_examined.ts";

const PLAIN = { style: (text: string) => text, columns: 400 };

Deno.test("inRecords() changes the words beside a number, and the first and last, nothing else", () => {
  for (
    const [text, want] of [
      ["Nothing rises since train step 57 (30 % of the run)", "Nothing rises since record 57 (30 % of the run)"],
      ["Train step 5 is NaN, train steps 7 to 9 are not", "Record 5 is NaN, records 7 to 9 are not"],
      ["it halves every 40 train steps", "it halves every 40 records"],
      ["3 of 60 train steps take more", "3 of 60 records take more"],
      ["one in 1 train step", "one in 1 record"],
      ["far from 0 in the first train step", "far from 0 in the first record"],
      ["A train step takes 500 ms", "A train step takes 500 ms"],
      ["68 % of the train steps", "68 % of the train steps"],
      ["more train steps", "more train steps"],
    ] as const
  ) assert.equal(inRecords(text), want);
});

Deno.test("diagnosisInRecords() leaves what is to be done, and every number", () => {
  const finding = oneFinding({
    message: "NaN at train step 3",
    hint: "Repeat 50 train steps",
    ruled_out: [{ cause: "nan_loss", why: "finite at train step 2" }],
  });
  const { diagnosis } = oneExamined();
  const said = diagnosisInRecords({ ...diagnosis, findings: [finding], reasons: ["nan_loss: NaN at train step 3"] });
  assert.deepEqual(said.findings, [{
    ...finding,
    message: "NaN at record 3",
    ruled_out: [{ cause: "nan_loss", why: "finite at record 2" }],
  }]);
  assert.deepEqual(said.reasons, ["nan_loss: NaN at record 3"]);
});

Deno.test("a report of a log that tells no train steps speaks of records, of one that does of train steps", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const lines = Array.from(
      { length: 40 },
      (_, i) =>
        `{'loss': ${i < 30 ? "0.1" : "nan"}, 'grad_norm': ${i < 30 ? "1.5" : "nan"}, 'reward': 0.5, 'epoch': ${
          (i + 1) / 50
        }}`,
    );
    await Deno.writeTextFile(`${folder}/log.txt`, lines.join("\n") + "\n");
    const report = async () => {
      const [examined] = await examine([folder]);
      const text = [headline(examined!), ...terminalReport(examined!, PLAIN, true)].join("\n");
      return text.replaceAll(/A train step|one train step/g, "");
    };
    const counted = await report();
    assert.match(counted, /record 31/);
    assert.doesNotMatch(counted, /train step \d|\d train step|(first|last) train step/i);
    await Deno.writeTextFile(`${folder}/args.yaml`, "logging_steps: 5\n");
    const known = await report();
    assert.match(known, /train step 155/);
    assert.doesNotMatch(known, /record 31/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
