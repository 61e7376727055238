"""Which commands used an array last: what a use of it must come after."""

from .order import Command


class Memory:
    """An array of a part, as the generator sees it."""

    def __init__(self, device: int) -> None:
        self.device = device
        self._written: Command | None = None
        self._read: list[Command] = []

    def conflicts(self, writes: bool) -> list[Command]:
        """Return the commands that a use must come after."""
        commands = [] if self._written is None else [self._written]
        return commands + self._read if writes else commands

    def read(self, command: Command) -> None:
        """Note a command that reads."""
        self._read.append(command)

    def write(self, command: Command) -> None:
        """Note a command that writes."""
        self._written, self._read = command, []
