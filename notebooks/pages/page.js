// What a page does in the browser: hover shows the row of a train step in all charts, a drag zooms all of them, a click
// shows the completions of that train step; smoothing and a logarithmic scale. Vega is started when it is first needed.
(() => {
  const element = (/** @type {string} */ id) => document.getElementById(id);
  const holder = element("page-data");
  if (!holder) return;
  /** @type {any} */
  let data = JSON.parse(holder.textContent ?? "{}");
  const palette = JSON.parse(element("page-palette")?.textContent ?? "{}");
  const state = { range: /** @type {[number, number] | null} */ (null), smooth: 4, log: false, step: 0 };
  const dirty = new Set(), visible = new Set();
  /** @type {any} */
  let vega = null;

  const number = (/** @type {unknown} */ x) => {
    if (x === null || x === undefined) return "–";
    if (typeof x !== "number") return String(x);
    if (Number.isInteger(x)) return String(x);
    if (Math.abs(x) < 1e-12) return "0"; // what float64 leaves of a sum that is 0
    return Math.abs(x) >= 1e5 || Math.abs(x) < 1e-3 ? x.toExponential(2) : String(Number(x.toPrecision(4)));
  };

  /** The rows of a chart within the train steps that are shown. */
  function rowsOf(chart) {
    const inRange = (step) => !state.range || (step >= state.range[0] && step <= state.range[1]);
    if (chart.values) return chart.values.filter((row) => row.train_step === undefined || inRange(row.train_step));
    const { train_step: steps, phase } = data.columns;
    const columns = chart.columns.filter((name) => name !== "train_step");
    const rows = [];
    for (let i = 0; i < steps.length; i++) {
      if (!inRange(steps[i])) continue;
      const row = { train_step: steps[i], phase: phase[i] };
      let any = false;
      for (const name of columns) {
        const value = data.columns[name][i];
        if (value === null) continue;
        row[name] = value === "NaN" ? null : value;
        any = true;
      }
      if (any) rows.push(row);
    }
    return rows;
  }

  const figureOf = (chart) => element(`chart-${chart.name}`);

  /** Places of the drawing in the window, with the train steps that each goes over. */
  function cellsOf(chart) {
    const svg = figureOf(chart)?.querySelector("svg");
    if (!svg || !chart.stepped) return [];
    const rows = rowsOf(chart), phases = [...new Set(rows.map((row) => row.phase))];
    const found = [...svg.querySelectorAll("g.role-scope.cell > g > path.background")];
    const boxes = found.length
      ? found
      : [...svg.querySelectorAll("g.role-frame.root > g > path.background")].slice(0, 1);
    return boxes.map((box, i) => {
      const own = found.length ? rows.filter((row) => row.phase === phases[i]) : rows;
      const first = own.reduce((a, row) => Math.min(a, row.from ?? row.train_step), Infinity);
      const last = own.reduce((a, row) => Math.max(a, row.to ?? row.train_step), -Infinity);
      return { rect: box.getBoundingClientRect(), first, last, rows: own };
    });
  }

  function placeAt(chart, x, y) {
    for (const cell of cellsOf(chart)) {
      const { left, right, top, bottom, width } = cell.rect;
      if (x < left - 2 || x > right + 2 || y < top || y > bottom) continue;
      const at = cell.first + Math.min(1, Math.max(0, (x - left) / width)) * (cell.last - cell.first);
      return { cell, at };
    }
    return null;
  }

  const nearest = (rows, at) =>
    rows.reduce(
      (best, row) => best === null || Math.abs(row.train_step - at) < Math.abs(best.train_step - at) ? row : best,
      null,
    );

  /** A line at one train step in every chart, and beside the mouse the row of the chart it is over. */
  function point(step, chart, x, y) {
    state.step = step;
    for (const other of data.charts) {
      const figure = figureOf(other);
      if (!figure) continue;
      const line = figure.querySelector(".crosshair") ??
        figure.appendChild(Object.assign(document.createElement("i"), { className: "crosshair" }));
      const cell = visible.has(other.name)
        ? cellsOf(other).find(({ first, last }) => step >= first && step <= last)
        : null;
      line.hidden = !cell;
      if (!cell) continue;
      const outer = figure.getBoundingClientRect();
      const share = cell.last > cell.first ? (step - cell.first) / (cell.last - cell.first) : 0;
      line.style.left = `${cell.rect.left - outer.left + share * cell.rect.width}px`;
      line.style.top = `${cell.rect.top - outer.top}px`;
      line.style.height = `${cell.rect.height}px`;
    }
    const tip = element("tip");
    if (!tip) return;
    const row = chart && nearest(rowsOf(chart).filter((row) => row.train_step !== undefined), step);
    tip.hidden = !row;
    if (!row) return;
    const all = chart.values ? rowsOf(chart).filter((other) => other.train_step === row.train_step) : [row];
    const lines = all.slice(0, 12).flatMap((one) =>
      Object.entries(one).filter(([name]) => !["train_step", "phase", "from", "to", "label", "rank"].includes(name))
        .map((
          [name, value],
        ) => [one.label ? `${one.label}${name === "value" ? "" : ` ${name}`}` : name, number(value ?? NaN)])
    ).slice(0, 14);
    tip.replaceChildren(
      Object.assign(document.createElement("b"), { textContent: `train step ${row.train_step}` }),
      ...lines.map(([name, value]) =>
        Object.assign(document.createElement("div"), { textContent: `${name}  ${value}` })
      ),
    );
    const width = tip.offsetWidth, height = tip.offsetHeight;
    tip.style.left = `${Math.max(4, x + 16 + width > innerWidth ? x - width - 16 : x + 16)}px`;
    tip.style.top = `${Math.max(4, Math.min(y + 12, innerHeight - height - 8))}px`;
  }

  function hide() {
    for (const line of document.querySelectorAll(".crosshair")) /** @type {HTMLElement} */ (line).hidden = true;
    const tip = element("tip");
    if (tip) tip.hidden = true;
  }

  /** The completions of the train step, or of the one before it that has some. */
  function showCompletions(step, moves) {
    const body = element("step-completions");
    if (!body || !data.completions.length) return;
    const steps = [...new Set(data.completions.map((row) => row.train_step))];
    const chosen = steps.reduce((best, one) => Math.abs(one - step) < Math.abs(best - step) ? one : best, steps[0]);
    const rows = data.completions.filter((row) => row.train_step === chosen);
    const title = element("step-title");
    if (title) {
      title.textContent = `Train step ${chosen}${chosen === step ? "" : `, the nearest to ${step} that is kept`}`;
    }
    body.replaceChildren(...rows.map((row) => {
      const tr = document.createElement("tr");
      tr.className = row.correct === true ? "right" : row.correct === false ? "wrong" : "";
      for (
        const [name, kind] of [["prompt", "code"], ["text", "code"], ["reward", ""], ["advantage", ""], [
          "completion_tokens",
          "",
        ]]
      ) {
        const td = tr.appendChild(document.createElement("td"));
        if (kind) td.appendChild(document.createElement("code")).textContent = String(row[name] ?? "");
        else Object.assign(td, { className: "number", textContent: number(row[name]) });
      }
      return tr;
    }));
    if (moves) element("completions")?.scrollIntoView({ behavior: "smooth", block: "nearest" });
  }

  function runtime() {
    if (vega) return vega;
    const script = document.createElement("script");
    script.textContent = element("vega-runtime")?.textContent ?? "";
    document.head.append(script);
    return vega = /** @type {any} */ (globalThis).vega;
  }

  /** Every object of a specification, its groups' too. */
  function* parts(spec) {
    if (Array.isArray(spec)) { for (const one of spec) yield* parts(one); }
    else if (spec && typeof spec === "object") {
      yield spec;
      for (const value of Object.values(spec)) yield* parts(value);
    }
  }

  async function draw(chart) {
    const figure = figureOf(chart), rows = rowsOf(chart);
    const old = figure?.querySelector("svg");
    if (!figure || !old) return;
    if (!rows.length) {
      old.style.opacity = "0.15";
      return;
    }
    const phases = new Set(rows.map((row) => row.phase));
    const spec = structuredClone(chart.phased && phases.size > 1 ? chart.phased : chart.plain);
    spec.data.find(({ name }) => name.startsWith("source_")).values = rows;
    for (const part of parts(spec)) {
      if (part.type === "window" && part.ops?.includes("median")) part.frame = [-state.smooth, state.smooth];
      if (state.log && part.name?.endsWith("y") && part.type === "linear" && part.range) {
        part.type = "symlog";
        part.constant = 0.01;
        delete part.zero;
      }
    }
    if (chart.clicked) return live(old, spec);
    const view = new (runtime().View)(runtime().parse(spec), { renderer: "none" });
    let svg = await view.toSVG();
    view.finalize();
    svg = svg.replaceAll('id="', `id="${chart.name}_`).replaceAll("url(#", `url(#${chart.name}_`)
      .replace(/<text [^>]*opacity="0"[^>]*>[^<]*<\/text>/g, "")
      .replace(/<svg ([^>]*?)width="(\d+)" height="(\d+)"/, '<svg $1width="100%"');
    for (const [name, color] of Object.entries(palette)) svg = svg.replaceAll(color, `var(--${name})`);
    const made = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    old.replaceWith(document.importNode(made, true));
  }

  /** A view that hears clicks; its colours are those of the page as it is now. */
  function live(old, spec) {
    const style = getComputedStyle(document.documentElement);
    let text = JSON.stringify(spec);
    for (const [name, color] of Object.entries(palette)) {
      text = text.replaceAll(color, style.getPropertyValue(`--${name}`));
    }
    const container = document.createElement("div");
    container.className = "live";
    old.replaceWith(container);
    return new (runtime().View)(runtime().parse(JSON.parse(text)), { renderer: "svg", container, hover: true })
      .runAsync();
  }

  async function drawVisible() {
    for (const chart of data.charts) {
      if (!dirty.has(chart.name) || !visible.has(chart.name)) continue;
      dirty.delete(chart.name);
      await draw(chart).catch((error) => console.error(chart.name, error)); // its picture stays
    }
    document.body.dataset.drawn = String(Number(document.body.dataset.drawn ?? 0) + 1);
  }

  function redraw() {
    hide();
    for (const chart of data.charts) if (chart.stepped) dirty.add(chart.name);
    const reset = /** @type {HTMLButtonElement | null} */ (element("reset"));
    if (reset) reset.disabled = state.range === null;
    const range = element("range");
    if (range) {
      range.textContent = state.range ? `train steps ${state.range[0]} to ${state.range[1]}` : "all train steps";
    }
    return drawVisible();
  }

  function zoom(range) {
    state.range = range;
    return redraw();
  }

  const steps = () => data.columns.train_step;

  /** Drag and click on one chart. */
  function listen(chart) {
    const figure = figureOf(chart);
    if (figure && chart.clicked) dirty.add(chart.name);
    if (!figure || !chart.stepped) return;
    figure.tabIndex = 0;
    let from = null, frame = 0;
    const brush = Object.assign(document.createElement("i"), { className: "brush", hidden: true });
    figure.append(brush);
    figure.addEventListener("pointermove", (event) => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        const place = placeAt(chart, event.clientX, event.clientY);
        if (!place) return hide();
        point(nearest(place.cell.rows, place.at)?.train_step, chart, event.clientX, event.clientY);
        if (!from) return;
        const outer = figure.getBoundingClientRect(), { rect } = place.cell;
        const [a, b] = [from.x, event.clientX].sort((one, other) => one - other);
        brush.hidden = b - a < 5;
        Object.assign(brush.style, {
          left: `${a - outer.left}px`,
          width: `${b - a}px`,
          top: `${rect.top - outer.top}px`,
          height: `${rect.height}px`,
        });
      });
    });
    figure.addEventListener("pointerleave", hide);
    figure.addEventListener("pointerdown", (event) => {
      const place = placeAt(chart, event.clientX, event.clientY);
      if (!place || event.button) return;
      from = { x: event.clientX, at: place.at };
      event.preventDefault();
      figure.focus({ preventScroll: true });
    });
    figure.addEventListener("pointerup", (event) => {
      const place = placeAt(chart, event.clientX, event.clientY), began = from;
      from = null;
      brush.hidden = true;
      if (!began || !place) return;
      if (Math.abs(event.clientX - began.x) < 5) showCompletions(nearest(place.cell.rows, place.at)?.train_step, true);
      else {
        const [a, b] = [began.at, place.at].sort((one, other) => one - other);
        zoom([Math.ceil(a), Math.floor(b)]);
      }
    });
    figure.addEventListener("keydown", (event) => {
      const rows = rowsOf(chart).filter((row) => row.train_step !== undefined);
      const index = Math.max(0, rows.findIndex((row) => row.train_step >= state.step));
      const by = { ArrowRight: 1, ArrowLeft: -1, PageDown: 10, PageUp: -10 }[event.key];
      if (by && rows.length) {
        const row = rows[Math.min(rows.length - 1, Math.max(0, index + by))], rect = figure.getBoundingClientRect();
        point(row.train_step, chart, rect.left + rect.width / 2, rect.top + 40);
      } else if (event.key === "Enter") showCompletions(state.step, true);
      else if (event.key === "Escape") zoom(null);
      else return;
      event.preventDefault();
    });
  }

  const watcher = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const name = target.id.slice("chart-".length);
      if (isIntersecting) visible.add(name);
      else visible.delete(name);
    }
    drawVisible();
  }, { rootMargin: "200px" });
  for (const chart of data.charts) {
    listen(chart);
    const figure = figureOf(chart);
    if (figure) watcher.observe(figure);
  }
  const smooth = /** @type {HTMLInputElement | null} */ (element("smooth"));
  smooth?.addEventListener("input", () => {
    state.smooth = Number(smooth.value);
    redraw();
  });
  const log = /** @type {HTMLInputElement | null} */ (element("log"));
  log?.addEventListener("change", () => {
    state.log = log.checked;
    redraw();
  });
  element("reset")?.addEventListener("click", () => zoom(null));
  addEventListener("beforeprint", () => {
    for (const { name } of data.charts) visible.add(name);
    drawVisible();
  });
  if (steps().length) showCompletions(steps()[steps().length - 1], false);
  element("controls")?.removeAttribute("hidden");
  /** A live page hands over newer rows. */
  /** @type {any} */ (globalThis).nonzero = {
    state,
    zoom,
    update: (newer) => {
      data = { ...data, ...newer };
      for (const chart of data.charts) if (newer.values?.[chart.name]) chart.values = newer.values[chart.name];
      return redraw();
    },
  };
})();
