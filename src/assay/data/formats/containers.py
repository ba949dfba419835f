"""Files that hold no table of text as assay reads it, named for what they are by their first bytes."""

from __future__ import annotations

from assay.data.bytes.streams import ByteSource
from assay.errors import DataError

__all__ = ["FOREIGN_MARKS", "ZIP_MARK", "is_workbook", "refuse_foreign"]

ZIP_MARK = b"PK\x03\x04"
_OLE_MARK = b"\xd0\xcf\x11\xe0"
_AS_CSV = "Save the table as CSV (UTF-8), or as .xlsx"
_TAKE_OUT = "Take the texts out and save them as CSV (UTF-8)"

_FOREIGN = {
    b"%PDF": ("a PDF file", _TAKE_OUT),
    b"{\\rtf": ("a document in Rich Text Format (.rtf)", _TAKE_OUT),
    b"\xfd7zXZ": ("compressed with xz", "Unpack it with unxz, or compress it with gzip or zstd"),
    b"\x04\x22\x4d\x18": ("compressed with lz4", "Unpack it, or compress it with gzip or zstd"),
    b"7z\xbc\xaf": ("a 7-Zip archive", "Unpack it"),
    b"Rar!\x1a": ("a RAR archive", "Unpack it"),
    b"PK\x05\x06": ("an empty zip archive", "Give the file that should be in it"),
    b"SQLite format 3": ("an SQLite database", "Export the table as CSV"),
    b"\x89HDF": ("an HDF5 file", "Save the table as Parquet or CSV"),
    b"FEA1": ("a Feather file of version 1", "Write it again with a newer pyarrow or pandas"),
    b"ORC": ("an ORC file", "Save the table as Parquet"),
    b"\x93NUMPY": ("a NumPy array", "Give the array to assay.read in Python, or save a table as CSV"),
    b"\x89PNG": ("an image (PNG)", "assay reads texts: take them out of it first"),
    b"\xff\xd8\xff": ("an image (JPEG)", "assay reads texts: take them out of it first"),
    b"GIF8": ("an image (GIF)", "assay reads texts: take them out of it first"),
    b"II*\0": ("an image (TIFF)", "assay reads texts: take them out of it first"),
    b"MM\0*": ("an image (TIFF)", "assay reads texts: take them out of it first"),
    b"bplist00": ("a property list of Apple's", _AS_CSV),
    b"RDX3\n": ("a data file of R", "Write the data frame with write.csv or arrow::write_parquet"),
    b"RDX2\n": ("a data file of R", "Write the data frame with write.csv or arrow::write_parquet"),
    b"$FL2": ("a data file of SPSS (.sav)", _AS_CSV),
    b"<stata_dta>": ("a data file of Stata (.dta)", _AS_CSV),
    b"\x7fELF": ("a program", "Give a file with texts"),
    b"RIFF": ("a sound, a film or an image (RIFF)", "assay reads texts: take them out of it first"),
    b"OggS": ("a sound or a film (Ogg)", "assay reads texts: take them out of it first"),
    **{
        b"\x80%c%c" % (protocol, first): (
            "a pickle of Python, which can run anything when it is loaded",
            "Load it where you trust it, and save the table as CSV or Parquet",
        )
        for protocol in (2, 3, 4, 5)
        for first in (b"\x95" if protocol > 3 else b"}](cX")
    },
}
_OF_ZIP = {
    "word/": ("a Word document (.docx)", _TAKE_OUT),
    "ppt/": ("a PowerPoint presentation (.pptx)", _TAKE_OUT),
    "xl/workbook.bin": ("a binary Excel workbook (.xlsb)", "Save it as .xlsx, or as CSV (UTF-8)"),
    "Index/": ("a document of Apple's Numbers or Pages", "Export it as Excel (.xlsx) or CSV (UTF-8)"),
    "Index.zip": ("a document of Apple's Numbers or Pages", "Export it as Excel (.xlsx) or CSV (UTF-8)"),
}
_OF_MIMETYPE = {
    b"application/vnd.oasis.opendocument.spreadsheet": (
        "an OpenDocument spreadsheet (.ods)",
        "Save it as .xlsx, or as CSV (UTF-8)",
    ),
    b"application/vnd.oasis.opendocument.text": ("an OpenDocument text (.odt)", _TAKE_OUT),
    b"application/epub+zip": ("an e-book (.epub)", _TAKE_OUT),
}
_OF_OLE = {
    "EncryptedPackage": ("a document with a password", "Save it without one, and a spreadsheet as .xlsx"),
    "WordDocument": ("an old Word document (.doc)", _TAKE_OUT),
    "PowerPoint Document": ("an old PowerPoint presentation (.ppt)", _TAKE_OUT),
    "Workbook": ("an old Excel file (.xls)", "Save it as .xlsx, or as CSV (UTF-8)"),
}
_PAGES = (b"<!doctype html", b"<html")
FOREIGN_MARKS = (ZIP_MARK, _OLE_MARK, *(mark for mark in _FOREIGN if len(mark) > 3))
"""What begins a stream that is no text: it can be read only as a whole."""


def refuse_foreign(source: ByteSource, head: bytes) -> None:
    """Complain about a file whose beginning shows that it is something else; a workbook passes."""
    found = _named(source, head)
    if found is not None:
        what, way_out = found
        raise DataError(f"{source.name}: this is {what}, which assay does not read. {way_out}.")


def is_workbook(source: ByteSource) -> bool:
    """Whether a zip archive is an Excel workbook."""
    import zipfile

    try:
        with zipfile.ZipFile(source.open_whole()) as archive:
            return "xl/workbook.xml" in archive.namelist()
    except (zipfile.BadZipFile, ValueError):
        return False


def _named(source: ByteSource, head: bytes) -> tuple[str, str] | None:
    if head.startswith(ZIP_MARK):
        return None if is_workbook(source) else _named_archive(source)
    if head.startswith(_OLE_MARK):
        names = (pair for name, pair in _OF_OLE.items() if name.encode("utf-16-le") in head)
        return next(names, ("an old file of Office (.xls, .doc, …)", "Save it as .xlsx, or as CSV (UTF-8)"))
    for mark, pair in _FOREIGN.items():
        if head.startswith(mark) and (len(mark) > 3 or not head.isascii()):
            return pair
    if head[257:262] == b"ustar":
        return "a tar archive", "Unpack it"
    if head[4:8] == b"ftyp" and b"\0" in head[:4]:
        return "a film, a sound or an image (MP4, HEIC)", "assay reads texts: take them out of it first"
    begin = head[:500].removeprefix(b"\xef\xbb\xbf").lstrip()
    if begin.lower().startswith(_PAGES):
        return "a web page (HTML)", f"{_AS_CSV}; some programs call such a page .xls"
    if begin.startswith(b"<?xml"):
        return "an XML file", _AS_CSV
    return None


def _named_archive(source: ByteSource) -> tuple[str, str]:
    import zipfile

    try:
        with zipfile.ZipFile(source.open_whole()) as archive:
            names = archive.namelist()
            if "mimetype" in names and archive.getinfo("mimetype").file_size < 200:
                kind = archive.read("mimetype").strip()
                if kind in _OF_MIMETYPE:
                    return _OF_MIMETYPE[kind]
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError):
        return "a zip archive, a .xlsx or a .docx file that is damaged or not complete", "Fetch it again"
    for begin, pair in _OF_ZIP.items():
        if any(name.startswith(begin) for name in names):
            return pair
    return "a zip archive", "Unpack it, and give what is in it"
