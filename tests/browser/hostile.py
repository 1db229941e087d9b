"""What in a page is none of ours: names, ids and tables that a browser has taken for markup."""

_FOREIGN = """[...document.querySelectorAll("script, img, iframe, object, style")]
    .map((each) => each.outerHTML)
    .filter((text) => !text.startsWith('<script type="module" src="/static/'))"""
_HANDLERS = """[...document.querySelectorAll("*")].flatMap((each) => [...each.attributes])
    .filter((each) => /^(on.*|style)$/i.test(each.name)
        || (/^(href|src|action)$/.test(each.name) && !/^[/?#]/.test(each.value)))
    .map((each) => each.name)"""


async def opened_in_place(page):
    """Open what two of the rows have to say, where there are so many."""
    for link in (await page.locator("[data-opens]").all())[5:7]:
        await link.click()


async def strangers(page):
    """Elements and attributes that are not of our templates."""
    return await page.evaluate(_FOREIGN) + await page.evaluate(_HANDLERS)


def has_hostile_names(name):
    """Whether a page of the walk does; of events, which have many pages, one has such names."""
    return not name.startswith("event-") or "final" in name


async def computed(page):
    """What has become of a name that is a formula of templates, on a page as wide as a desk."""
    lines = (await page.inner_text("body")).splitlines()
    return [line for line in lines if line.strip() == "49"]
