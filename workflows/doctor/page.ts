/** The doctor's report as one HTML page with charts. @module */
import { renderDoctorPage } from "../../notebooks/pages/doctor.ts";
import type { Examined } from "./examined.ts";
import { pageRun } from "./page_run.ts";

/** Renders all runs to one page. */
export function doctorPage(examined: readonly Examined[], all: boolean): Promise<string> {
  return renderDoctorPage(examined.map((e) => pageRun(e, all)));
}
