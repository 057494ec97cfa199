// <hour-chart> draws the table that stands in it, so that there is one truth for the
// eye, for who listens, and for who has no script.
import uPlot from "uplot";
import { pageLanguage } from "./language";

// What is drawn first lies behind: each column holds those before it too.
const tones = ["--bad", "--brand-edge", "--brand"];

class HourChart extends HTMLElement {
  #plot: uPlot | null = null;
  #dark = matchMedia("(prefers-color-scheme: dark)");
  #redraw = (): void => this.#draw();
  #size = new ResizeObserver(([entry]) => {
    const width = Math.floor(entry?.contentRect.width ?? 0);
    if (width > 0 && this.#plot && this.#plot.width !== width) this.#plot.setSize({ width, height: this.#plot.height });
  });

  connectedCallback(): void {
    for (const time of this.querySelectorAll("time")) {
      time.textContent = new Intl.DateTimeFormat(pageLanguage, { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" }).format(new Date(time.dateTime));
    }
    const unit = this.querySelector("[data-unit]");
    if (unit) unit.textContent = unit.getAttribute("data-unit"); // no longer UTC
    this.#draw();
    this.#dark.addEventListener("change", this.#redraw);
    this.#size.observe(this.#place());
  }

  disconnectedCallback(): void {
    this.#size.disconnect();
    this.#dark.removeEventListener("change", this.#redraw);
    this.#plot?.destroy();
  }

  #place(): HTMLElement {
    return this.querySelector<HTMLElement>("[data-plot]") ?? this;
  }

  #draw(): void {
    const rows = [...this.querySelectorAll("tbody tr")];
    const at = rows.map((row) => Date.parse(row.querySelector("time")?.dateTime ?? "") / 1000);
    const heads = [...this.querySelectorAll("thead th")].slice(1).map((head) => head.textContent ?? "");
    const values = heads.map((_, i) => rows.map((row) => Number(row.querySelectorAll("td")[i]?.dataset.n ?? 0)));
    const stacked = values.map((_, i) => rows.map((_, r) => values.slice(0, i + 1).reduce((sum, column) => sum + (column[r] ?? 0), 0)));
    const place = this.#place();
    const color = (name: string): string => getComputedStyle(this).getPropertyValue(name).trim();
    const font = "12px " + getComputedStyle(this).fontFamily;
    const bars = uPlot.paths.bars?.({ size: [0.7] });
    this.#plot?.destroy();
    const back = heads.length - 1;
    this.#plot = new uPlot({
      width: Math.max(200, Math.floor(place.clientWidth)),
      height: 200,
      cursor: { points: { show: false }, drag: { x: false, y: false } },
      scales: { x: { range: (_u, min, max) => [min - 1800, max + 1800] }, y: { range: (_u, _min, max) => [0, Math.max(4, max * 1.05)] } },
      axes: [
        { font, stroke: color("--ink-soft"), grid: { show: false }, ticks: { stroke: color("--edge") } },
        { font, stroke: color("--ink-soft"), grid: { stroke: color("--edge") }, ticks: { show: false }, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6] },
      ],
      series: [
        { label: "Hour", value: (_u, v) => (v ? new Date(v * 1000).toLocaleString(pageLanguage, { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" }) : "") },
        ...heads.map((_, i) => ({
          label: heads[back - i] ?? "",
          fill: color(tones[i] ?? "--brand"),
          stroke: color(tones[i] ?? "--brand"),
          width: 0,
          points: { show: false },
          ...(bars ? { paths: bars } : {}),
          value: (_u: uPlot, _v: number, _s: number, at: number | null) => (at === null ? "–" : String(values[back - i]?.[at] ?? 0)),
        })),
      ],
    }, [at, ...stacked.reverse()] as uPlot.AlignedData, place);
  }
}

customElements.define("hour-chart", HourChart);
