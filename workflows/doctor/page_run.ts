/** What a page shows of one run, in plain data. @module */
import { told } from "./told.ts";
import type { Evidence } from "../../steps/diagnoses/view/evidence.ts";
import type { DoctorPageRun } from "../../notebooks/pages/doctor.ts";
import {
  byHandText,
  decisiveSeries,
  type Examined,
  onsetOf,
  recordsText,
  type Series,
  systemText,
  usualSeries,
  VERDICT_WORDS,
  withinPath,
} from "./examined.ts";
import { followsTexts } from "./follows.ts";
import { headline, reasonsBeside } from "./headline.ts";
import { endsText } from "./series_lines.ts";
import { pastedBlocks } from "./pasted.ts";
import { plainFigures } from "./plain_figures.ts";
import { listedCauses, probabilityOf, ruledOut } from "./possible.ts";

const SHOWN_SERIES = 4; // Drawings of one run.

/** With `all` every finding and every cause that the evidence leaves possible. */
export function pageRun(examined: Examined, all: boolean): DoctorPageRun {
  const { diagnosis } = examined, { findings, more } = told(diagnosis, all);
  const said = diagnosis.verdict === "benign" ? "" : headline(examined);
  const first = diagnosis.findings[0], counts = examined.counts === undefined ? {} : { counts: examined.counts };
  const mark = diagnosis.verdict === "faulty" && first !== undefined ? onsetOf(first) : null;
  const decisive = first ? decisiveSeries(examined, first) : [];
  const usual = usualSeries(examined).filter((s) => !decisive.includes(s));
  const drawn = (series: Series) => ({ ...series, ends: endsText(series), mark });
  const placed = (row: Evidence) => ({
    ...row,
    source: row.source === null ? null : withinPath(examined, row.source),
  });
  return {
    path: examined.path + (examined.part ? ` (run ${examined.part})` : ""),
    system: systemText(examined),
    verdict: VERDICT_WORDS[diagnosis.verdict],
    ...counts,
    headline: said,
    reasons: reasonsBeside(examined, said),
    missing: diagnosis.missing,
    ...examined.proof === undefined ? {} : { proof: examined.proof },
    ...examined.pointed === undefined ? {} : { pointed: examined.pointed.map(placed) },
    findings: findings.map((f) => ({
      ...counts,
      ...f,
      message: plainFigures(f.message),
      ruled_out: ruledOut(examined, f, all),
      probability: probabilityOf(examined, f),
      evidence: f.evidence.map(placed),
    })),
    possible: listedCauses(examined, all).map((entry) => ({ ...entry, why: withinPath(examined, entry.why) })),
    follows: followsTexts(examined, all, Infinity),
    more,
    changes: first ? pastedBlocks(first) : [],
    byHand: first ? byHandText(first) : null,
    decisive: decisive.map(drawn),
    usual: usual.slice(0, Math.max(SHOWN_SERIES - decisive.length, 2)).map(drawn),
    reading: [recordsText(examined), ...examined.reading.map((line) => withinPath(examined, line))],
  };
}
