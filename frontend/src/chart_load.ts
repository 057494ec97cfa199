// Loads the script of the charts where a page has one; until it is there, and where it
// fails, the table below is open to be read.
function load(): void {
  const chart = document.querySelector<HTMLElement>("hour-chart[data-script]");
  if (!chart || document.querySelector("script[data-chart]")) return;
  const script = document.createElement("script");
  script.src = chart.dataset.script ?? "";
  script.dataset.chart = "";
  document.head.append(script);
}

load();
document.addEventListener("htmx:after:swap", load);
