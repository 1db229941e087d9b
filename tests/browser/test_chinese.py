"""Chinese as it is set: no gaps between its words, its own punctuation, nothing left in English."""

import re

import pytest

from tests.browser.walk import pages, refused

# What people, platforms and the reference wrote stays as it is, and is left out, in titles and names too.
SHOWN = """() => {
    const own = [...document.querySelectorAll("bdi, code, [lang=en]")];
    const theirs = [...new Set(own.map((each) => each.textContent.trim()))].filter((text) => text.length > 1);
    theirs.sort((one, other) => other.length - one.length);
    for (const each of own) each.textContent = "x";
    for (const each of document.querySelectorAll("sub")) each.textContent = "1";
    for (const each of document.querySelectorAll("details")) each.open = true;
    const said = [document.title, document.body.innerText];
    const named = "[title]:not(a, bdi), [aria-label], [placeholder], [data-label]";
    for (const each of document.querySelectorAll(named))
        for (const name of ["title", "aria-label", "placeholder", "data-label"])
            if (each.hasAttribute(name)) said.push(each.getAttribute(name));
    return theirs.reduce((text, word) => text.replaceAll(word, "x"), said.join("\\n"));
}"""
HAN = "[\u3001-\u301f\u4e00-\u9fff\uff01-\uff5e\u201c\u201d]"
GAP = re.compile(f"[^\n]{{0,20}}{HAN}[ \u00a0]+{HAN}[^\n]{{0,20}}")
_SIGNS = "[\u4e00-\u9fff] ?(?:[,;:!?]|\\((?![0-9]))|[,;:!?)] ?[\u4e00-\u9fff]|[\u4e00-\u9fff]\\."
HALF_WIDTH = re.compile(f"[^\n]{{0,20}}(?:{_SIGNS})[^\n]{{0,20}}")
ENGLISH = re.compile("[A-Za-z]{2,}")
WORDS = {  # that Chinese writes too
    *("API", "CSV", "JSON", "NDJSON", "PBN", "USEBIO", "XML", "OpenAPI", "UTF", "RFC", "WBF", "Bethe"),
    *("IMP", "VP", "NT", "XX", "NS", "EW", "HCP", "MP", "AVE", "PASS", "Neuberg"),
    *("Crossruff", "English", "Asia", "Shanghai", "healthz", "readyz", "metrics", "NTX", "NTXX"),
    *("Idempotency", "Key", "If", "Match"),  # headers that problems name
    *("player", "nobody"),  # what the walk looks for
}


async def faults(browsing, names):
    """What is set wrongly on these pages, by name."""
    found = {}
    for name, path in names.items():
        async with browsing.window() as window:
            await window.open(f"/zh{path}")
            said = await window.page.evaluate(SHOWN)
            wrong = [match[0] for rule in (GAP, HALF_WIDTH) for match in rule.finditer(said)]
            wrong += sorted(set(ENGLISH.findall(said)) - WORDS)
            if wrong:
                found[name] = wrong
    return found


@pytest.mark.parametrize("part", range(8))
def test_every_page_is_set_as_chinese_is(browsing, part):
    every = list((pages(browsing.scene) | refused(browsing.scene)).items())
    assert browsing.run(faults(browsing, dict(every[part::8]))) == {}


@pytest.mark.parametrize("text", ["发牌人 北", "一。 二", "（甲） 乙", "甲， 乙"])
def test_a_gap_is_seen(text):
    assert GAP.search(text)


@pytest.mark.parametrize("text", ["第 2 副", "发牌人北", "甲 IMP 乙", "北\n南"])
def test_what_is_no_gap_is_none(text):
    assert not GAP.search(text)


@pytest.mark.parametrize("text", ["甲,乙", "甲: 乙", "甲 (乙", "甲.", "1) 乙"])
def test_a_sign_of_another_script_is_seen(text):
    assert HALF_WIDTH.search(text)


@pytest.mark.parametrize("text", ["甲，乙：丙", "第 1 周，50.0", "新指数为 (150 × 50)", "（甲）"])
def test_what_is_set_as_chinese_is_no_fault(text):
    assert not HALF_WIDTH.search(text)
