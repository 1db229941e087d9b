// Instants in the reader's own zone, beside that of the weeks; and the countdown to a week's closing.

const language = document.documentElement.lang;
const { now, zone, here } = document.body.dataset;
const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
const began = performance.now();
const written = new Intl.DateTimeFormat(language, {
  weekday: "short", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23",
});

function name(zoneName, instant) {
  const parts = new Intl.DateTimeFormat("en", { timeZone: zoneName, timeZoneName: "longOffset" });
  return parts.formatToParts(instant).find((part) => part.type === "timeZoneName").value;
}

function localise(root) {
  for (const moment of root.querySelectorAll(".moment.named")) {
    const instant = new Date(moment.querySelector("time").dateTime);
    if (moment.querySelector(".here") || name(own, instant) === name(zone, instant)) continue;
    const added = document.createElement("span");
    added.className = "here";
    added.textContent = ` ${here.replace("{when}", written.format(instant))}`;
    moment.append(added);
  }
}

function count(clock) {
  const left = Date.parse(clock.dataset.until) - Date.parse(now) - (performance.now() - began);
  const minutes = Math.max(0, Math.floor(left / 60000));
  const shown = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60];
  clock.querySelectorAll("b").forEach((figure, i) => {
    if (figure.textContent !== String(shown[i])) figure.textContent = shown[i];
  });
}

localise(document);
document.addEventListener("replaced", (event) => localise(event.target));
for (const clock of document.querySelectorAll(".countdown")) setInterval(count, 1000, clock);
