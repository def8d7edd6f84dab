# SPDX-License-Identifier: MIT
"""The page at every width, with what people have on it: nothing is wider than the page, and no number and no button breaks."""
import os
import subprocess
import time

from face import FACE, LARGER, put
from today import WIDGETS, check

DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', '..', 'docs')

# What is wider than its card or the page, and numbers and buttons that are on two lines.
BROKEN = r'''(async () => {
  await new Promise(requestAnimationFrame); // the page lays its cards out before it is drawn
  const wrong = new Set()
  if (document.documentElement.scrollWidth > innerWidth) wrong.add('the page is too wide')
  for (const card of document.querySelectorAll('.card')) {
    const { left, right } = card.getBoundingClientRect()
    for (const element of card.querySelectorAll('*')) {
      if (element.closest('svg, .monospace') || !element.checkVisibility()) continue
      const box = element.getBoundingClientRect()
      if (box.width && (box.right > right + 1 || box.left < left - 1)) wrong.add(`${card.id}: ${element.outerHTML.slice(0, 80)} ${[left, right, box.left, box.right, card.parentElement.style.gridArea]}`)
    }
  }
  const walk = document.createTreeWalker(document.getElementById('cards'), NodeFilter.SHOW_TEXT)
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const words = node.parentElement.closest('button') ? [[node.data, 0]] : [...node.data.matchAll(/[$€−+-]?\\d[\\d.,:’]*\\d( ?%)?/g)].map(m => [m[0], m.index])
    for (const [word, start] of words) {
      const range = document.createRange()
      range.setStart(node, start)
      range.setEnd(node, start + word.length)
      if (new Set([...range.getClientRects()].map(box => Math.round(box.top))).size > 1) wrong.add(`broken: ${word}`)
    }
  }
  return [...wrong]
})()'''.replace('\\\\', '\\')


# Its second run fails, and the card keeps what the first one gave.
DEPARTURES = """#!/bin/sh
[ -e {0} ] && {{ echo 'transport.example did not answer within 10 s' >&2; exit 1; }}
: >{0}
row() {{ printf '{{"type":"hstack","children":[{{"type":"text","text":"%s"}},{{"type":"spacer"}},{{"type":"text","text":"%s"}}]}}' "$1" "$2"; }}
printf '{{"text":"12:07","icon":"🚆","compact":{{"type":"vstack","children":[%s,%s]}}}}' "$(row 'S1 Fribourg' 12:07)" "$(row 'IC 8 Zürich' 12:31)"
"""


def show(page):
    """Shows the widgets of FACE, and no other."""
    page.todayctl('disable', *[f'org.example.{name}' for name in WIDGETS])
    script = f'{page.root}/departures'
    with open(os.open(script, os.O_WRONLY | os.O_CREAT, 0o755), 'w') as file:
        file.write(DEPARTURES.format(f'{page.root}/departed'))
    with open(f'{page.root}/widgets/org.face.departures.widget', 'w') as file:
        file.write(f'[Widget]\nDisplayName=Departures\n[Update]\nExecStart={script}\nProtocol=json\n')
    put(f'{page.root}/widgets', page.todayctl)
    page.todayctl('move', 'org.face.departures', 'after', 'org.face.github')
    while 'failing' not in page.todayctl('status', 'org.face.departures'):
        subprocess.run([f'{page.programs}/todayctl', '--socket', page.socket, 'update', 'org.face.departures'], capture_output=True)
    page.todayctl('expand', *[f'org.face.{name}' for name in LARGER])


def look(page, browser, draws):
    show(page)
    tab = browser.tab()
    if draws:
        for scheme, width, height in (('dark', 1600, 620), ('light', 390, 844)):
            tab.features(prefers_color_scheme=scheme)
            tab.size(width, height)
            tab.open(page.address)
            tab.wait(f"document.querySelectorAll('.place').length > {len(FACE)}")
            time.sleep(1)
            tab.picture(f'{DOCS}/page-{scheme}-{width}.png')
    tab.size(320, 900)
    tab.open(page.address)
    tab.wait(f"document.querySelectorAll('.place').length > {len(FACE)}")
    for mode in ('expanded', 'compact'):
        if mode == 'compact':
            page.todayctl('collapse', *[f'org.face.{name}' for name in LARGER])
            tab.wait("!document.querySelector('.expanded')")
        wrong = {}
        for width in [*range(320, 2561, 16), 800, 390]:
            tab.size(width, 900)
            tab.wait(f'innerWidth === {width}')
            for found in tab.run(BROKEN):
                wrong.setdefault(found, width)
        check(not wrong, f'nothing breaks from 320 to 2,560 pixels, {mode}', str(wrong)[:1500])
    tab.close()
    tab = browser.tab()
    tab.size(1600, 900)
    tab.open(page.address)
    tab.wait(f"document.querySelectorAll('.place').length >= {len(FACE)}")
    time.sleep(0.5)
    shift = tab.run("""(() => { const seen = []; new PerformanceObserver(list => seen.push(...list.getEntries())).observe(
        { type: 'layout-shift', buffered: true }); return new Promise(done => setTimeout(() => done(seen.map(e => e.value)), 200)) })()""")
    check(sum(shift or []) < 0.01, 'nothing moves while the page loads', str(shift))
    tab.close()
    for name in [*FACE, 'departures']:
        os.remove(f'{page.root}/widgets/org.face.{name}.widget')
    page.todayctl('enable', *[f'org.example.{name}' for name in WIDGETS])
    tab = browser.tab()
    tab.open(page.address)
    tab.wait("document.querySelector('.place') && !document.querySelector('[id^=\"org.face\"]')")
    tab.close()
