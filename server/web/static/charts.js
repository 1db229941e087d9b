// A chart tells the week that is pointed at, or chosen with the arrow keys.

function listen(figure) {
  const plot = figure.querySelector(".plot");
  const marks = [...figure.querySelectorAll(".mark")];
  const readout = figure.querySelector(".readout");
  let chosen = -1;

  function choose(place) {
    if (place === chosen) return;
    marks[chosen]?.classList.remove("chosen");
    chosen = place;
    marks[chosen]?.classList.add("chosen");
    readout.textContent = marks[chosen]?.dataset.told ?? "";
  }

  marks.forEach((mark, place) => mark.addEventListener("pointerenter", () => choose(place)));
  plot.addEventListener("pointerleave", () => choose(-1));
  plot.addEventListener("focus", () => choose(chosen < 0 ? marks.length - 1 : chosen));
  plot.addEventListener("blur", () => choose(-1));
  plot.addEventListener("keydown", (event) => {
    const last = marks.length - 1;
    const place = { ArrowLeft: Math.max(0, chosen - 1), ArrowRight: Math.min(last, chosen + 1), Home: 0, End: last }[event.key];
    if (place === undefined) return;
    event.preventDefault();
    choose(place);
  });
}

function prepare(root) {
  for (const figure of root.querySelectorAll("[data-chart]")) listen(figure);
}

prepare(document);
document.addEventListener("replaced", (event) => prepare(event.target));
