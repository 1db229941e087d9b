"""Every kind of page, as the browser tests walk through them."""

from tests.browser.scene import HOSTILE, Scene, quoted
from tests.browser.tournaments import Tournaments


def pages(scene: Scene) -> dict[str, str]:
    """An address of every kind of page, below the language, by a name for it."""
    imps, mp, guests = scene.retired_results, scene.mp_results, scene.guests_results
    return {
        "home": "/",
        "home-kind": "/?kind=swiss_pairs",
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
        "result-few": f"/results/{scene.season.few_result}",
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
        **event_pages(scene.tournaments),
        "rules": "/rules",
        "rules-vp": "/rules?scale=wbf&boards=16",
        "docs": "/docs",
        "problems": "/problems",
        "problem": "/problems/not-revealed",
        "status": "/status",
    }


def event_pages(held: Tournaments) -> dict[str, str]:
    """Pages of events in every state."""
    final, played = f"/events/{held.finished}", f"/events/{held.played}"
    return {
        "events": "/events",
        "events-none": "/events?kind=pairs&state=paused",
        "event-final": final,
        "event-final-cross": f"{final}/cross-table",
        "event-final-round": f"{final}/rounds/2",
        "event-final-board": f"{final}/boards/5",
        "event-final-card": f"{final}/entries/9",
        "event-final-pairs": f"{final}/entries",
        "event-final-vp": f"{final}/vp",
        "event-played": played,
        "event-played-cross": f"{played}/cross-table",
        "event-played-round": f"{played}/rounds/2",
        "event-later-round": f"{played}/rounds/5",
        "event-played-board": f"{played}/boards/5",
        "event-played-card": f"{played}/entries/3",
        "event-registration": f"/events/{held.registration}",
        "event-room": f"/events/{held.registration}/entries",
        "event-announced": f"/events/{held.announced}",
        "event-unpublished": f"/events/{held.unpublished}",
        "event-cancelled": f"/events/{held.cancelled}",
    }


def refused(scene: Scene) -> dict[str, str]:
    """Pages that say why there is nothing."""
    return {
        "nothing": "/nothing",
        "not-revealed": f"/results/{scene.hidden_result}",
        "no-event": "/events/e_zzzzzz",
        "no-round": f"/events/{scene.tournaments.finished}/rounds/99",
        "hidden-player": f"/players/{scene.season.hidden}",
    }
