"""The picture of the window in README: the page in a headless Chromium, in a drawn frame."""
import html
import shutil
import subprocess
import tempfile
from pathlib import Path

from remote import Page, wait

ROOT = Path(__file__).resolve().parents[3]
# The page's size in pixels, and what is done in it: a condition that is waited for, and an action, as scripts; between the
# first and the second the document is chosen.
SIZE = (1100, 600)
DOCUMENT = ROOT / "Tests/CIEReadTests/SignedFiles/unsigned.pdf"
STEPS = [
    ("document.getElementById('card')?.dataset.state === 'card' && !!document.getElementById('tries').textContent",
     "document.getElementById('tab-documents').click()"),
    ("document.querySelectorAll('#files > li').length === 1", "document.getElementById('sign').click()"),
    ("document.activeElement.id === 'ask-pin'",
     "document.execCommand('insertText', false, '27182818'), document.getElementById('ask-form').requestSubmit()"),
    ("!!document.querySelector('#files .verdict.good')", "document.activeElement.blur(), scrollTo(0, 0)"),
]


def window(programs, scheme="light"):
    """The page of the window, after a document was signed with a software card, in a drawn frame; `desc` has its words."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        document = shutil.copy(DOCUMENT, Path(folder, "Contratto di locazione.pdf"))
        words = [programs / "cie-read", "desk", "--virtual", "--address", "--pin-entry", "page", "--language", "it"]
        desk = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        browser = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--remote-debugging-port=0", f"--user-data-dir={folder}",
             "--no-first-run", "--lang=it", "about:blank"], stderr=subprocess.DEVNULL)
        try:
            page = Page(Path(folder))
            page.command("Page.enable")
            page.command("Emulation.setDeviceMetricsOverride", width=SIZE[0], height=SIZE[1], deviceScaleFactor=1, mobile=False)
            page.command("Emulation.setScrollbarsHidden", hidden=True)
            page.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            page.command("Page.navigate", url=desk.stdout.readline().strip())
            for number, (ready, action) in enumerate(STEPS):
                wait(lambda: page.run(ready))
                page.press(action)
                if number == 0:
                    page.choose(document)
            said = page.run("document.body.innerText")
            shot = page.command("Page.captureScreenshot", format="png")["result"]["data"]
            page.quit()
        finally:
            browser.terminate()
            desk.terminate()
    width, height = SIZE[0], SIZE[1] + 34
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">
<title>The window of cie-read, with a software card</title>
<desc>
{html.escape(chr(10).join(filter(None, map(str.strip, said.split(chr(10))))), quote=False)}
</desc>
<rect width="{width}" height="{height}" rx="8" fill="#dcdfe3"/>
<circle cx="18" cy="17" r="5" fill="#9aa0a6"/><circle cx="36" cy="17" r="5" fill="#9aa0a6"/><circle cx="54" cy="17" r="5" fill="#9aa0a6"/>
<text x="{width // 2}" y="22" text-anchor="middle" font-family="system-ui,sans-serif" font-size="14">CIE</text>
<image y="34" width="{SIZE[0]}" height="{SIZE[1]}" href="data:image/png;base64,{shot}"/>
</svg>
"""
