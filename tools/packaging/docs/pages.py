"""Makes plain pages of what `docc convert` wrote, because its own page is a script that needs a server and a fixed address.

    pages.py CONVERTED FOLDER VERSION    CONVERTED has a folder for each library; FOLDER is written anew

Every link is relative, so the pages open from the folder and from any server. Fails on a form of DocC's that it does not know, on a
link without a page, and on a library without a sentence about it.
"""
import json
import shutil
import sys
from html import escape
from os.path import relpath
from pathlib import Path
from urllib.parse import quote

STYLE = """
:root{color-scheme:light dark}body{max-width:52rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif}
code,pre{font:.9em/1.5 ui-monospace,monospace}pre,.note{overflow:auto;padding:.7rem;border-radius:6px;background:#8882}
table{border-collapse:collapse}td,th{padding:.2rem .6rem;border:1px solid #8886;text-align:left;vertical-align:top}
a{color:#06c;text-decoration:none}a:hover{text-decoration:underline}nav{color:GrayText}h1{overflow-wrap:anywhere}
dt{margin-top:.6rem}dd p,td p,th p{margin:0}@media(prefers-color-scheme:dark){a{color:#6af}}
"""


class Page:
    """One page of DocC, as HTML."""

    def __init__(self, site, url, data):
        self.site, self.url, self.data = site, url, data
        self.references = data["references"]

    def link(self, identifier, text=None):
        """A link to a page, in code if it is a symbol's; its name alone if there is no page, as for Swift's own types."""
        reference = self.references[identifier]
        shown = escape(text or reference["title"])
        if text is None and reference.get("kind") == "symbol":
            shown = f"<code>{shown}</code>"
        if reference["type"] == "unresolvable":
            return shown
        return f'<a href="{self.site.href(self.url, reference["url"])}">{shown}</a>'

    def inline(self, parts):
        return "".join(map(self.phrase, parts))

    def phrase(self, part):
        match part["type"]:
            case "text":
                return escape(part["text"])
            case "codeVoice":
                return f"<code>{escape(part['code'])}</code>"
            case "emphasis":
                return f"<em>{self.inline(part['inlineContent'])}</em>"
            case "strong":
                return f"<strong>{self.inline(part['inlineContent'])}</strong>"
            case "reference":
                return self.link(part["identifier"])
        raise ValueError(f"{self.url}: {part['type']} is no known phrase")

    def blocks(self, parts):
        return "\n".join(map(self.block, parts))

    def block(self, part):
        match part["type"]:
            case "paragraph":
                return f"<p>{self.inline(part['inlineContent'])}</p>"
            case "heading":
                return f'<h{part["level"]} id="{escape(part["anchor"])}">{escape(part["text"])}</h{part["level"]}>'
            case "codeListing":
                return f"<pre>{escape(chr(10).join(part['code']))}</pre>"
            case "aside":
                return f'<div class="note"><b>{escape(part["name"])}</b>{self.blocks(part["content"])}</div>'
            case "unorderedList" | "orderedList":
                items = "".join(f"<li>{self.blocks(item['content'])}</li>" for item in part["items"])
                return f"<ul>{items}</ul>" if part["type"] == "unorderedList" else f"<ol>{items}</ol>"
            case "table":
                head, *rows = [[self.blocks(cell) for cell in row] for row in part["rows"]]
                lines = ["".join(f"<th>{cell}</th>" for cell in head)]
                lines += ["".join(f"<td>{cell}</td>" for cell in row) for row in rows]
                return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"
        raise ValueError(f"{self.url}: {part['type']} is no known block")

    def section(self, part):
        match part["kind"]:
            case "declarations":
                return "".join(
                    f"<pre>{''.join(map(self.token, one['tokens']))}</pre>" for one in part["declarations"])
            case "parameters":
                return "<h2>Parameters</h2><dl>" + "".join(
                    f"<dt><code>{escape(one['name'])}</code></dt><dd>{self.blocks(one['content'])}</dd>"
                    for one in part["parameters"]) + "</dl>"
            case "content":
                return self.blocks(part["content"])
            case "mentions":
                return "<h2>Mentioned in</h2><ul>" + "".join(f"<li>{self.link(one)}</li>" for one in part["mentions"]) + "</ul>"
        raise ValueError(f"{self.url}: {part['kind']} is no known section")

    def token(self, part):
        return self.link(part["identifier"], part["text"]) if part.get("identifier") in self.references else escape(part["text"])

    def lists(self, title, sections):
        """Titled lists of links with the sentence of each."""
        text = f"<h2>{title}</h2>"
        for section in sections:
            text += f"<h3>{escape(section.get('title', ''))}</h3><dl>" + "".join(
                f"<dt>{self.link(one)}</dt><dd>{self.inline(self.references[one].get('abstract', []))}</dd>"
                for one in section["identifiers"]) + "</dl>"
        return text

    def text(self):
        data = self.data
        path = [self.link(one) for one in (data["hierarchy"]["paths"] or [[]])[0]]
        yield f'<nav><a href="{self.site.href(self.url, "/index")}">cie-read {self.site.version}</a> {" › ".join(["", *path])}</nav>'
        yield f"<p>{escape(data['metadata'].get('roleHeading', ''))}</p><h1>{escape(data['metadata']['title'])}</h1>"
        yield f"<p>{self.inline(data.get('abstract', []))}</p>"
        for part in data.get("primaryContentSections", []):
            yield self.section(part)
        for title, key in (("Topics", "topicSections"), ("Default implementations", "defaultImplementationsSections"),
                           ("Relationships", "relationshipsSections"), ("See also", "seeAlsoSections")):
            if key in data:
                yield self.lists(title, data[key])


class Site:
    """All pages of all libraries."""

    def __init__(self, converted, folder, version):
        self.folder, self.version, self.pages = folder, version, {}
        self.libraries = {}
        for library in sorted(converted.iterdir()):
            data = library / "data/documentation"
            for file in sorted(data.rglob("*.json")):
                self.pages["/" + str(file.relative_to(data).with_suffix(""))] = json.loads(file.read_text())
            self.libraries[library.name] = "/" + library.name.lower()
        self.problems = [f"{name}: no sentence about it" for name, url in self.libraries.items()
                         if not self.pages[url].get("abstract")]

    def href(self, source, url):
        """The relative address of a page, as seen from another."""
        address, _, anchor = url.removeprefix("/documentation").partition("#")
        if address not in self.pages and address != "/index":
            self.problems.append(f"{source}: no page {address}")
        return quote("./" + relpath(address + ".html", Path(source).parent)) + (f"#{quote(anchor)}" if anchor else "")

    def write(self, url, title, body):
        file = self.folder / f"{url[1:]}.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        style = quote(relpath("/style.css", Path(url).parent))
        file.write_text(
            f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
            f'<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="{style}"></head>\n'
            f"<body>\n{body}\n</body></html>\n")

    def make(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        (self.folder / "style.css").write_text(STYLE.lstrip())
        for url, data in self.pages.items():
            self.write(url, data["metadata"]["title"], "\n".join(Page(self, url, data).text()))
        rows = [f'<dt><a href="{self.href("/index", url)}"><code>{name}</code></a></dt>'
                f"<dd>{Page(self, '/index', self.pages[url]).inline(self.pages[url].get('abstract', []))}</dd>"
                for name, url in self.libraries.items()]
        title = f"The libraries of cie-read {self.version}"
        self.write("/index", title, f"<h1>{title}</h1>\n<dl>\n" + "\n".join(rows) + "\n</dl>")


site = Site(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
site.make()
if site.problems:
    sys.exit("\n".join(site.problems))
print(f"documentation: {site.folder}/index.html, {len(site.pages)} pages of {len(site.libraries)} libraries")
