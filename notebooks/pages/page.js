// What a page does in the browser: hover shows the row of a train step in all charts, a drag zooms all of them, a click
// shows the completions of that train step; smoothing and a logarithmic scale.
(() => {
  const element = (/** @type {string} */ id) => document.getElementById(id);
  const holder = element("page-data");
  if (!holder) return;
  /** @type {any} */
  let data = JSON.parse(holder.textContent ?? "{}");
  const state = { range: /** @type {[number, number] | null} */ (null), smooth: 4, asked: false, log: false, step: 0 };
  const dirty = new Set(), visible = new Set();
  const { number, showCompletions, room, NARROW, redrawn } = /** @type {any} */ (globalThis).nonzeroPage;
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

  async function drawVisible() {
    for (const chart of data.charts) {
      if (!dirty.has(chart.name) || !visible.has(chart.name)) continue;
      dirty.delete(chart.name);
      const figure = figureOf(chart);
      if (figure) await redrawn(chart, figure, rowsOf(chart), state).catch((error) => console.error(chart.name, error)); // its picture stays
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

  /** The train steps around one, `scale` times as many as are shown; null for all. */
  function around(shown, step, scale) {
    const [first, last] = state.range ?? [shown[0].train_step, shown[shown.length - 1].train_step];
    const half = Math.max(1, (last - first) * scale / 2), from = Math.floor(step - half), to = Math.ceil(step + half);
    const all = data.charts.filter((chart) => chart.stepped).flatMap(stepsOf);
    const [least, most] = all.reduce(([a, b], one) => [Math.min(a, one), Math.max(b, one)], [Infinity, -Infinity]);
    return to - from >= most - least ? null : [Math.max(from, least), Math.min(to, most)];
  }

  const stepsOf = (chart) =>
    chart.values ? chart.values.flatMap((row) => row.train_step ?? []) : data.columns.train_step;

  /** Drag and click on one chart. */
  function listen(chart) {
    const figure = figureOf(chart);
    if (figure && chart.clicked) dirty.add(chart.name);
    if (!figure || !chart.stepped) return;
    figure.tabIndex = 0;
    let from = null, frame = 0;
    const stop = () => {
      from = null;
      brush.hidden = true;
    };
    /** Where a drag that began in a panel is now: its sides are the ends. */
    const dragged = ({ cell }, x) => {
      const { left, right, width } = cell.rect, within = Math.min(right, Math.max(left, x));
      return { x: within, at: cell.first + (width ? (within - left) / width : 0) * (cell.last - cell.first) };
    };
    const brush = Object.assign(document.createElement("i"), { className: "brush", hidden: true });
    figure.append(brush);
    figure.addEventListener("pointermove", (event) => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        const place = from
          ? { cell: from.cell, ...dragged(from, event.clientX) }
          : placeAt(chart, event.clientX, event.clientY);
        if (!place) return hide();
        point(nearest(place.cell.rows, place.at)?.train_step, chart, event.clientX, event.clientY);
        if (!from) return;
        const outer = figure.getBoundingClientRect(), { rect } = from.cell;
        const [a, b] = [from.x, place.x].sort((one, other) => one - other);
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
      from = { x: event.clientX, at: place.at, cell: place.cell };
      figure.setPointerCapture(event.pointerId); // a drag may end outside the chart
      event.preventDefault();
      figure.focus({ preventScroll: true });
    });
    figure.addEventListener("pointerup", (event) => {
      const began = from;
      stop();
      if (!began) return;
      const { at } = dragged(began, event.clientX);
      if (Math.abs(event.clientX - began.x) < 5) {
        showCompletions(data.completions, nearest(began.cell.rows, at)?.train_step, true);
      } else {
        const [a, b] = [began.at, at].sort((one, other) => one - other);
        const within = began.cell.rows.filter((row) =>
          (row.to ?? row.train_step) >= a && (row.from ?? row.train_step) <= b
        );
        if (within.length) zoom([Math.ceil(a), Math.floor(b)]);
      }
    });
    figure.addEventListener("pointercancel", stop);
    figure.addEventListener("keydown", (event) => {
      const rows = rowsOf(chart).filter((row) => row.train_step !== undefined);
      const index = Math.max(0, rows.findIndex((row) => row.train_step >= state.step));
      const by =
        { ArrowRight: 1, ArrowLeft: -1, PageDown: 10, PageUp: -10, Home: -rows.length, End: rows.length }[event.key];
      const scale = { "+": 0.5, "=": 0.5, "-": 2 }[event.key];
      if (by && rows.length) {
        const row = rows[Math.min(rows.length - 1, Math.max(0, index + by))], rect = figure.getBoundingClientRect();
        point(row.train_step, chart, rect.left + rect.width / 2, rect.top + 40);
      } else if (scale && rows.length) zoom(around(rows, rows[index].train_step, scale));
      else if (event.key === "Enter") showCompletions(data.completions, state.step, true);
      else if (event.key === "Escape") {
        if (from) stop();
        else zoom(null);
      } else return;
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
    if (!figure) continue;
    if (room(figure) < NARROW) dirty.add(chart.name);
    watcher.observe(figure);
  }
  const tellSmoothing = () => {
    const told = element("smoothing"), count = 2 * state.smooth + 1;
    if (told) told.textContent = state.smooth ? `median of ${count} train steps` : "off";
  };
  tellSmoothing();
  const smooth = /** @type {HTMLInputElement | null} */ (element("smooth"));
  smooth?.addEventListener("input", () => {
    state.smooth = Number(smooth.value);
    state.asked = true;
    tellSmoothing();
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
  matchMedia(`(max-width: ${NARROW + 120}px)`).addEventListener("change", redraw);
  if (steps().length) showCompletions(data.completions, steps()[steps().length - 1], false);
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
