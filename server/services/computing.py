"""Computing for long without holding up anybody who shares the process."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


async def aside(work: Callable[[], T]) -> T:
    """What ``work`` comes to, in a thread of its own.

    A caller that is cancelled leaves it to itself, and a process that ends does not wait for it: so it may
    change nothing, only compute.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def tell(result: T | None, error: BaseException | None) -> None:
        if done.done():
            return  # nobody waits any more
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        result, error = None, None
        try:
            result = work()
        except BaseException as raised:
            error = raised
        with suppress(RuntimeError):  # the loop may have ended
            loop.call_soon_threadsafe(tell, result, error)

    Thread(target=run, name="computing", daemon=True).start()
    return await done
