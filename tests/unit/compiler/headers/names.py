"""The headers of a folder, by the names by which sources include them."""

from pathlib import Path

from launchpath._compiler import header_folders

_LIBRARY = tuple(map(Path, header_folders.RTC_LIBRARY))  # these lie in another folder of headers


def by_name(folder: Path) -> dict[str, Path]:
    """Give the headers of a folder, those of the folders of the C and C++ library in it as well."""
    headers = {}
    for file in filter(Path.is_file, folder.rglob("*")):
        root = next((library for library in _LIBRARY if library in file.parents), folder)
        headers[str(file.relative_to(root))] = file
    return headers
