// A chart tells the week that is pointed at, touched, or chosen with the keys. To whoever reads with his ears it
// is a slider whose value is the week. Without script each week has a title instead, and the table is below.

const FAR = 10; // weeks that Page Up and Page Down go

function listen(figure, before) {
  const plot = figure.querySelector(".plot");
  const drawn = plot.querySelector("svg");
  const marks = [...figure.querySelectorAll(".mark")];
  const words = marks.map((mark) => mark.querySelector("title").textContent);
  const readout = figure.querySelector(".readout");
  const last = marks.length - 1;
  let chosen = -1;

  function tell(place) {
    plot.setAttribute("aria-valuenow", place);
    plot.setAttribute("aria-valuetext", words[place]);
  }

  function choose(place) {
    if (place === chosen) return;
    marks[chosen]?.classList.remove("chosen");
    chosen = place;
    marks[chosen]?.classList.add("chosen");
    readout.textContent = words[chosen] ?? "";
    tell(chosen < 0 ? last : chosen);
    if (chosen < 0) delete figure.dataset.chosen;
    else figure.dataset.chosen = marks[chosen].dataset.week;
  }

  function nearest(event) {
    const box = drawn.getBoundingClientRect();
    const x = (1000 * (event.clientX - box.left)) / box.width;
    const away = (mark) => Math.abs(mark.dataset.x - x);
    return marks.reduce((best, mark, place) => (away(mark) < away(marks[best]) ? place : best), 0);
  }

  for (const mark of marks) mark.querySelector("title").remove();
  plot.setAttribute("role", "slider");
  plot.setAttribute("aria-valuemin", 0);
  plot.setAttribute("aria-valuemax", last);
  tell(last);
  const again = marks.findIndex((mark) => mark.dataset.week === before?.dataset.chosen);
  if (again >= 0) choose(again);

  for (const kind of ["pointerdown", "pointermove"]) drawn.addEventListener(kind, (event) => choose(nearest(event)));
  // A finger leaves when it is lifted, and has only then read.
  drawn.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "mouse" && document.activeElement !== plot) choose(-1);
  });
  plot.addEventListener("focus", () => choose(chosen < 0 ? last : chosen));
  plot.addEventListener("blur", () => choose(-1));
  plot.addEventListener("keydown", (event) => {
    const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -FAR, PageUp: FAR, Home: -last, End: last };
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    choose(Math.min(last, Math.max(0, chosen + step)));
  });
}

function prepare(root, before) {
  const charts = [...(before?.querySelectorAll("[data-chart]") ?? [])];
  [...root.querySelectorAll("[data-chart]")].forEach((figure, i) => listen(figure, charts[i]));
}

prepare(document);
document.addEventListener("replaced", (event) => prepare(event.target, event.detail));
