"""Every kind of page, as the browser tests walk through them."""

from tests.browser.scene import HOSTILE, Scene, quoted


def pages(scene: Scene) -> dict[str, str]:
    """An address of every kind of page, below the language, by a name for it."""
    imps, mp, guests = scene.retired_results, scene.mp_results, scene.guests_results
    return {
        "home": "/",
        "boards": "/boards",
        "board": f"/boards/{scene.retired}",
        "board-turned": f"/boards/{scene.mp}?player={scene.player}",
        "board-matchpoints": f"/boards/{scene.mp}",
        "board-guests": f"/boards/{scene.guests}",
        "board-corrected": f"/boards/{scene.corrected}",
        "board-scoring": f"/boards/{scene.scoring}",
        "board-pending": f"/boards/{scene.pending}",
        "board-untouched": f"/boards/{scene.untouched}",
        "result": f"/results/{imps[12]}",
        "result-hostile": f"/results/{imps[1]}",
        "result-matchpoints": f"/results/{mp[8]}",
        "result-guests": f"/results/{guests[1]}",
        "result-corrected": f"/results/{scene.corrected_results[1]}",
        "search": "/search",
        "search-players": "/search?q=player",
        "search-board": "/search?q=1",
        "search-hostile": f"/search?q={quoted(HOSTILE[1])}",
        "weeks": "/weeks",
        "weeks-band": "/weeks?index_from=45&index_to=55&provisional=true",
        "weeks-points": f"/weeks?rating=points&around={quoted(scene.season.player)}",
        "weeks-matchpoints": "/weeks?pool=mp",
        "week-rated": f"/weeks/{scene.season.week}",
        "week-joint": f"/weeks/{scene.season.week}?rating=joint&page=2",
        "week-nobody": f"/weeks/{scene.season.week}?q=nobody&around=nobody",
        "player": f"/players/{quoted(scene.season.player)}",
        "player-hostile": f"/players/{quoted(scene.season.hostile)}",
        "player-unrated": f"/players/{quoted(scene.player)}?pool=mp",
        "player-week": f"/players/{quoted(scene.season.player)}/weeks/{scene.season.week}",
        "player-week-hostile": f"/players/{quoted(scene.season.hostile)}/weeks/{scene.season.week}",
        "rules": "/rules",
        "rules-vp": "/rules?scale=wbf&boards=16",
        "docs": "/docs",
        "problems": "/problems",
        "problem": "/problems/not-revealed",
        "status": "/status",
    }


def refused(scene: Scene) -> dict[str, str]:
    """Pages that say why there is nothing."""
    return {
        "nothing": "/nothing",
        "not-revealed": f"/results/{scene.hidden_result}",
        "hidden-player": f"/players/{scene.season.hidden}",
    }
