"""PARTICIPANTS of a USEBIO file: what is published for each pair over all its boards."""

from collections.abc import Iterator

from server.formats.complaints import Complaints
from server.formats.records import Total
from server.formats.usebio_words import read_direction, read_figure
from server.formats.xml_tree import Element


def read_totals(
    participants: Element, section: str, victory_points: bool, complaints: Complaints
) -> Iterator[Total]:
    """A Total for each PAIR, those of teams included; one without a number is refused."""
    for pair in participants.descendants("PAIR"):
        number = pair.text_of("PAIR_NUMBER")
        if not number:
            complaints.refuse(pair.line, "a pair without PAIR_NUMBER")
            continue
        yield Total(
            line=pair.line,
            pair=number,
            direction=read_direction(pair.text_of("DIRECTION")),
            total=read_figure(pair, "TOTAL_SCORE", complaints),
            percent=read_figure(pair, "PERCENTAGE", complaints),
            place=pair.text_of("PLACE"),
            section=section,
            names=tuple(name for player in pair.all("PLAYER") if (name := player.text_of("PLAYER_NAME"))),
            victory_points=victory_points,
        )
