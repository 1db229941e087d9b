"""A result file as the requests of a platform."""

from server.bridge.contract import PASSED_OUT, parse_result
from server.bridge.deal import parse_deal
from server.bridge.seats import Seat, Vulnerability
from server.formats.records import FileBoard, Method, ResultFile, Row
from server.services.replays import replay_of

DEAL = parse_deal("N:AK2.QJT9.543.876 QJT9.876.AK2.543 876.543.QJT9.AK2 543.AK2.876.QJT9")
PARTIAL = parse_deal("N:AK2.QJT9.543.876 - - -")


def row(line, ns="1", ew="2", outcome="4SN=", **more):
    """A row of a traveller."""
    found = None if outcome is None else PASSED_OUT if outcome == "pass" else parse_result(outcome)
    return Row(line, ns, ew, found, None, **more)


def replay(*rows, deal=None, data=b"file"):
    """What one board with these rows gives to post."""
    board = FileBoard(1, 7, Seat.W, Vulnerability.EW, deal, Method.NONE, rows)
    return replay_of(data, ResultFile("pbn", "", Method.NONE, boards=(board,)))


def test_a_board_is_given_with_what_is_known_of_it():
    assert replay(row(2)).boards[0].body == {"dealer": "W", "vulnerability": "EW"}
    assert replay(row(2), deal=PARTIAL).boards[0].body == {"dealer": "W", "vulnerability": "EW"}
    assert replay(row(2), deal=DEAL).boards[0].body["deal"] == str(DEAL)


def test_a_row_is_posted_as_it_was_played():
    first, second = replay(row(2, lead="D2"), row(3, outcome="pass")).boards[0].tables
    played = {"contract": "4S", "declarer": "N", "tricks": 10, "lead": "D2"}
    assert {name: first.body.get(name) for name in played} == played
    assert second.body["contract"] == "PASS"
    assert second.body.keys() == {"table", "players", "contract"}


def test_a_lead_that_the_leader_did_not_hold_is_left_out():
    held, other = replay(row(2, lead="SQ"), row(3, lead="SA"), deal=DEAL).boards[0].tables  # East leads
    assert held.body["lead"] == "SQ"
    assert "lead" not in other.body


def test_pairs_are_two_players_each_and_the_same_on_every_board():
    one, two = replay(row(2, "5", "6"), row(3, "6", "5")).boards[0].tables
    assert one.body["players"]["N"] == two.body["players"]["E"]
    assert one.body["players"]["S"] == two.body["players"]["W"]
    assert len(set(one.body["players"].values())) == 4


def test_unknown_pairs_and_rows_for_many_tables_are_invented():
    rows = (row(2, "???", None), row(3, "-", "3"), row(4, "4", "4"), row(5, "8", "9", multiplicity=3))
    tables = replay(*rows).boards[0].tables
    names = [name for table in tables for name in table.body["players"].values()]
    assert len(tables) == 6
    assert len(set(names)) == 24
    assert len({table.key for table in tables}) == len({table.body["table"] for table in tables}) == 6


def test_rows_without_a_result_are_counted_and_boards_without_any_left_out():
    found = replay(row(2, outcome=None, artificial="A6040"), row(3))
    assert (len(found.boards[0].tables), found.skipped) == (1, 1)
    found = replay(row(2, outcome=None))
    assert (found.boards, found.skipped) == ((), 1)


def test_another_file_has_other_players_and_tables():
    (one,), (two,) = replay(row(2)).boards[0].tables, replay(row(2), data=b"other").boards[0].tables
    assert one.body["table"] != two.body["table"]
    assert not set(one.body["players"].values()) & set(two.body["players"].values())


def test_names_may_have_a_slash_in_the_file():
    (table,) = replay(row(2, "A/1", "B/2")).boards[0].tables
    assert not [name for name in table.body["players"].values() if "/" in name]
