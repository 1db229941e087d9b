"""What must fit on a page at every width: frames, names, texts."""

# Each fault is a list: what is wrong, where, and how many pixels there are.
MISFITS = r"""() => {
    const faults = [];
    const called = (each) => each.localName + [...each.classList].map((name) => "." + name).join("");
    const told = (...fault) => { if (faults.length < 12) faults.push(fault.join(" ")); };
    const lines = (cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        const tops = [...range.getClientRects()].filter((box) => box.width > 1).map((box) => box.top);
        const size = parseFloat(getComputedStyle(cell).fontSize);
        return tops.length ? (Math.max(...tops) - Math.min(...tops)) / size : 0;
    };
    const whole = document.documentElement;
    if (whole.scrollWidth > whole.clientWidth) told("the page scrolls sideways");
    // Frames that scroll, and text that is cut off. A field holds what its reader writes; .long may scroll.
    for (const each of document.querySelectorAll("body *:not(input, select, .unseen, .long)")) {
        if (each.closest(".unseen, svg") || !each.clientWidth) continue;
        const hides = getComputedStyle(each).overflowX !== "visible";
        if (hides && each.scrollWidth > each.clientWidth + 1)
            told("does not fit", called(each), each.scrollWidth, "in", each.clientWidth);
    }
    for (const cell of document.querySelectorAll("tbody :is(.who, .names, .event-name, .ns, .ew)")) {
        const width = Math.round(cell.getBoundingClientRect().width);
        if (width && width < 110 && lines(cell) > 0.9) told("narrow", called(cell), width);
    }
    // Texts of a row that lie upon each other.
    for (const row of document.querySelectorAll("tr")) {
        const boxes = [...row.cells].filter((cell) => !cell.querySelector(".unseen")).map((cell) => {
            const range = document.createRange();
            range.selectNodeContents(cell);
            return [cell, range.getBoundingClientRect()];
        }).filter(([, box]) => box.width > 1);
        boxes.forEach(([cell, a], i) => boxes.slice(i + 1).forEach(([other, b]) => {
            if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 5 && b.top < a.bottom - 5)
                told("lies upon", called(cell), called(other));
        }));
    }
    return faults;
}"""


async def misfits(page, width):
    """Open the window as wide as that; what does not fit."""
    await page.set_viewport_size({"width": width, "height": 900})
    return [f"{fault} at {width}" for fault in await page.evaluate(MISFITS)]
