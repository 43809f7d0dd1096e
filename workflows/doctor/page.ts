/** The doctor's report as one HTML page with charts. @module */
import { independentFindings, plainEffects } from "../../steps/diagnoses/differential/alternatives.ts";
import { type DoctorPageRun, renderDoctorPage } from "../../notebooks/pages/doctor.ts";
import {
  changeLines,
  decisiveSeries,
  type Examined,
  otherReasons,
  recordsText,
  SHOWN_FINDINGS,
  systemText,
  usualSeries,
  VERDICT_WORDS,
  withinPath,
} from "./examined.ts";
import { headline } from "./headline.ts";
import { confirmation, possibleCauses } from "./possible.ts";

/** Renders all runs to one page. */
export function doctorPage(examined: readonly Examined[], all: boolean): Promise<string> {
  return renderDoctorPage(examined.map((e) => pageRun(e, all)));
}

function pageRun(examined: Examined, all: boolean): DoctorPageRun {
  const { diagnosis } = examined;
  const findings = all ? diagnosis.findings : independentFindings(diagnosis).slice(0, SHOWN_FINDINGS);
  const confirm = confirmation(examined),
    others = possibleCauses(examined, all),
    said = diagnosis.verdict === "benign" ? "" : headline(examined);
  const first = diagnosis.findings[0];
  const mark = diagnosis.verdict === "faulty" ? first?.train_steps[0] ?? null : null;
  const series = first ? decisiveSeries(examined, first) : [];
  const usual = usualSeries(examined).filter((s) => !series.includes(s));
  return {
    path: examined.path + (examined.part ? ` (run ${examined.part})` : ""),
    system: systemText(examined),
    verdict: VERDICT_WORDS[diagnosis.verdict],
    headline: said,
    reasons: otherReasons(examined).filter((reason) => !said.includes(reason)),
    missing: diagnosis.missing,
    findings: findings.map((f) => ({
      ...f,
      evidence: f.evidence.map((e) => ({ ...e, source: e.source === null ? null : withinPath(examined, e.source) })),
    })),
    possible: [...(confirm === null ? [] : [{ ...confirm, isFirst: true }]), ...others]
      .map((entry) => ({ ...entry, why: withinPath(examined, entry.why) })),
    follows: plainEffects(diagnosis).map(({ cause }) => cause),
    changes: first ? changeLines(first) : [],
    series: [...series, ...usual].slice(0, 4).map((s) => ({ ...s, mark })),
    reading: [recordsText(examined), ...examined.reading.map((line) => withinPath(examined, line))],
  };
}
