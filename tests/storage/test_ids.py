"""Public ids: every number has one, every text that is none of ours is refused."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from server.storage.ids import (
    assignment_id,
    board_id,
    board_number,
    disconnect_id,
    disconnect_number,
    result_id,
    result_number,
)

WIDE = 32**6
numbers = st.integers(0, WIDE - 1)
any_number = st.integers(0, 2**60 - 1)


@given(any_number)
@example(0)
@example(WIDE - 1)
@example(WIDE)
@example(2**60 - 1)
def test_the_id_of_a_board_names_the_board(number):
    assert board_number(board_id(number)) == number
    assert disconnect_number(disconnect_id(number)) == number


@given(any_number, numbers)
@example(WIDE, WIDE - 1)
@example(0, 0)
def test_the_id_of_a_result_names_board_and_sequence(board, sequence):
    assert result_number(result_id(board, sequence)) == (board, sequence)


@given(st.lists(numbers, min_size=2))
def test_ids_sort_like_numbers(some):
    assert sorted(map(board_id, some)) == [board_id(number) for number in sorted(some)]
    assert sorted(map(assignment_id, some)) == [assignment_id(number) for number in sorted(some)]
    assert sorted(map(disconnect_id, some)) == [disconnect_id(number) for number in sorted(some)]


@given(st.lists(st.tuples(numbers, numbers), min_size=2))
def test_results_sort_by_board_and_then_by_arrival(some):
    assert sorted(result_id(*each) for each in some) == [result_id(*each) for each in sorted(some)]


@given(st.text() | st.from_regex(r"[bdr]_[0-9a-z]{0,20}", fullmatch=True))
@example("b_0000000h")
@example("r_0000000h000007")
def test_a_text_that_is_read_is_the_id_of_what_it_names(text):
    board, result, disconnect = board_number(text), result_number(text), disconnect_number(text)
    assert board is None or board_id(board) == text
    assert disconnect is None or disconnect_id(disconnect) == text
    assert result is None or result_id(*result) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "b_",
        "b_00000",
        "00000h",
        "B_00000h",
        "b_00000H",
        "b_00000h\n",
        " b_00000h",
        "b_0000l0",
        "b_0000i0",
        "b_0000o0",
        "b_0000u0",
        "b_00000٣",
        "b_-0000h",
        "b_+0000h",
        "b_0000_h",
        "b_" + "z" * 13,
        "r_00000h000007",
        "a_00000h",
        "b_00000h/..",
        "b_00000\x00",
    ],
)
def test_what_is_no_board_of_ours_names_none(text):
    assert board_number(text) is None


@pytest.mark.parametrize(
    "text", ["", "r_", "r_00000h", "r_00000h00000", "b_00000h000007", "r_00000h000007\n"]
)
def test_what_is_no_result_of_ours_names_none(text):
    assert result_number(text) is None


def test_ids_look_like_the_documented_ones():
    assert board_id(17) == "b_00000h"
    assert result_id(17, 7) == "r_00000h000007"
    assert assignment_id(1) == "a_000001"
