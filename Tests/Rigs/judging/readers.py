"""Compares the pages of signed PDFs with those of what was signed, as five readers show them. Run by tools/test readers."""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import pymupdf
import pypdfium2

READ = pathlib.Path(os.environ["CIE_PROGRAMS"]).resolve() / "cie-read"
# Pages of a document that are looked at, and points an inch of the pictures: one pixel a point.
PAGES, RESOLUTION = 10, 72
GHOSTSCRIPT = ["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-sDEVICE=ppmraw", f"-r{RESOLUTION}", f"-dLastPage={PAGES}",
               "-sstdout=%stderr", "-o", "-"]
BATCH = 40


def pictures(stream):
    """Takes PPM pictures apart, one behind the other: width, height, pixels of three bytes."""
    found = []
    while stream:
        # A header has comments, and ends with one white-space character; pixels may begin with such a byte.
        header = re.match(rb"P6\s+(?:#.*\n)*(\d+)\s+(\d+)\s+255\s", stream)
        width, height = int(header[1]), int(header[2])
        end = header.end() + 3 * width * height
        found.append((width, height, stream[header.end():end]))
        stream = stream[end:]
    return found


def run(words, **more):
    return subprocess.run(words, capture_output=True, timeout=300, **more).stdout


def pdfium(path):
    document = pypdfium2.PdfDocument(path)
    document.init_forms()
    found = []
    for index in range(min(PAGES, len(document))):
        bitmap = document[index].render(scale=RESOLUTION / 72, rev_byteorder=True, prefer_bgrx=False)
        rows = [bytes(bitmap.buffer)[start:start + bitmap.width * bitmap.n_channels]
                for start in range(0, bitmap.stride * bitmap.height, bitmap.stride)]
        found.append((bitmap.width, bitmap.height, b"".join(rows)))
    return found


def mupdf(path):
    with pymupdf.open(path) as document:
        maps = [document[index].get_pixmap(dpi=RESOLUTION, annots=True) for index in range(min(PAGES, len(document)))]
        return [(one.width, one.height, bytes(one.samples)) for one in maps]


def poppler(path):
    return pictures(run(["pdftoppm", "-r", str(RESOLUTION), "-cropbox", "-l", str(PAGES), path]))


def ghostscript(path):
    return pictures(run([*GHOSTSCRIPT, path]))


def printed(path):
    """A print: PostScript of poppler, as a printer's interpreter shows it."""
    return pictures(run([*GHOSTSCRIPT, "-"], input=run(["pdftops", "-l", str(PAGES), path, "-"])))


READERS = {"pdfium": pdfium, "MuPDF": mupdf, "poppler": poppler, "Ghostscript": ghostscript, "a print": printed}


def shown(reader, path):
    """The pictures of a reader; an empty list of one that refuses the file."""
    try:
        return READERS[reader](path)
    except Exception:  # Every way to refuse is one.
        return []


def places(path):
    """The rectangles of signature fields, by page and name, and whether each is signed."""
    found = {}
    try:
        with pymupdf.open(path) as document:
            for page in list(document)[:PAGES]:
                for widget in page.widgets():
                    if widget.field_type == pymupdf.PDF_WIDGET_TYPE_SIGNATURE:
                        found[page.number, widget.field_name] = widget.rect * page.rotation_matrix, bool(widget.is_signed)
    except Exception:
        return {}
    return found


def blank(picture, areas):
    """A picture without some areas, one pixel around them included."""
    width, height, pixels = picture
    pixels, depth = bytearray(pixels), len(pixels) // max(1, width * height)
    for area in areas:
        left, right = max(0, int(area.x0) - 1), min(width, int(area.x1) + 2)
        for line in range(max(0, int(area.y0) - 1), min(height, int(area.y1) + 2)):
            start = (line * width + left) * depth
            pixels[start:start + max(0, right - left) * depth] = bytes(max(0, right - left) * depth)
    return width, height, bytes(pixels)


def differences(before, after):
    """The readers that show two files otherwise, with the page: 0 for another number of pages, or for a file that is refused."""
    old, new = places(before), places(after)
    # A field that the signed document had for a further signature may show it (ISO 32000-2 §12.7.5.5).
    filled = [(page, area) for (page, name), (area, signed) in old.items() if not signed and new.get((page, name), (0, 0))[1]]
    for reader in READERS:
        one, other = shown(reader, before), shown(reader, after)
        if not one or len(one) != len(other):
            yield reader, 0
            continue
        for page, pair in enumerate(zip(one, other)):
            areas = [area for place, area in filled if place == page]
            if blank(pair[0], areas) != blank(pair[1], areas):
                yield reader, page + 1


def compare(job):
    """The differences of a file from each of its signed revisions, given by their lengths."""
    path, lengths = job
    content, found = pathlib.Path(path).read_bytes(), []
    with tempfile.TemporaryDirectory() as folder:
        for length in lengths:
            revision = os.path.join(folder, "signed.pdf")
            pathlib.Path(revision).write_bytes(content[:length])
            found += [f"{path}: {reader} shows " + (f"page {page} otherwise" if page else "another document")
                      + f" than in the {length} bytes that were signed" for reader, page in differences(revision, path)]
    return path, found


def judged(files, trust):
    """The files that are proved, each with the lengths of its revisions that are not the whole file."""
    for start in range(0, len(files), BATCH):
        done = subprocess.run([READ, "check", *files[start:start + BATCH], *trust, "--json"], capture_output=True, text=True)
        for file in json.loads(done.stdout)["files"]:
            if file.get("outcome") == "proved":
                yield file["file"], sorted({one["signedLength"] for one in file["signatures"] if one["laterBytes"]})


def gathered(paths):
    """The PDFs in files and folders, and the options that name the certificates beside them."""
    files, trust = [], []
    for path in map(pathlib.Path, paths):
        folder = path if path.is_dir() else path.parent
        files += sorted(path.rglob("*.pdf")) if path.is_dir() else [path]
        for ending, option in (("*ca.der", "--trust"), ("*tsa.der", "--tsa-trust"), ("ca.pem", "--trust"), ("ca.pem", "--tsa-trust")):
            trust += [word for one in sorted(folder.rglob(ending)) for word in (option, one)]
    return [str(file) for file in files], trust


def sample(content):
    """A page by hand, the length of it, and the same with an update that has other contents."""
    objects = ["<</Type /Catalog /Pages 2 0 R>>", "<</Type /Pages /Kids [3 0 R] /Count 1>>",
               "<</Type /Page /Parent 2 0 R /MediaBox [0 0 90 90] /Contents 4 0 R>>"]

    def append(file, numbered, more):
        entries = ""
        for number, text in numbered:
            entries += f"{number} 1\n{len(file):010} 00000 n \n"
            file += f"{number} 0 obj\n{text}\nendobj\n".encode()
        end = f"xref\n{entries}trailer\n<</Size 5 /Root 1 0 R {more}>>\nstartxref\n{len(file)}\n%%EOF\n"
        return file + end.encode(), len(file)

    def stream(text):
        return f"<</Length {len(text)}>>\nstream\n{text}\nendstream"

    plain, start = append(b"%PDF-1.7\n", [*enumerate(objects, 1), (4, stream("9 9 m 80 80 l S"))], "")
    return plain, append(plain, [(4, stream(content))], f"/Prev {start}")[0]


def self_test():
    """Checks that each reader shows another page, that the same page is no difference, and that a refused file is one."""
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        before, after = os.path.join(folder, "before.pdf"), os.path.join(folder, "after.pdf")
        cases = (("9 9 m 80 80 l S", set()), ("0 0 90 90 re f", set(READERS)), ("9 9 m 80 81 l S", set(READERS)))
        for content, expected in cases:
            for path, file in zip((before, after), sample(content)):
                pathlib.Path(path).write_bytes(file)
            found = {reader for reader, _ in differences(before, after)}
            if found != expected:
                wrong.append(f"{content}: told by {sorted(found)}, expected of {sorted(expected)}")
        pathlib.Path(after).write_bytes(b"%PDF-1.7\n")
        if {reader for reader, _ in differences(before, after)} != set(READERS):
            wrong.append("a file that is none is taken for the same document")
        area = pymupdf.Rect(1, 1, 2, 2)
        if blank((9, 9, bytes(243)), [area]) == blank((9, 9, b"\1" * 243), [area]):
            wrong.append("a field hides the whole page")
        if blank((2, 2, bytes(12)), [area]) != blank((2, 2, b"\1" * 12), [area]):
            wrong.append("a field that is filled is a difference")
    return wrong


def main(paths):
    wrong = self_test()
    if paths == ["--self-test"]:
        print("\n".join(wrong) or "test-readers: the readers tell what differs")
        return 1 if wrong else 0
    files, trust = gathered(paths)
    jobs = list(judged(files, trust))
    later = [job for job in jobs if job[1]]
    with concurrent.futures.ProcessPoolExecutor() as pool:
        for _, found in pool.map(compare, later):
            wrong += found
    print("\n".join(wrong))
    print(f"test-readers: {len(files)} files, {len(jobs)} proved, {len(later)} of them with later revisions, {len(wrong)} differences")
    return 1 if wrong or not later else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
